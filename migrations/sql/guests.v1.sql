-- Guest profiles of one tenant, many at once and in one round trip: this is on the path of every booking. Owned by
-- innkeeper_writer, which is under row security, with exactly this tenant.
create or replace function public.find_guests_v1(tenant text, wanted jsonb)
  returns table (n int, id uuid, wrapped text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  -- Each plan is the same. Left to itself PostgreSQL plans every call anew once the tables have grown: the first plans,
  -- for empty ones, were cheaper.
  set plan_cache_mode = force_generic_plan
as $$
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  -- Two lookups by their indexes for each: as plain joins the planner, who takes a list of rows to have a hundred, would
  -- read the tables from end to end while they are not huge.
  return query
    select w.n, found.id,
      (select k.wrapped from guest_keys k where k.tenant_id = tenant and k.guest_id = found.id) as wrapped
    from jsonb_to_recordset(wanted) as w (n int, email_key text, last_name_key text)
    cross join lateral (
      -- A merged profile finds the one that it was merged into.
      select coalesce(g.merged_into, g.id) as id
      from guests g
      where g.tenant_id = tenant and g.email_key = w.email_key and g.last_name_key = w.last_name_key
        and g.deleted_at is null
      limit 1) as found;
end
$$;
grant execute on function public.find_guests_v1(text, jsonb) to innkeeper_app;

-- Changes of a profile: members that `changed` has, null to remove one; with `ifVersion` only of this version. Reservations
-- keep the copies that they have. Answers with what it was before and when it was changed, {"stale": true} when it has
-- another version, with null without such a guest; not unique when another profile has this e-mail and last name.
create or replace function public.change_guest_v1(tenant text, guest uuid, changed jsonb) returns jsonb
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  old guests%rowtype;
  new_email_key text;
  new_last_name_key text;
  merged uuid;
  changed_at timestamptz;
begin
  perform set_config('innkeeper.batch_tenants', tenant, true);
  select * into old from guests g
  where g.tenant_id = tenant and g.id = guest and g.deleted_at is null and g.merged_into is null for update;
  if not found then
    return null;
  end if;
  if (changed ->> 'ifVersion')::int <> old.version then
    return jsonb_build_object('stale', true);
  end if;
  new_email_key := coalesce(changed ->> 'emailKey', old.email_key);
  new_last_name_key := coalesce(changed ->> 'lastNameKey', old.last_name_key);
  -- The same person was known by these before: the merged profile takes those that the guest has now, so that both find
  -- the guest.
  update guests g set email_key = null where g.tenant_id = tenant and g.merged_into = guest
    and g.email_key = new_email_key and g.last_name_key = new_last_name_key
  returning g.id into merged;
  update guests g
  set email = coalesce(changed ->> 'email', g.email), email_key = new_email_key,
    first_name = coalesce(changed ->> 'firstName', g.first_name),
    last_name = coalesce(changed ->> 'lastName', g.last_name), last_name_key = new_last_name_key,
    phone = case when changed ? 'phone' then changed ->> 'phone' else g.phone end,
    preferences = case when changed ? 'preferences' then nullif(changed -> 'preferences', 'null') else g.preferences end,
    language = case when changed ? 'language' then changed ->> 'language' else g.language end,
    consent = case when changed ? 'consent' then nullif(changed -> 'consent', 'null') else g.consent end,
    version = g.version + 1, updated_at = app_now()
  where g.tenant_id = tenant and g.id = guest
  returning g.updated_at into changed_at;
  update guests g
  set email = old.email, email_key = old.email_key, last_name = old.last_name, last_name_key = old.last_name_key
  where g.tenant_id = tenant and g.id = merged;
  return jsonb_build_object(
    'before', jsonb_build_object('email', old.email, 'firstName', old.first_name, 'lastName', old.last_name,
      'phone', old.phone, 'language', old.language, 'preferences', old.preferences, 'consent', old.consent),
    'version', old.version + 1,
    'at', (extract(epoch from changed_at) * 1000)::bigint);
end
$$;
grant execute on function public.change_guest_v1(text, uuid, jsonb) to innkeeper_app;
