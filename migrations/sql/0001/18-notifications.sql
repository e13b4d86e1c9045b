-- Mails and texts to guests. No actor owns them: they are made from the journal, behind the bookings.

create type notification_kind as enum ('CONFIRMATION', 'MODIFICATION', 'CANCELLATION', 'REMINDER');
create type notification_channel as enum ('MAIL', 'SMS');
-- SENDING: it may be on its way. UNKNOWN: it may have arrived, and is not sent again. DROPPED: there was nothing to tell.
create type notification_state as enum ('WAITING', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN', 'DROPPED');

-- Its key is what makes a notification one of a kind, however often the journal is read. What it says is not kept: it is
-- written when it is sent, from the journal row and the reservation, so nothing personal stands here.
create table notifications (
  tenant_id text not null,
  reservation_id uuid not null,
  kind notification_kind not null,
  channel notification_channel not null,
  -- Number of the journal row that it tells of; of a reminder the day of arrival, in days since 1970.
  occasion bigint not null,
  property_id varchar(50) not null,
  -- When that happened; a part of the key of the journal row.
  at timestamptz(3) not null,
  state notification_state not null default 'WAITING',
  -- How often it was tried; who changes a row names the number that he has seen.
  attempts smallint not null default 0,
  -- When something is to be done with it: to be sent, to be given up, and at its end to be forgotten.
  due_at timestamptz(3) not null,
  sent_at timestamptz(3),
  error varchar(100),
  primary key (tenant_id, reservation_id, kind, channel, occasion)
)
-- Each is changed three times and lives for a month.
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.5);
create index notifications_due on notifications (tenant_id, channel, due_at);

-- Up to which journal row notifications were made, by property.
create table notification_positions (
  tenant_id text not null,
  property_id varchar(50) not null,
  seq bigint not null,
  primary key (tenant_id, property_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200);

select system.protect_tenant_table(name::regclass)
from unnest(array['notifications', 'notification_positions']) as t (name);
grant select, insert, update, delete on notifications, notification_positions to innkeeper_app;
