-- What a channel calls a reservation (docs/reference/bookings.md#external-ids): each id once in a tenant and channel.
alter table reservations add column external_id varchar(100);
create unique index reservations_external_id on reservations (tenant_id, external_id, coalesce(source, ''))
  where external_id is not null;
