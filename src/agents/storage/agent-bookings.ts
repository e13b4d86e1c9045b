import { foldKey } from '../../guests/rules/guest-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import type { AgentBookings } from '../ports.ts';
import { AGENT_CHANNEL } from '../rules/agent-bounds.ts';

/** Anybody may name the channel: what an agent has made, its history says. Parameters: agent, tenant. */
const MADE = `
  from reservations r
  join lateral (
    select changed_by from reservation_status_history h
    where h.tenant_id = r.tenant_id and h.reservation_id = r.id order by h.id limit 1) h on h.changed_by = ?
  where r.tenant_id = ? and r.source = '${AGENT_CHANNEL}'`;

/** A day more than the time zones of the world are apart; the night audit ends what is older. */
const UNPAID = `
  select count(*)::int as count ${MADE} and r.deleted_at is null
    and r.check_in >= (app_now() - interval '2 days')::date and r.status = 'CONFIRMED' and r.balance_due > 0`;
const OF_DAY = `
  select count(*)::int as count, ${ms('min(r.created_at)')} as oldest ${MADE}
    and r.created_at > app_now() - interval '1 day'`;
const OF_ADDRESS = `${OF_DAY} and r.email_key = ?`;

type Row = { count: number; oldest: number | null };

/** Bookings of agents in PostgreSQL. */
export function databaseAgentBookings(database: Database): AgentBookings {
  return async (tenantId, agent, email) => {
    const [unpaid, ofDay, ofAddress] = await database.readAtOnce(
      tenantId,
      [UNPAID, agent, tenantId],
      [OF_DAY, agent, tenantId],
      [OF_ADDRESS, agent, tenantId, foldKey(email)],
    );
    return { unpaidStays: rowOf(unpaid).count, ofDay: dayOf(ofDay), ofAddress: dayOf(ofAddress) };
  };
}

const rowOf = (rows: unknown[] | undefined): Row => (rows as Row[])[0]!;

function dayOf(rows: unknown[] | undefined): { count: number; oldest?: number } {
  const { count, oldest } = rowOf(rows);
  return { count, ...(oldest !== null && { oldest }) };
}
