-- The page of a stay for its guest (docs/guide/my-stay.md#my-stay): since when its links are valid, and the check-in
-- online. No actor owns it: the signature is personal data, and an erasure removes it here, which it could not do in the
-- journal.
create table stay_pages (
  tenant_id text not null,
  reservation_id uuid not null,
  property_id varchar(50) not null,
  -- Links that were signed before open nothing any more.
  links_from timestamptz(3),
  -- Local time, such as 18:30.
  arrival_time varchar(5),
  signed_name varchar(200),
  signed_at timestamptz(3),
  primary key (tenant_id, reservation_id)
);

select system.protect_tenant_table('stay_pages');
grant select, insert, update, delete on stay_pages to innkeeper_app;
