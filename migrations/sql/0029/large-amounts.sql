-- Revenue of a period in a currency of small units, as dong and rupiah: whole numbers of 13 digits and more.
alter table optimization_history
  alter column revenue_before type numeric(18, 2),
  alter column revenue_after type numeric(18, 2);
