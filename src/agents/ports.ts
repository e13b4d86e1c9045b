import type { TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';

/** Bookings of 24 hours, whatever has become of them. */
type DayOfBookings = { count: number; oldest?: Instant };

/** What an agent has booked, over all properties of its tenant. */
export type BookedByAgent = {
  /** Confirmed stays that nobody has paid in whole, and whose guest has not arrived. */
  unpaidStays: number;
  ofDay: DayOfBookings;
  /** Those of one e-mail address, which were mailed to it. */
  ofAddress: DayOfBookings;
};

export type AgentBookings = (tenantId: TenantId, agent: string, email: string) => Promise<BookedByAgent>;
