import type { PropertyId, WaitlistId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { WAITLIST_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { ListedWaiting, WaitlistReader } from '../ports.ts';
import type { WaitlistDocument, WaitlistEntry } from '../rules/waitlist.ts';

type Row = Omit<WaitlistEntry, keyof WaitlistDocument> &
  Pick<ListedWaiting, 'propertyId' | 'position'> & { details: WaitlistDocument };

const POSITION = `case when w.status = 'WAITING' then (
    select count(*)::int from waitlist o
    where o.tenant_id = w.tenant_id and o.property_id = w.property_id and o.status = 'WAITING'
      and o.number <= w.number) end`;

/** Columns that name a member of the entry; its days are those of the stay. */
const COLUMNS = selectOf(WAITLIST_TABLE, ['roomType', 'checkIn', 'checkOut']);
const ROWS = `select ${COLUMNS}, property_id as "propertyId", ${POSITION} as position from waitlist w where tenant_id = ?`;

function toListed({ details, ...row }: Row): ListedWaiting {
  return { ...row, ...details };
}

/** Requests on waitlists as the database has them, within one tenant. */
export function databaseWaitlist(database: Database): WaitlistReader {
  const rows = async (tenantId: string, sql: string, values: unknown[]): Promise<ListedWaiting[]> => {
    const found = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, ...values]));
    return (found as unknown as Row[]).map(toListed);
  };
  return {
    async get(tenantId, id) {
      return isUuid(id) ? (await rows(tenantId, `${ROWS} and id = ?`, [id]))[0] : undefined;
    },
    async list({ tenantId, propertyId }, status, limit, after) {
      const some = [
        ...(status ? [[`status = ?::waitlist_status`, status] as const] : []),
        ...(after
          ? [[`(created_at, id) > (?::timestamptz, ?::uuid)`, formatInstant(after.createdAt), after.id]]
          : []),
      ];
      const conditions = ['property_id = ?', ...some.map(([sql]) => sql)].join(' and ');
      const values = [propertyId, ...some.flatMap(([, ...of]) => of), limit + 1];
      const read = await rows(tenantId, `${ROWS} and ${conditions} order by created_at, id limit ?`, values);
      const items = read.slice(0, limit);
      const last = items.at(-1);
      return read.length > limit && last
        ? { items, next: { createdAt: last.createdAt, id: last.waitlistId } }
        : { items };
    },
    async ofAddresses(tenantId, addresses) {
      const sql = `select property_id as "propertyId", id as "waitlistId" from waitlist
        where tenant_id = ? and status in ('WAITING', 'OFFERED')
          and lower(details #>> '{guest,email}') in (select lower(value) from json_array_elements_text(?::json))`;
      const found = await database.readTenant(tenantId, (em) =>
        em.execute(sql, [tenantId, JSON.stringify(addresses)]),
      );
      return found as unknown as { propertyId: PropertyId; waitlistId: WaitlistId }[];
    },
  };
}
