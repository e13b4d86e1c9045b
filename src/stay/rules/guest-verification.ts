import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Reservation } from './reservation.ts';

/**
 * Whether the front desk has checked the guest's ID (docs/reference/reservations.md#check-in-and-check-out); valid
 * while the guest is in house.
 */
type GuestVerification = {
  status: 'VERIFIED' | 'NOT_VERIFIED' | 'EXPIRED';
  method: 'ID_DOCUMENT' | null;
  verifiedAt: Instant | null;
  verifiedBy: string | null;
};

/** A check-in requires the ID check, so the check-in record says everything. */
export function verificationOf({ status, checkIn, timeline }: Reservation): GuestVerification {
  if (!checkIn) return { status: 'NOT_VERIFIED', method: null, verifiedAt: null, verifiedBy: null };
  const by = checkIn.staffMember ?? timeline.find(({ event }) => event === 'CHECKED_IN')?.by ?? null;
  const verified = { method: 'ID_DOCUMENT', verifiedAt: checkIn.at, verifiedBy: by } as const;
  return { status: status === 'CHECKED_IN' ? 'VERIFIED' : 'EXPIRED', ...verified };
}
