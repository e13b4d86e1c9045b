-- Rooms for guests who need an accessible one, and rooms with connecting doors (docs/reference/set-up.md#rooms).
alter table rooms add column accessible boolean, add column connects_to jsonb;
