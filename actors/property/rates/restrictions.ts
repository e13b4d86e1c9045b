import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { type Code, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { departureOf } from '../../../src/kernel/rules/stay-days.ts';
import type { StayLimits } from '../../../src/rates/rules/queries.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Restriction } from '../../../src/rates/rules/restriction.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';
import { type Nights, whatIsNew } from '../stay/stay-rules.ts';

/** What a check reads: both a state and a draft have it. */
type Sold = Pick<State, 'restrictions' | 'today'>;

/**
 * Refuses a stay that a restriction of its plan forbids, naming the first such day. For a changed reservation only the
 * changed parts are checked: `current` is its stay.
 * @throws DomainError STOP_SELL, CLOSED_TO_ARRIVAL, CLOSED_TO_DEPARTURE, MIN_STAY, MAX_STAY, MIN_ADVANCE, MAX_ADVANCE
 */
export function checkRestrictions(sold: Sold, plan: RatePlan, stay: Nights, current?: Nights): void {
  const days = rulesOf(sold.restrictions, plan.code, stay.roomType);
  if (!days) return;
  const { checkIn, checkOut } = stay;
  const changed = whatIsNew(stay, current);
  if (changed.arrival) checkArrival(days.get(checkIn), stay, sold.today);
  for (let day = checkIn; day < checkOut; day++) {
    const rule = days.get(day);
    if (rule?.stopSell && changed.night(day)) refuse('STOP_SELL', `Sales are stopped for the night of`, day);
    if (rule && changed.length && !stay.dayUse) checkThrough(rule, stay, day);
  }
  const departure = departureOf(stay);
  if (changed.departure && days.get(departure)?.closedToDeparture)
    refuse('CLOSED_TO_DEPARTURE', 'Nobody departs on', departure);
}

function checkArrival(rule: Restriction | undefined, { checkIn, checkOut, dayUse }: Nights, today: Day): void {
  if (!rule) return;
  const nights = dayUse ? undefined : checkOut - checkIn;
  const { minStayArrival = 0, maxStayArrival = Infinity, minAdvance = 0, maxAdvance = Infinity } = rule;
  if (rule.closedToArrival) refuse('CLOSED_TO_ARRIVAL', 'Nobody arrives on', checkIn);
  if (nights !== undefined && nights < minStayArrival)
    refuse('MIN_STAY', `At least ${minStayArrival} nights for an arrival on`, checkIn);
  if (nights !== undefined && nights > maxStayArrival)
    refuse('MAX_STAY', `At most ${maxStayArrival} nights for an arrival on`, checkIn);
  if (checkIn - today < minAdvance)
    refuse('MIN_ADVANCE', `Booked at least ${minAdvance} days ahead for an arrival on`, checkIn);
  if (checkIn - today > maxAdvance)
    refuse('MAX_ADVANCE', `Booked at most ${maxAdvance} days ahead for an arrival on`, checkIn);
}

function checkThrough({ minStayThrough = 0, maxStayThrough = Infinity }: Restriction, stay: Nights, day: Day): void {
  const nights = stay.checkOut - stay.checkIn;
  if (nights < minStayThrough) refuse('MIN_STAY', `At least ${minStayThrough} nights for a stay over`, day);
  if (nights > maxStayThrough) refuse('MAX_STAY', `At most ${maxStayThrough} nights for a stay over`, day);
}

function refuse(code: Code, words: string, day: Day): never {
  const date = formatDay(day);
  throw new DomainError(code, `${words} ${date}.`, { date });
}

/** The strictest limits of plan and restrictions for a stay (docs/reference/rates.md#quote). */
export function stayLimitsOf(
  { restrictions }: Pick<State, 'restrictions'>,
  plan: RatePlan,
  stay: Nights,
): StayLimits {
  const limits = {
    minimumStay: plan.minLengthOfStay,
    maximumStay: plan.maxLengthOfStay,
    advanceBooking: plan.minAdvanceBooking,
  };
  const days = rulesOf(restrictions, plan.code, stay.roomType);
  if (!days) return limits;
  const arrival = days.get(stay.checkIn);
  tighten(limits, arrival?.minStayArrival, arrival?.maxStayArrival);
  limits.advanceBooking = Math.max(limits.advanceBooking, arrival?.minAdvance ?? 0);
  for (let day = stay.checkIn; day < stay.checkOut; day++) {
    const rule = days.get(day);
    tighten(limits, rule?.minStayThrough, rule?.maxStayThrough);
  }
  return limits;
}

function tighten(limits: StayLimits, least = 0, most = Infinity): void {
  limits.minimumStay = Math.max(limits.minimumStay, least);
  limits.maximumStay = Math.min(limits.maximumStay, most);
}

/** The strictest limits of several rates. */
export function strictestLimits(all: readonly StayLimits[], otherwise: StayLimits): StayLimits {
  const [first, ...others] = all;
  if (!first) return otherwise;
  if (others.every((limits) => limits === first)) return first;
  const strict = { ...first };
  for (const { minimumStay, maximumStay, advanceBooking } of others) {
    tighten(strict, minimumStay, maximumStay);
    strict.advanceBooking = Math.max(strict.advanceBooking, advanceBooking);
  }
  return strict;
}

/** Drops restrictions of past days from memory; their rows stay. */
export function forgetRestrictions(draft: Draft): void {
  for (const [code, types] of draft.restrictions)
    for (const [type, days] of types)
      if ([...days.keys()].some((day) => day < draft.today))
        draft.putRestrictions(code, type, new Map([...days].filter(([day]) => day >= draft.today)), []);
}
