-- Kept answers are promised for 24 hours (docs/reference/api.md#idempotency) and forgotten an hour later. Owned by
-- innkeeper_writer.

-- Removes some of a tenant's keys that are 25 hours old, the oldest first. Rows that a commit is just about to write are
-- left for the next time. Answers how many it removed, and for how many seconds the oldest that is left has been past its
-- time, 0 where none is.
create or replace function public.forget_keys_v2(tenant text, most int, out forgotten int, out overdue_seconds float8)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  until timestamptz := app_now() - interval '1 hour';
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  delete from idempotency i
  where i.tenant_id = tenant and i.ctid = any (array(
    select k.ctid from idempotency k
    where k.tenant_id = tenant and k.expires_at < until
    order by k.expires_at limit most for update skip locked));
  get diagnostics forgotten = row_count;
  select coalesce(extract(epoch from until - min(k.expires_at)), 0) into overdue_seconds
  from idempotency k where k.tenant_id = tenant and k.expires_at < until;
end
$$;
grant execute on function public.forget_keys_v2(text, int) to innkeeper_system;
