import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ChannelNotices, NoticeToSettle } from '../ports.ts';
import { type ChannelNotice, MAX_NOTICES } from '../rules/notice.ts';

const MEMBERS = `
  n.channel_id as "channelId", n.external_id as "externalId", n.kind, extract(epoch from n.said_at) * 1000 as at,
  n.check_in::text as "checkIn", n.check_out::text as "checkOut", n.external_room as "externalRoom", n.reason,
  n.reservation_id as "reservationId"`;
const FIND = `
  select ${MEMBERS} from channel_notices n
  where n.tenant_id = ? and n.channel_id = ? and n.external_id = ? and n.kind = 'CANCELLED'`;
/** The same again stays as it was recorded: what the desk has done since counts. */
const PUT = `
  insert into channel_notices as n (tenant_id, channel_id, external_id, kind, said_at, check_in, check_out, external_room,
    reason, reservation_id)
  values (?, ?, ?, ?, to_timestamp(?::float8 / 1000), ?::date, ?::date, ?, ?, ?)
  on conflict (tenant_id, channel_id, external_id, kind) do update
  set said_at = excluded.said_at, check_in = excluded.check_in, check_out = excluded.check_out,
    external_room = excluded.external_room, reason = excluded.reason, reservation_id = excluded.reservation_id,
    recorded_at = app_now()
  where (n.said_at, n.check_in, n.check_out, n.external_room, n.reason, n.reservation_id) is distinct from
    (excluded.said_at, excluded.check_in, excluded.check_out, excluded.external_room, excluded.reason,
    excluded.reservation_id)`;
const FORGET_OLDEST = `
  delete from channel_notices where tenant_id = ? and channel_id = ? and kind = ? and external_id in (
    select external_id from channel_notices where tenant_id = ? and channel_id = ? and kind = ?
    order by recorded_at desc, external_id offset ?)`;
/** A booking that was cancelled need not be taken. */
const END_TASK = `delete from channel_notices
  where tenant_id = ? and channel_id = ? and external_id = ? and kind = 'NOT_TAKEN'`;
const END = 'delete from channel_notices where tenant_id = ? and channel_id = ? and external_id = ?';
/** Days for which a stay that is over already waits: somebody has to look at its money. */
const DAYS_AFTER = 3;
/**
 * What the desk has not settled: a stay that it has entered under the id of the channel is, and so is a reservation that
 * was changed since.
 */
const WAITING = `
  select ${MEMBERS}, c.channel_code as "channelCode", c.name
  from channels c join channel_notices n on n.tenant_id = c.tenant_id and n.channel_id = c.id
  where c.tenant_id = ? and c.property_id = ? and n.kind = 'NOT_TAKEN'
    and (n.check_out >= ?::date or n.recorded_at > app_now() - interval '${DAYS_AFTER} days')
    and not exists (
      select from reservations r
      where r.tenant_id = n.tenant_id and r.deleted_at is null and (
        r.external_id = n.external_id and r.source = 'OTA' and r.id is distinct from n.reservation_id
        or r.id = n.reservation_id and r.updated_at > n.recorded_at))
  order by n.recorded_at desc, n.external_id limit ?`;

type Row = Omit<ChannelNotice, 'at' | 'checkIn' | 'checkOut'> & {
  [K in 'at' | 'checkIn' | 'checkOut']: string | null;
};
type WaitingRow = Row & Pick<NoticeToSettle, 'channelCode' | 'name'>;

/** What channels have said of bookings that are not there as said, in PostgreSQL, within the tenant. */
export function databaseChannelNotices(database: Database): ChannelNotices {
  return {
    async cancelled(tenantId, channelId, externalId) {
      const [[row] = []] = await database.readAtOnce(tenantId, [FIND, tenantId, channelId, externalId]);
      return row === undefined ? undefined : noticeOf(row as Row);
    },
    put: (tenantId, notice) =>
      database.inTenant(tenantId, async (em) => {
        const { channelId, externalId, kind, at, checkIn, checkOut, externalRoom, reason, reservationId } = notice;
        const days = [checkIn, checkOut].map((day) => (day === undefined ? null : formatDay(day)));
        const others = [externalRoom, reason, reservationId].map((value) => value ?? null);
        await em.execute(PUT, [tenantId, channelId, externalId, kind, at ?? null, ...days, ...others]);
        if (kind === 'CANCELLED') await em.execute(END_TASK, [tenantId, channelId, externalId]);
        await em.execute(FORGET_OLDEST, [tenantId, channelId, kind, tenantId, channelId, kind, MAX_NOTICES]);
      }),
    end: async (tenantId, channelId, externalId) =>
      void (await database.writeAtOnce(tenantId, [END, tenantId, channelId, externalId])),
    waiting: ({ tenantId, propertyId }, businessDate, limit) =>
      database.readTenant(tenantId, async (em) => {
        const values = [tenantId, propertyId, formatDay(businessDate), limit];
        const rows = await em.execute<WaitingRow[]>(WAITING, values);
        return rows.map(({ channelCode, name, ...row }) => ({ ...noticeOf(row), channelCode, name }));
      }),
  };
}

function noticeOf({ at, checkIn, checkOut, ...others }: Row): ChannelNotice {
  const dayOf = (text: string | null): Day | undefined => (text === null ? undefined : parseDay(text));
  const known = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)) as typeof others;
  const days = { checkIn: dayOf(checkIn), checkOut: dayOf(checkOut) };
  return { ...known, ...definedMembers({ at: at === null ? undefined : Number(at), ...days }) };
}
