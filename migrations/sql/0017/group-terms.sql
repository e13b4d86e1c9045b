-- Terms and guarantee of a group's own; null where its bookings follow the property
-- (docs/reference/reservations.md#groups).
alter table reservation_groups add column agreed jsonb;
