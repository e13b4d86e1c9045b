-- Idempotency records: claimed, completed with their answer, released.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: fewer
create or replace function system.raise_fewer_v3(changed int, counts jsonb, what text)
  returns void
  language plpgsql
as $$
begin
  raise exception '% of % rows of % were written', changed, counts ->> what, what using errcode = 'IK004';
end
$$;
-- end of generated

-- generated: function keys
create or replace function system.write_keys_v3(counts jsonb, key_claims json, key_completions json,
  key_releases json)
  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
-- end of generated
begin
  -- A claimed key has no record: existing ones were answered before this, and expired ones deleted. When another call
  -- has claimed the same key at this moment the insert fails; the caller repeats and finds the key known (I4).
  -- generated: list keyClaims
  if key_claims is not null then
    insert into idempotency (tenant_id, property_id, subject, key, fingerprint, ref, answer, created_at, state,
      expires_at)
    select r.*, (case when r.answer is null then 'IN_PROGRESS' else 'DONE' end)::key_state, r.at + interval '24 hours'
    from json_to_recordset(key_claims) as r (t text, p varchar(50), subject varchar(100), key varchar(255),
      fingerprint text, ref text, answer json, at timestamptz(3))
    order by r.t, r.subject, r.key;
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'keyClaims')::int then
      perform system.raise_fewer_v3(changed, counts, 'keyClaims');
    end if;
  end if;
  -- end of generated

  -- The answer that completes a claim. A record older than a day may have been deleted: it is inserted again.
  if key_completions is not null then
    insert into idempotency as i
      (tenant_id, subject, key, fingerprint, state, property_id, ref, answer, created_at, expires_at)
    select r.t, r.subject, r.key, r.fingerprint,
      (case when r.answer is null then 'IN_PROGRESS' else 'DONE' end)::key_state, r.p, r.ref, r.answer, r.at,
      r.at + interval '24 hours'
    from json_to_recordset(key_completions) as r
      (t text, p varchar(50), subject varchar(100), key varchar(255), fingerprint text, ref text, answer json,
       at timestamptz(3))
    order by r.t, r.subject, r.key
    on conflict (tenant_id, subject, key) do update
      set state = excluded.state, answer = excluded.answer, fingerprint = excluded.fingerprint, ref = excluded.ref,
        property_id = excluded.property_id
      where i.state = 'IN_PROGRESS' and i.ref = excluded.ref;
  end if;

  if key_releases is not null then
    delete from idempotency i
    using json_to_recordset(key_releases) as r (t text, subject varchar(100), key varchar(255), ref text)
    where i.tenant_id = r.t and i.subject = r.subject and i.key = r.key
      and i.state = 'IN_PROGRESS' and i.ref = r.ref;
  end if;
end
$$;

-- Records of keys that must not exist yet; `past` when one has expired. Each key is looked up by the primary key. Left to
-- itself PostgreSQL plans every call anew once the table has grown: the first plans, for an empty one, were cheaper.
create or replace function system.look_up_keys_v3(key_lookups json, out known jsonb, out past boolean)
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
begin
  select jsonb_agg(jsonb_build_object('t', i.tenant_id, 'p', r.p, 'subject', i.subject, 'key', i.key,
      'fingerprint', i.fingerprint, 'ref', i.ref, 'answer', i.answer::text)) filter (where i.expires_at > app_now()),
    bool_or(i.expires_at <= app_now())
  into known, past
  from json_to_recordset(key_lookups) as r (t text, p varchar(50), subject varchar(100), key varchar(255))
  cross join lateral (
    select * from idempotency where tenant_id = r.t and subject = r.subject and key = r.key limit 1) as i;
end
$$;
