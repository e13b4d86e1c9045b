import type { TenantId } from '../kernel/rules/ids.ts';

/** What an agent has booked, over all properties of its tenant. */
export interface AgentBookings {
  /** Confirmed stays that nobody has paid in whole, and whose guest has not arrived. */
  unpaidStays(tenantId: TenantId, agent: string): Promise<number>;
}
