import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../../src/kernel/rules/property-time.ts';
import { departureOf, nightsOfStay } from '../../../../src/kernel/rules/stay-days.ts';
import { totals } from '../../../../src/money/rules/night.ts';
import { namedLines } from '../../../../src/money/rules/taxes.ts';
import { quotedTaxes } from '../../../../src/rates/rules/night-charges.ts';
import { partyOf } from '../../../../src/rates/rules/stay.ts';
import type { holdAnswer } from '../../../../src/stay/contracts/hold-answers.ts';
import {
  type ExplicitHold,
  heldNights,
  type Hold,
  holdStatus,
  promisedRates,
} from '../../../../src/stay/rules/hold.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A hold that has just ended: none of its rooms is left. */
export function releasedHold(found: Hold, propertyId: PropertyId): AnswerOf<typeof holdAnswer> {
  return { ...renderHold(found, propertyId), status: 'RELEASED' };
}

/**
 * A client's hold with the price of one of its rooms (docs/reference/reservations.md#holds). Kept answers say what was
 * true when it was made.
 */
export function renderHold(found: Hold, propertyId: PropertyId, now?: Instant): AnswerOf<typeof holdAnswer> {
  // Clients' holds alone are found under an id of theirs, and those have terms.
  const hold = found as ExplicitHold;
  const { id, roomType, checkIn, checkOut, rooms, expiresAt, createdAt, terms } = hold;
  const { currency, rateCode, extended } = terms;
  const days = { checkIn, checkOut, dayUse: terms.dayUse };
  const nights = heldNights(hold, promisedRates(hold, terms), terms);
  const { total } = totals(nights);
  const { taxes, fees, lines } = quotedTaxes(nights);
  const totalRate: Minor = total - taxes - fees;
  return {
    holdId: id,
    propertyId,
    roomType,
    rateCode,
    checkIn,
    checkOut: departureOf(days),
    ...(terms.dayUse && { dayUse: true }),
    nights: nightsOfStay(days),
    ...partyOf(terms),
    rooms: terms.rooms,
    remainingRooms: rooms,
    status: holdStatus(hold, now),
    expiresAt,
    extended,
    price: {
      totalRate,
      taxes,
      fees,
      taxLines: namedLines(lines),
      totalAmount: total,
      currency,
    },
    createdAt,
  };
}
