import type { Database } from '../../platform/database/database.ts';
import type { AgentBookings } from '../ports.ts';
import { AGENT_CHANNEL } from '../rules/agent-bounds.ts';

/** Anybody may name the channel: what an agent has made, its history says. Parameters: agent, tenant. */
const MADE = `
  from reservations r
  join lateral (
    select changed_by from reservation_status_history h
    where h.tenant_id = r.tenant_id and h.reservation_id = r.id order by h.id limit 1) h on h.changed_by = ?
  where r.tenant_id = ? and r.source = '${AGENT_CHANNEL}' and r.deleted_at is null`;

/** A day more than the time zones of the world are apart; the night audit ends what is older. */
const UNPAID = `
  select count(*)::int as stays ${MADE}
    and r.check_in >= (app_now() - interval '2 days')::date and r.status = 'CONFIRMED' and r.balance_due > 0`;

/** Bookings of agents in PostgreSQL. */
export function databaseAgentBookings(database: Database): AgentBookings {
  return {
    async unpaidStays(tenantId, agent) {
      const [rows = []] = await database.readAtOnce(tenantId, [UNPAID, agent, tenantId]);
      return (rows as { stays: number }[])[0]!.stays;
    },
  };
}
