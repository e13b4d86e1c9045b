-- Penalties that a card on file is yet to pay: few, and looked for each day.
create index reservations_owed on reservations (tenant_id, property_id)
  where details #> '{cancellation,owed}' is not null;

-- Stays whose room is sold again when nobody has come for it by an hour of the arrival day: looked for each minute.
create index reservations_release on reservations (tenant_id, check_in)
  where status = 'CONFIRMED' and details #>> '{guarantee,releaseHour}' is not null;
