-- Kept answers are promised for 24 hours (docs/reference/api.md#idempotency) and forgotten an hour later. Owned by
-- innkeeper_writer.

-- Removes some of a tenant's keys that are 25 hours old, the oldest first; answers how many. Rows that a commit is just
-- about to write are left for the next time.
create or replace function public.forget_keys_v1(tenant text, most int) returns int
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  forgotten int;
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  delete from idempotency i
  using (
    select k.subject, k.key from idempotency k
    where k.tenant_id = tenant and k.expires_at < app_now() - interval '1 hour'
    order by k.expires_at limit most for update skip locked
  ) as old
  where i.tenant_id = tenant and i.subject = old.subject and i.key = old.key;
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;
grant execute on function public.forget_keys_v1(text, int) to innkeeper_system;
