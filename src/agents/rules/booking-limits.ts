import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { AGENT_BOUNDS } from './agent-bounds.ts';

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

const DAY_MS = 86_400_000;
/** After this, stays may have been paid, or guests have arrived. */
const HOUR_MS = 3_600_000;

/**
 * Refuses a booking beyond the limits of an agent (docs/reference/mcp.md#limits). Each booking is mailed to an address
 * that the agent names, so those that were cancelled since are counted, too.
 * @param isUnpaid the stay would be confirmed without a payment
 * @throws DomainError QUOTA_EXCEEDED with the `bound`
 */
export function checkAgentBookings(booked: BookedByAgent, isUnpaid: boolean, now: Instant): void {
  const { unpaidStays, bookingsOfDay, bookingsOfAddress } = AGENT_BOUNDS;
  const { ofDay, ofAddress } = booked;
  const aDayAfter = (oldest: Instant = now): number => oldest + DAY_MS - now;
  if (isUnpaid && booked.unpaidStays >= unpaidStays)
    throw beyond('agent-unpaid-stays', unpaidStays, HOUR_MS, {
      detail: 'stays to come are not paid: wait until guests have arrived, or cancel some',
    });
  if (ofAddress.count >= bookingsOfAddress)
    throw beyond('agent-address-bookings', bookingsOfAddress, aDayAfter(ofAddress.oldest), {
      detail: 'bookings of 24 hours were mailed to this address, with those that were cancelled',
    });
  if (ofDay.count >= bookingsOfDay)
    throw beyond('agent-day-bookings', bookingsOfDay, aDayAfter(ofDay.oldest), {
      detail: 'bookings were made within 24 hours, with those that were cancelled',
    });
}

function beyond(bound: string, limit: number, waitMs: number, { detail }: { detail: string }): DomainError {
  return new DomainError('QUOTA_EXCEEDED', `You have reached a limit: ${limit} ${detail}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    extra: { bound, limit },
  });
}
