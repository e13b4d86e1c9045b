-- Ages of the children of a stay, and stays without a night, which take the room for the night of their day
-- (docs/reference/day-use.md#day-use).
alter table reservations add column child_ages smallint[], add column day_use boolean;
