import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import { guestChangesUntil } from '../../stay/rules/cancellation.ts';
import { guaranteeOf } from '../../stay/rules/guarantee.ts';
import { canCheckInOnline } from '../../stay/rules/online-check-in.ts';
import { allows } from '../../stay/rules/reservation-states.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

/** What guests do by themselves with a stay (docs/guide/my-stay.md#my-stay). */
export type StayDeed = 'DATES' | 'CANCEL' | 'EXTRAS' | 'CHECK_IN';

type StayRefusal = 'INVALID_STATE' | 'MODIFICATION_DEADLINE';

type OfStay = {
  reservation: Reservation;
  property: Pick<Property, 'metadata'>;
  /** Where the tenant sells nothing at the moment. */
  isSelling?: false;
  now: Instant;
};

/**
 * Who changes and cancels a stay in place of its guest: the channel that has sold it, or the hotel for who has agreed it,
 * as a group or a company. `undefined` where the guest does.
 */
export function managedBy({ reservation, property }: OfStay): 'CHANNEL' | 'HOTEL' | undefined {
  const { source, groupId } = reservation;
  const { kind } = guaranteeOf(reservation, property.metadata.policies);
  if (source.channel === 'OTA' || source.collectedBy === 'CHANNEL' || kind === 'CHANNEL') return 'CHANNEL';
  return groupId !== undefined || kind === 'COMPANY' ? 'HOTEL' : undefined;
}

/** Amounts of the guest's part of the bill. */
export type StayBill = { total: Minor; paid: Minor; open: Minor };

/** A bill with what the card on file is still charged for the end of the stay. */
export function withOwed(
  { total, paid, open }: StayBill,
  { cancellation }: Pick<Reservation, 'cancellation'>,
): StayBill {
  const owed = cancellation?.owed?.amount ?? 0;
  return { total: total + owed, paid, open: open + owed };
}

/**
 * Why the page does not offer something to the guest; the operation decides again. A step that can only refuse is not
 * offered.
 * @param today business date
 */
export function refusalOf(deed: StayDeed, of: OfStay, today: Day): StayRefusal | undefined {
  if (!isPossible(deed, of, today)) return 'INVALID_STATE';
  const { reservation, property, now } = of;
  const isLate = deed === 'DATES' && now > guestChangesUntil(reservation.stay.checkIn, property.metadata);
  return isLate ? 'MODIFICATION_DEADLINE' : undefined;
}

function isPossible(deed: StayDeed, of: OfStay, today: Day): boolean {
  const { reservation } = of;
  switch (deed) {
    case 'DATES':
      if (of.isSelling === false || reservation.status === 'CHECKED_IN') return false;
      return allows(reservation.status, 'modify') && !managedBy(of);
    case 'CANCEL':
      return allows(reservation.status, 'cancel') && !managedBy(of);
    case 'EXTRAS':
      if (of.isSelling === false) return false;
      return reservation.status !== 'PENDING' && allows(reservation.status, 'post');
    case 'CHECK_IN':
      return canCheckInOnline(reservation, today);
  }
}
