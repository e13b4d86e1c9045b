-- Mails that staff send about a stay: an invoice, or a link to pay (docs/reference/invoices.md#by-mail). No actor owns
-- them: addresses are personal data, and an erasure removes them here, which it could not do in the journal.
create table stay_mails (
  tenant_id text not null,
  id uuid not null,
  property_id varchar(50) not null,
  reservation_id uuid not null,
  kind notification_kind not null,
  address varchar(254) not null,
  -- Window, amount and expiry.
  details json not null,
  sent_by text not null,
  created_at timestamptz(3) not null,
  -- A link that opens nothing any more.
  revoked_at timestamptz(3),
  primary key (tenant_id, id)
);
create index stay_mails_stay on stay_mails (tenant_id, reservation_id, created_at);

select system.protect_tenant_table('stay_mails');
grant select, insert, update, delete on stay_mails to innkeeper_app;

alter type notification_kind add value if not exists 'INVOICE';
alter type notification_kind add value if not exists 'PAYMENT_LINK';
