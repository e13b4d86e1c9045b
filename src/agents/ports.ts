import type { TenantId } from '../kernel/rules/ids.ts';
import type { BookedByAgent } from './rules/booking-limits.ts';

export type AgentBookings = (tenantId: TenantId, agent: string, email: string) => Promise<BookedByAgent>;
