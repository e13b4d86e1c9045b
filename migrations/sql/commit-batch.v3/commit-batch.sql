-- The only way to write what property actors own (docs/concepts/commit-and-fence.md#commit-lanes): one call takes the
-- sealed batches of many properties, all or nothing. Values are absolute after-images. Owned by innkeeper_writer, under
-- row security, with the tenants of exactly this call. Each table has a list of rows, null for none, and `counts` says
-- how many; json and not jsonb, because every row is read once and never searched (a quarter less work for a booking).
-- Lists are parameters and not members of one object, which would be read twice
-- (docs/concepts/commit-and-fence.md#rows-and-tables).
--
-- Answers {} when written, {"known": [...]} when a key was there before (nothing written). Raises IK001 when another
-- owner has a property or a statement of ours came twice (detail: which), IK003 when a guest exists by another id or was
-- erased, IK004 when fewer rows changed than were given, but for lists that say why they may be.
-- Frozen once it was in a release: a later change is a new version of the whole folder (CONTRIBUTING.md#add-a-column).
-- Parts between "generated" and "end of generated" are written by `npm run sql:generate`.

-- generated: commit
create or replace function public.commit_batch_v3(tenants text, counts jsonb, fences json, key_lookups json,
  key_claims json, key_completions json, key_releases json, properties json, properties_deleted json, room_types json,
  room_types_removed json, rooms json, rooms_removed json, plans json, plans_removed json, rate_changes json,
  signals json, restrictions json, restrictions_removed json, promotions json, promotion_nights json,
  calendar_events_removed json, calendar_events json, groups json, group_blocks_removed json, group_blocks json,
  maintenances json, maintenances_removed json, waitlist json, inquiries json, extra_stays_removed json,
  extra_stays json, room_stays_removed json, room_stays json, housekeeping json, invoice_documents json, guests json,
  new_reservations json, new_payments json, new_holds json, reservations json, history json, payments json,
  holds json, holds_removed json, cells json, books json, base_rates json, journal json)
  returns jsonb
-- end of generated
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
  known jsonb;
  past boolean;
  fence record;
  lost jsonb := '[]';
begin
  perform set_config('innkeeper.batch_tenants', tenants, true);

  if key_lookups is not null then
    select k.known, k.past into known, past from system.look_up_keys_v3(key_lookups) as k;
    if known is not null then
      return jsonb_build_object('known', known);
    end if;
    if past then
      delete from idempotency i
      using json_to_recordset(key_lookups) as r (t text, subject varchar(100), key varchar(255))
      where i.tenant_id = r.t and i.subject = r.subject and i.key = r.key and i.expires_at <= app_now();
    end if;
  end if;

  -- The fence, before anything else is written: epoch says who owns, seq that nothing came in between, and the head of
  -- the chain that what came before is what this was decided on (a statement that comes twice may fit in number). One row
  -- after the other in the order of the keys: two calls never wait for each other crosswise, and each is found by its
  -- key, however many properties there are.
  for fence in
    select * from json_to_recordset(fences) as r
      (t text, p varchar(50), epoch bigint, old bigint, seq bigint, before text, "headHash" text,
       "committedAt" timestamptz(3), "businessDate" date, "rateVersion" bigint)
    order by r.t, r.p
  loop
    update property_actor a
    set seq = fence.seq, head_hash = fence."headHash", committed_at = coalesce(fence."committedAt", a.committed_at),
      business_date = coalesce(fence."businessDate", a.business_date),
      rate_version = coalesce(fence."rateVersion", a.rate_version)
    where a.tenant_id = fence.t and a.property_id = fence.p and a.epoch = fence.epoch and a.seq = fence.old
      and a.head_hash = fence.before;
    if not found then
      lost := lost || jsonb_build_object('t', fence.t, 'p', fence.p);
    end if;
  end loop;
  if lost <> '[]' then
    raise exception 'another owner, or a late statement' using errcode = 'IK001', detail = lost::text;
  end if;

  -- generated: call keys
  if num_nonnulls(key_claims, key_completions, key_releases) > 0 then
    perform system.write_keys_v3(counts, key_claims, key_completions, key_releases);
  end if;
  -- end of generated
  -- Each part only where it has rows: a booking under a promotion moves its units and sets nothing up.
  -- generated: call set-up
  if num_nonnulls(properties, properties_deleted, room_types, room_types_removed, rooms, rooms_removed, plans,
    plans_removed) > 0 then
    perform system.write_set_up_v3(counts, properties, properties_deleted, room_types, room_types_removed, rooms,
      rooms_removed, plans, plans_removed);
  end if;
  -- end of generated
  -- generated: call sales
  if num_nonnulls(rate_changes, signals, restrictions, restrictions_removed, promotions, promotion_nights,
    calendar_events_removed, calendar_events, groups, group_blocks_removed, group_blocks) > 0 then
    perform system.write_sales_v3(counts, rate_changes, signals, restrictions, restrictions_removed, promotions,
      promotion_nights, calendar_events_removed, calendar_events, groups, group_blocks_removed, group_blocks);
  end if;
  -- end of generated
  -- generated: call front-desk
  if num_nonnulls(maintenances, maintenances_removed, waitlist, inquiries, extra_stays_removed, extra_stays,
    room_stays_removed, room_stays, housekeeping, invoice_documents) > 0 then
    perform system.write_front_desk_v3(counts, maintenances, maintenances_removed, waitlist, inquiries,
      extra_stays_removed, extra_stays, room_stays_removed, room_stays, housekeeping, invoice_documents);
  end if;
  -- end of generated
  -- generated: call bookings
  if num_nonnulls(guests, new_reservations, new_payments, new_holds, reservations, history, payments, holds,
    holds_removed) > 0 then
    perform system.write_bookings_v3(counts, guests, new_reservations, new_payments, new_holds, reservations, history,
      payments, holds, holds_removed);
  end if;
  -- end of generated
  -- generated: call inventory
  if num_nonnulls(cells, books, base_rates) > 0 then
    perform system.write_inventory_v3(counts, cells, books, base_rates);
  end if;
  -- end of generated
  -- generated: list journal
  if journal is not null then
    insert into public.journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
    select r.* from json_to_recordset(journal) as r (t text, p varchar(50), seq bigint, at timestamptz(3),
      type varchar(40), subject varchar(100), "requestId" varchar(100), entity varchar(100), facts json, hash text);
    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> 'journal')::int then
      perform system.raise_fewer_v3(changed, counts, 'journal');
    end if;
  end if;
  -- end of generated
  return '{}';
end
$$;
-- generated: grant
grant execute on function public.commit_batch_v3(text, jsonb, json, json, json, json, json, json, json, json, json,
  json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json,
  json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json, json,
  json) to innkeeper_app;
-- end of generated
