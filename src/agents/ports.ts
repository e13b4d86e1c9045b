import type { TenantId } from '../kernel/rules/ids.ts';
import type { BookedByAgent } from './rules/booking-limits.ts';

/** Counts what an agent has booked, also with the guest of an e-mail address. */
export type AgentBookings = (tenantId: TenantId, agent: string, email: string) => Promise<BookedByAgent>;
