-- Rooms that were booked together (docs/reference/bookings.md#several-rooms).
alter table reservations add column booking_id uuid;
create index reservations_booking on reservations (tenant_id, booking_id) where booking_id is not null;
