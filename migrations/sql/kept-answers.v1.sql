-- Answers kept under an Idempotency-Key for what no property decides (docs/concepts/audit-trail.md#audit-trail), beside
-- those of properties in the same table: one key has one effect, whoever does it. Both within the transaction of the
-- write; owned by innkeeper_writer, under row security, with exactly this tenant.

-- What is known of a key: {"fingerprint", "state", "answer"}, {"busy": true} while another transaction works under it,
-- null when it is free (json: the answer word by word as it was kept). Free, it is the caller's until the end of the transaction, however that ends.
create or replace function public.find_answer_v1(tenant text, who text, named text) returns json
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  known json;
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  if not pg_try_advisory_xact_lock(hashtextextended(concat_ws(E'\n', tenant, who, named), 0)) then
    return '{"busy": true}';
  end if;
  delete from idempotency i
  where i.tenant_id = tenant and i.subject = who and i.key = named and i.expires_at <= app_now();
  select json_build_object('fingerprint', i.fingerprint, 'state', i.state, 'answer', i.answer) into known
  from idempotency i where i.tenant_id = tenant and i.subject = who and i.key = named;
  return known;
end
$$;
grant execute on function public.find_answer_v1(text, text, text) to innkeeper_app;

-- Keeps the answer for 24 hours; false when a property has claimed the key meanwhile.
create or replace function public.keep_answer_v1(tenant text, who text, named text, print text, said json)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  insert into idempotency (tenant_id, subject, key, fingerprint, state, answer, expires_at)
  values (tenant, who, named, print, 'DONE', said, app_now() + interval '24 hours')
  on conflict do nothing;
  return found;
end
$$;
grant execute on function public.keep_answer_v1(text, text, text, text, json) to innkeeper_app;
