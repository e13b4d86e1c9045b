-- What a stay wishes of its room (docs/reference/bookings.md#room-wishes).
alter table reservations add column room_wishes jsonb;
