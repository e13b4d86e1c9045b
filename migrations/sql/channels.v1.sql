-- What channels were sent and have answered (docs/reference/channels.md#what-is-sent). The caller is in its tenant.

-- Records outcomes of requests, and answers the numbers of those whose cursor is still under the epoch in which they were
-- sent: others do nothing. Cursors are held until all is done. Given as
-- [{"n", "id": channel, "property", "epoch", "pace_free", "pace_at", "taken_at", "error", "error_at", "at_risk",
--   "audited_day", "audited_at", "drift"}], and the lines of them as
-- [{"n", "kind": PUT, DOUBT or FORGET, "room_type", "rate_plan", "external_room", "external_rate", "taken", "rejected"}].
create or replace function record_channel_outcomes_v1(outcomes json, lines json)
  returns setof int
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
#variable_conflict use_column
declare
  tenant constant text := current_setting('innkeeper.tenant');
begin
  return query
    with asked as (
      select * from json_to_recordset(outcomes) as a (n int, id uuid, property text, epoch int, pace_free float8,
        pace_at float8, taken_at float8, error text, error_at float8, at_risk int, audited_day date, audited_at float8,
        drift int)),
    mine as (
      select c.tenant_id, a.* from asked a
      join subscription_cursors c
        on c.tenant_id = tenant and c.subscription_id = a.id and c.property_id = a.property and c.epoch = a.epoch
      order by c.subscription_id, c.property_id
      for update of c),
    given as (
      select m.tenant_id, m.id, x.* from mine m
      join json_to_recordset(lines) as x (n int, kind text, room_type text, rate_plan text, external_room text,
        external_rate text, taken json, rejected json) using (n)),
    put as (
      insert into channel_lines
        (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate, taken, rejected)
      select tenant_id, id, room_type, rate_plan, external_room, external_rate, taken, rejected
      from given where kind = 'PUT'
      on conflict (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate) do update
      set taken = excluded.taken, rejected = excluded.rejected),
    doubted as (
      update channel_lines l set rejected = x.rejected from given x
      where x.kind = 'DOUBT' and l.tenant_id = x.tenant_id and l.channel_id = x.id and l.room_type = x.room_type
        and l.rate_plan = x.rate_plan and l.external_room = x.external_room and l.external_rate = x.external_rate),
    forgotten as (
      delete from channel_lines l using given x
      where x.kind = 'FORGET' and l.tenant_id = x.tenant_id and l.channel_id = x.id and l.room_type = x.room_type
        and l.rate_plan = x.rate_plan and l.external_room = x.external_room and l.external_rate = x.external_rate),
    recorded as (
      update channels c set
        pace_free = coalesce(m.pace_free, c.pace_free),
        pace_at = coalesce(to_timestamp(m.pace_at / 1000), c.pace_at),
        last_taken_at = coalesce(to_timestamp(m.taken_at / 1000), c.last_taken_at),
        last_error = coalesce(m.error, c.last_error),
        last_error_at = coalesce(to_timestamp(m.error_at / 1000), c.last_error_at),
        at_risk = coalesce(m.at_risk, c.at_risk),
        drift = case when m.audited_day is null then c.drift else m.drift end,
        audited_at = coalesce(to_timestamp(m.audited_at / 1000), c.audited_at),
        audited_day = coalesce(m.audited_day, c.audited_day)
      from mine m where c.tenant_id = m.tenant_id and c.id = m.id)
    select m.n from mine m;
end
$$;
grant execute on function record_channel_outcomes_v1(json, json) to innkeeper_app;
