import type { SoldByChannel } from '../../../src/kernel/rules/commands/stay.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, type Minor, partsOf } from '../../../src/kernel/rules/money.ts';
import type { SaleWindow } from '../../../src/kernel/rules/sale-window.ts';
import { type Night, totals } from '../../../src/money/rules/night.ts';
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
import { saleWindow } from '../state.ts';
import type { PricedStay } from '../stay/changed-price.ts';
import { firstSoldOut } from '../stay/stay-rules.ts';
import { chargesNow, checkTotal, nightsAt } from '../stay/terms.ts';

/** Where a channel says the days of a stay. */
export const SOLD_FIELDS = { checkIn: { pointer: '/checkIn' }, checkOut: { pointer: '/checkOut' } };

/** Nights that a channel may sell: its guest may come after the arrival night has ended, while a night is left. */
export function windowOfSold(draft: Draft, { checkIn, checkOut }: Stay): SaleWindow {
  const { businessDate, lastNight } = saleWindow(draft);
  return { businessDate: checkOut > businessDate ? Math.min(businessDate, checkIn) : businessDate, lastNight };
}

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
  const charges = chargesDuring(chargesNow(draft), stay);
  if (total !== undefined) {
    const each = days.map(() => 1);
    const parts = partsOf(total, each, incrementOf(draft.property!.metadata.currency));
    return days.map((day, index) => nightOfGross(stay, day, parts[index]!, charges));
  }
  if (!nightly) return nightsAt(draft, { stay, override: { reason: 'sold by a channel' } }, plan);
  return days.map((day, index) => bookedNight(stay, day, nightly[index]!, charges));
}

/**
 * A night that costs so much with its taxes and fees: the greatest price that does not come to more, and the cents that
 * are left. A night that costs less than its fees has none.
 */
function nightOfGross(stay: Stay, day: Day, gross: Minor, charges: QuotedCharges): Night {
  const at = (price: Minor): { night: Night; rest: Minor } => {
    const night = bookedNight(stay, day, price, charges);
    return { night, rest: gross - totals([night]).total };
  };
  if (at(0).rest < 0) return { day, rate: gross, taxes: 0, fees: 0 };
  const step = incrementOf(charges.currency);
  let [low, high] = [0, Math.floor(gross / step)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (at(middle * step).rest >= 0) low = middle;
    else high = middle - 1;
  }
  const { night, rest } = at(low * step);
  return { ...night, rate: night.rate + rest };
}

/** The changed stay of a channel at its price. */
export function pricedByChannel(draft: Draft, stay: Stay, sold: SoldByChannel, plan: RatePlan): PricedStay {
  const charges = chargesDuring(chargesNow(draft), stay);
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
  { message, collectedBy }: SoldByChannel,
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
  return {
    ...others,
    ...(collectedBy && { collectedBy }),
    message,
    ...(overbooked.length > 0 && { overbooked }),
  };
}

function isSoldOut(draft: Draft, roomType: string, day: Day): boolean {
  const slab = draft.slab(roomType);
  const { policies } = draft.property!.metadata;
  return !!slab?.has(day) && firstSoldOut(slab, policies, day, day + 1, 1) !== undefined;
}
