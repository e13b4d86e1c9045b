import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { DemoState, DemoStates } from '../ports.ts';

const STATES = `
  select tenant_id as "tenantId", property_id as "propertyId", seed, ${ms('began_at')} as "beganAt",
    parts_done as "partsDone", parts, ${ms('booked_until')} as "bookedUntil", pace
  from demo_states where tenant_id = ? order by property_id`;

const SET_PACE = `update demo_states set pace = ? where tenant_id = ? returning 1`;

const BOOKED = `
  update demo_states set booked_until = greatest(booked_until, ?::timestamptz)
  where tenant_id = ? and property_id = ?`;

/** States of the demo in PostgreSQL. */
export function databaseDemoStates(database: Database): DemoStates {
  return {
    of: (tenantId) => database.readTenant(tenantId, (em) => em.execute<DemoState[]>(STATES, [tenantId])),
    async setPace(tenantId, pace) {
      const rows = await database.inTenant(tenantId, (em) => em.execute<unknown[]>(SET_PACE, [pace, tenantId]));
      return rows.length > 0;
    },
    async bookedUntil({ tenantId, propertyId }, at) {
      await database.inTenant(tenantId, (em) => em.execute(BOOKED, [formatInstant(at), tenantId, propertyId]));
    },
  };
}
