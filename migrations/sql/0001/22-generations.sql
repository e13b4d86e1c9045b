-- Where a generation of a property ended: rows up to last_seq that no earlier one covers are its own, all later ones
-- belong to property_actor.generation. Rows that are told again after a restore keep the ids that they had
-- (docs/concepts/events.md#from-journal-to-record).
create table property_generations (
  tenant_id text not null,
  property_id varchar(50) not null,
  generation int not null,
  last_seq bigint not null,
  primary key (tenant_id, property_id, generation)
);
select system.protect_tenant_table('property_generations');
create policy across_tenants on property_generations for select to innkeeper_system using (true);
grant select on property_generations to innkeeper_app, innkeeper_system;
grant select, insert on property_generations to innkeeper_writer;

-- Generation of a row of the journal.
create function generation_of(tenant text, property text, row_seq bigint, now_in int) returns int
  language sql stable
  set search_path = pg_catalog, public, pg_temp
as $$
  select coalesce(min(e.generation), now_in) from property_generations e
  where e.tenant_id = tenant and e.property_id = property and e.last_seq >= row_seq
$$;
grant execute on function generation_of(text, text, bigint, int) to innkeeper_app, innkeeper_system;
