-- Removes what property actors have written of a sandbox, and its invented guests
-- (docs/concepts/sandbox.md#how-it-is-thrown-away). The deleted property itself stays where a payment of a company of
-- the tenant names it. Owned by innkeeper_writer, which is under row security itself.
create or replace function public.remove_sandbox_v1(tenant text, property text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  gone uuid[];
begin
  if not system.is_sandbox(property) then
    raise exception '% is no sandbox', property using errcode = 'IK005';
  end if;
  perform set_config('innkeeper.batch_tenants', tenant, true);
  -- The fence first: a node that still has the property in memory commits nothing any more.
  delete from property_actor x where x.tenant_id = tenant and x.property_id = property;
  delete from reservation_status_history h using reservations r
    where r.tenant_id = tenant and r.property_id = property and h.tenant_id = tenant and h.reservation_id = r.id;
  delete from promotion_nights n using promotions p
    where p.tenant_id = tenant and p.property_id = property and n.tenant_id = tenant and n.promotion_id = p.id;
  delete from group_blocks b using reservation_groups g
    where g.tenant_id = tenant and g.property_id = property and b.tenant_id = tenant and b.group_id = g.id;
  delete from invoice_items i using invoices o
    where o.tenant_id = tenant and o.property_id = property and i.tenant_id = tenant and i.invoice_id = o.id;
  delete from payments x where x.tenant_id = tenant and x.property_id = property;
  delete from room_assignments x where x.tenant_id = tenant and x.property_id = property;
  delete from extra_stays x where x.tenant_id = tenant and x.property_id = property;
  delete from reservations x where x.tenant_id = tenant and x.property_id = property;
  delete from invoice_documents x where x.tenant_id = tenant and x.property_id = property;
  delete from invoices x where x.tenant_id = tenant and x.property_id = property;
  delete from promotions x where x.tenant_id = tenant and x.property_id = property;
  delete from reservation_groups x where x.tenant_id = tenant and x.property_id = property;
  delete from holds x where x.tenant_id = tenant and x.property_id = property;
  delete from waitlist x where x.tenant_id = tenant and x.property_id = property;
  delete from inquiries x where x.tenant_id = tenant and x.property_id = property;
  delete from housekeeping_tasks x where x.tenant_id = tenant and x.property_id = property;
  delete from maintenances x where x.tenant_id = tenant and x.property_id = property;
  delete from calendar_events x where x.tenant_id = tenant and x.property_id = property;
  delete from idempotency x where x.tenant_id = tenant and x.property_id = property;
  delete from journal_checkpoints x where x.tenant_id = tenant and x.property_id = property;
  delete from journal x where x.tenant_id = tenant and x.property_id = property;
  delete from relay_cursor x where x.tenant_id = tenant and x.property_id = property;
  delete from property_generations x where x.tenant_id = tenant and x.property_id = property;
  delete from night_books x where x.tenant_id = tenant and x.property_id = property;
  delete from rate_changes x where x.tenant_id = tenant and x.property_id = property;
  delete from rate_signals x where x.tenant_id = tenant and x.property_id = property;
  delete from rate_restrictions x where x.tenant_id = tenant and x.property_id = property;
  delete from base_rates x where x.tenant_id = tenant and x.property_id = property;
  delete from availability.room_availability x where x.tenant_id = tenant and x.property_id = property;
  delete from rates x where x.tenant_id = tenant and x.property_id = property;
  delete from rate_version x where x.tenant_id = tenant and x.property_id = property;
  delete from rooms x where x.tenant_id = tenant and x.property_id = property;
  delete from room_types x where x.tenant_id = tenant and x.property_id = property;
  delete from properties x where x.tenant_id = tenant and x.property_id = property
    and not exists (select from company_payments c where c.tenant_id = tenant and c.property_id = property);
  -- An invented guest who was booked elsewhere as well is a guest of the tenant now, and so is one whose profile has
  -- become that of a guest who stays: the merged one has no key and no profile of its own any more.
  select array_agg(s.guest_id) into gone from sandbox_guests s
    where s.tenant_id = tenant and s.property_id = property
      and not exists (select from reservations r where r.tenant_id = tenant and r.guest_id = s.guest_id)
      and not exists (
        select from guests m where m.tenant_id = tenant and m.merged_into = s.guest_id
          and (exists (select from reservations r where r.tenant_id = tenant and r.guest_id = m.id)
            or not exists (select from sandbox_guests o
              where o.tenant_id = tenant and o.property_id = property and o.guest_id = m.id)));
  delete from guest_keys k where k.tenant_id = tenant and k.guest_id = any (gone);
  delete from guests g where g.tenant_id = tenant and g.id = any (gone);
end
$$;
grant execute on function public.remove_sandbox_v1(text, text) to innkeeper_app;
