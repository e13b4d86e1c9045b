import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { HousekeepingTask, OpenHousekeeping } from '../ports.ts';

const OPEN = `
  select id as "taskId", room_number as "roomNumber", task_type as "taskType", status, notes,
    ${ms('created_at')}::float8 as "createdAt"
  from housekeeping_tasks
  where tenant_id = ? and property_id = ? and status = 'PENDING' and deleted_at is null
  order by priority desc, created_at, room_number limit 500`;

export function databaseHousekeeping(database: Database): OpenHousekeeping {
  return async ({ tenantId, propertyId }) => {
    const rows = await database.readTenant(tenantId, (em) => em.execute(OPEN, [tenantId, propertyId]));
    return (rows as unknown as (Omit<HousekeepingTask, 'notes'> & { notes: string | null })[]).map(
      ({ notes, ...task }) => ({ ...task, ...(notes !== null && { notes }) }),
    );
  };
}
