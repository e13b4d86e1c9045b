import type { SoldByChannel } from '../../../src/kernel/rules/commands/stay.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, partsOf } from '../../../src/kernel/rules/money.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import {
  bookedNight,
  chargesDuring,
  type QuotedCharges,
  taxesByDay,
} from '../../../src/rates/rules/night-charges.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation, Source } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import type { PricedStay } from '../stay/changed-price.ts';
import { chargesNow, checkTotal, nightsAt } from '../stay/terms.ts';

/**
 * Prices a stay that a channel has sold (docs/reference/channels.md#bookings): a total has everything in it, rates of
 * nights get the property's taxes and fees on top, and without both it costs what it costs here.
 * @throws DomainError UNKNOWN_ROOM_TYPE; NO_RATE without a price of the channel; VALIDATION_FAILED for more than can be stored
 */
export function nightsSold(draft: Draft, stay: Stay, sold: SoldByChannel, plan: RatePlan): Night[] {
  if (!draft.roomTypes.has(stay.roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${stay.roomType}.`);
  const nights = pricedBy(draft, stay, sold, plan);
  checkTotal(nights);
  return nights;
}

function pricedBy(draft: Draft, stay: Stay, { total, nightly }: SoldByChannel, plan: RatePlan): Night[] {
  const days = daysOf(stay);
  if (total !== undefined) {
    const each = days.map(() => 1);
    const parts = partsOf(total, each, incrementOf(draft.property!.metadata.currency));
    return days.map((day, index) => ({ day, rate: parts[index]!, taxes: 0, fees: 0 }));
  }
  if (!nightly) return nightsAt(draft, { stay, override: { reason: 'sold by a channel' } }, plan);
  const charges = chargesDuring(chargesNow(draft), stay);
  return days.map((day, index) => bookedNight(stay, day, nightly[index]!, charges));
}

/** Charges on the nights of a stay that a channel has sold: none on a total, also when the desk changes the stay. */
export function chargesSold(charges: QuotedCharges, { total }: SoldByChannel): QuotedCharges {
  if (total === undefined) return charges;
  return { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0, currency: charges.currency };
}

/** The changed stay of a channel at its price. */
export function pricedByChannel(draft: Draft, stay: Stay, sold: SoldByChannel, plan: RatePlan): PricedStay {
  const charges = chargesSold(chargesDuring(chargesNow(draft), stay), sold);
  return {
    nights: nightsSold(draft, stay, sold, plan),
    basis: undefined,
    promoCode: undefined,
    taxedBy: taxesByDay(stay, () => charges),
  };
}

/**
 * The source of a reservation with the nights that were sold out when the channel sold them; nights that it has already
 * (`before`) stay as they were.
 */
export function sourceOfSold(
  draft: Draft,
  stay: Stay,
  { message }: SoldByChannel,
  source: Source,
  before?: Pick<Reservation, 'stay' | 'source'>,
): Source {
  const { overbooked: _, ...others } = source;
  const was = before?.stay.roomType === stay.roomType ? before : undefined;
  const overbooked = daysOf(stay).filter((day) =>
    was && day >= was.stay.checkIn && day < was.stay.checkOut
      ? was.source.overbooked?.includes(day)
      : isSoldOut(draft, stay.roomType, day),
  );
  return { ...others, message, ...(overbooked.length > 0 && { overbooked }) };
}

function isSoldOut(draft: Draft, roomType: string, day: Day): boolean {
  const slab = draft.slab(roomType);
  return !!slab?.has(day) && slab.free(day, draft.property!.metadata.policies.overbookingLimit) < 1;
}
