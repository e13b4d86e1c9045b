-- Copies of properties with invented guests (docs/concepts/sandbox.md#how-the-year-is-written): at most one of each property.
create table sandboxes (
  tenant_id text not null,
  property_id varchar(50) not null,
  -- The copy: a number is never used again.
  sandbox_id varchar(50) not null,
  number int not null,
  -- PLAYING, READY, ENDING, FAILED or NONE.
  state varchar(10) not null,
  -- Who is at work; the next one has another id, and the former changes nothing any more.
  run uuid not null,
  -- By which a run says that it lives, by the clock of the database without its offset.
  touched_at timestamptz(3) not null,
  percent int not null default 0,
  primary key (tenant_id, property_id)
);
select system.protect_tenant_table('sandboxes');
grant select, insert, update, delete on sandboxes to innkeeper_app;

-- Invented guests by the copy that they belong to: they go with it.
create table sandbox_guests (
  tenant_id text not null,
  property_id varchar(50) not null,
  guest_id uuid not null,
  primary key (tenant_id, property_id, guest_id)
);
select system.protect_tenant_table('sandbox_guests');
grant select, insert, update, delete on sandbox_guests to innkeeper_app;
grant select on sandbox_guests, company_payments to innkeeper_writer;

-- Only the id says what is a sandbox, and no property of somebody gets such an id.
create function system.is_sandbox(property text) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$ select property ~ '--sandbox-[1-9][0-9]*$' $$;
grant execute on function system.is_sandbox(text) to innkeeper_app, innkeeper_writer, innkeeper_system;

-- innkeeper_writer removes rows of a sandbox from these tables, and, by row security, of nothing else. What it could
-- remove before it still can.
do $$
declare
  target regclass;
begin
  foreach target in array array[
    'properties', 'rate_version', 'rates', 'night_books', 'rate_changes', 'promotions', 'property_actor',
    'property_generations', 'relay_cursor', 'journal', 'journal_checkpoints', 'reservations', 'payments',
    'reservation_groups', 'maintenances', 'waitlist', 'inquiries', 'housekeeping_tasks', 'invoices',
    'invoice_documents'
  ]::regclass[] loop
    execute format('grant delete on %s to innkeeper_writer', target);
    execute format(
      'create policy only_sandboxes on %s as restrictive for delete to innkeeper_writer
         using (system.is_sandbox(property_id))', target);
  end loop;
end
$$;
grant delete on promotion_nights, reservation_status_history, guests, guest_keys to innkeeper_writer;
create policy only_sandboxes on promotion_nights as restrictive for delete to innkeeper_writer
  using (exists (select from promotions p where p.tenant_id = promotion_nights.tenant_id
    and p.id = promotion_nights.promotion_id and system.is_sandbox(p.property_id)));
create policy only_sandboxes on reservation_status_history as restrictive for delete to innkeeper_writer
  using (exists (select from reservations r where r.tenant_id = reservation_status_history.tenant_id
    and r.id = reservation_status_history.reservation_id and system.is_sandbox(r.property_id)));
create policy only_sandboxes on guests as restrictive for delete to innkeeper_writer
  using (exists (select from sandbox_guests s where s.tenant_id = guests.tenant_id and s.guest_id = guests.id));
create policy only_sandboxes on guest_keys as restrictive for delete to innkeeper_writer
  using (exists (select from sandbox_guests s where s.tenant_id = guest_keys.tenant_id
    and s.guest_id = guest_keys.guest_id));
create index sandbox_guests_guest on sandbox_guests (tenant_id, guest_id);
