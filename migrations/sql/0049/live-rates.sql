-- Live rates of nights (docs/concepts/forecast.md#live-rates): factors of the price in ten-thousandths, the first at so
-- many rooms left, the next ones each at so many fewer; and the factor with which a business day began. Null without
-- live rates, as for all nights of a release before.
alter table rate_signals
  add column live_factors smallint[],
  add column live_rooms smallint,
  add column live_step smallint,
  add column live_start smallint,
  add column live_on date;
