import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { Instant } from '../../../../src/kernel/rules/property-time.ts';
import { totals } from '../../../../src/money/rules/night.ts';
import {
  type ExplicitHold,
  heldNights,
  type Hold,
  holdStatus,
  promisedRates,
} from '../../../../src/stay/rules/hold.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from './reservation.ts';

/** A hold that has just ended: none of its rooms is left. */
export function releasedHold(found: Hold, propertyId: string): Record<string, unknown> {
  return { ...renderHold(found, propertyId), status: 'RELEASED' };
}

/**
 * A client's hold with the price of one of its rooms (docs/reference/reservations.md#holds). Kept answers say what was
 * true when it was made.
 */
export function renderHold(found: Hold, propertyId: string, now?: Instant): Record<string, unknown> {
  // Clients' holds alone are found under an id of theirs, and those have terms.
  const hold = found as ExplicitHold;
  const { id, roomType, checkIn, checkOut, rooms, expiresAt, createdAt, terms } = hold;
  const { adults, children, currency, rateCode, extended } = terms;
  const persons = adults + children;
  const { base, taxes, fees, total } = totals(heldNights(hold, promisedRates(hold, persons), persons));
  return {
    holdId: id,
    propertyId,
    roomType,
    rateCode,
    checkIn: formatDay(checkIn),
    checkOut: formatDay(checkOut),
    nights: checkOut - checkIn,
    adults,
    children,
    rooms: terms.rooms,
    remainingRooms: rooms,
    status: holdStatus(hold, now),
    expiresAt: iso(expiresAt),
    extended,
    price: {
      totalRate: wireMoney(base),
      taxes: wireMoney(taxes),
      fees: wireMoney(fees),
      totalAmount: wireMoney(total),
      currency,
    },
    createdAt: iso(createdAt),
  };
}
