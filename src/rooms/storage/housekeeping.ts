import { type Page, pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid, presentMembers } from '../../platform/database/row-values.ts';
import { HOUSEKEEPING_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import type { HousekeepingFilter, HousekeepingReader } from '../ports.ts';
import type { RoomsDone } from '../rules/housekeeping-minutes.ts';
import type { HousekeepingTask } from '../rules/housekeeping.ts';

const OF_PROPERTY = `
  select ${selectOf(HOUSEKEEPING_TABLE, ['isOpen'])} from housekeeping_tasks
  where tenant_id = ? and property_id = ?`;

const DONE = `
  select assigned_to as attendant, task_type as "taskType", count(*)::int as rooms, count(minutes)::int as "timedRooms",
    coalesce(sum(minutes), 0)::int as minutes
  from housekeeping_tasks
  where tenant_id = ? and property_id = ? and completed_on between ?::date and ?::date
  group by 1, 2 order by 1 nulls last, 2 limit ?`;

/** Housekeeping tasks in the database. */
export function databaseHousekeeping(database: Database): HousekeepingReader {
  const read = async ({ tenantId, propertyId }: Address, more: string, ...values: unknown[]) => {
    const sql = `${OF_PROPERTY} ${more}`;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, propertyId, ...values]));
    return (rows as unknown as HousekeepingTask[]).map(presentMembers);
  };
  return {
    get: async (to, id) => (isUuid(id) ? (await read(to, 'and id = ?', id))[0] : undefined),
    async list(to, filter, limit, after): Promise<Page<HousekeepingTask>> {
      const [conditions, values] = conditionsOf(filter, after);
      const tasks = await read(to, `${conditions} order by created_at desc, id desc limit ?`, ...values, limit + 1);
      return pageOfRead(tasks, limit, ({ taskId }) => taskId);
    },
    async done({ tenantId, propertyId }, first, last, limit) {
      const values = [tenantId, propertyId, formatDay(first), formatDay(last), limit];
      const rows = await database.readTenant(tenantId, (em) => em.execute(DONE, values));
      return (rows as unknown as RoomsDone[]).map(presentMembers);
    },
  };
}

function conditionsOf(
  { status, attendant, roomNumbers }: HousekeepingFilter,
  after: PagePosition | undefined,
): [sql: string, values: unknown[]] {
  const conditions: [string, ...unknown[]][] = [['and status = ?', status]];
  if (attendant !== undefined) conditions.push(['and assigned_to = ?', attendant]);
  if (roomNumbers !== undefined)
    conditions.push(['and room_number in (select json_array_elements_text(?::json))', JSON.stringify(roomNumbers)]);
  if (after)
    conditions.push(['and (created_at, id) < (?::timestamptz, ?::uuid)', formatInstant(after.createdAt), after.id]);
  return [conditions.map(([sql]) => sql).join(' '), conditions.flatMap(([, ...values]) => values)];
}
