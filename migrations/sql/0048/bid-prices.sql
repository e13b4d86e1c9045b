-- Computed bid prices of nights (docs/concepts/forecast.md#bid-prices): at so many rooms left, and the rise for each
-- further room sold. Null without one, as for all nights of a release before.
alter table rate_signals
  add column bid_price numeric(10, 2),
  add column bid_per_room numeric(10, 2),
  add column bid_rooms smallint;
