import { isDeepStrictEqual } from 'node:util';

import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay, WEEKDAYS, weekdayIndex } from '../../../src/kernel/rules/dates.ts';
import { type Code, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { checkNights } from '../../../src/kernel/rules/sale-window.ts';
import type { StayLimits } from '../../../src/rates/rules/queries.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { changedRestriction, type Restriction } from '../../../src/rates/rules/restriction.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { fewRuns, type NightRun, runsOf } from '../runs.ts';
import { saleWindow, type State } from '../state.ts';
import { type Nights, whatIsNew } from '../stay/stay-rules.ts';

/** What a check reads: both a state and a draft have it. */
type Sold = Pick<State, 'restrictions' | 'today'>;

/** Nights of a plan in a type that one command may set, so that its rows fit well into one call. */
const MOST_CELLS = 10_000;

/** Sets or removes restrictions over a period (docs/reference/rates.md#restrictions). */
export function decideSetRestrictions(
  draft: Draft,
  command: CommandOf<'SET_RESTRICTIONS'>,
  context: DecisionContext,
): Decision<'SET_RESTRICTIONS'> {
  const { rateCode, roomType, start, end, weekdays, change } = command;
  checkNights(saleWindow(draft), command);
  if (rateCode !== undefined && !draft.plans.has(rateCode))
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  if (roomType !== undefined && !draft.roomTypes.has(roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  const days = Array.from({ length: end - start + 1 }, (_, index) => start + index).filter(
    (day) => !weekdays || weekdays.includes(WEEKDAYS[weekdayIndex(day)]!),
  );
  const codes = rateCode === undefined ? [...draft.plans.keys()] : [rateCode];
  const types = roomType === undefined ? [...draft.roomTypes.keys()] : [roomType];
  const cells = codes.length * types.length * days.length;
  if (cells > MOST_CELLS)
    throw new DomainError(
      'VALIDATION_FAILED',
      `${cells} nights of plans and types at once; at most ${MOST_CELLS}: name a type or a plan, or fewer nights.`,
      { errors: [{ pointer: '/endDate', code: 'TOO_MANY_NIGHTS', detail: `at most ${MOST_CELLS} in all` }] },
    );
  const was: NightRun<{ rateCode: string; roomType: string; restriction: Restriction }>[] = [];
  for (const code of codes)
    for (const type of types) {
      const before = draft.restrictions.get(code)?.get(type);
      was.push(...runsOf(days, (day) => ruleOf(code, type, before?.get(day))));
      const after = new Map(before);
      const made = new Map<Restriction | undefined, Restriction | undefined>();
      for (const day of days) {
        const old = before?.get(day);
        // Equal days share one object: a year under the same restriction needs one.
        if (!made.has(old)) made.set(old, changedRestriction(old, change));
        const next = made.get(old);
        if (next) after.set(day, next);
        else after.delete(day);
      }
      draft.putRestrictions(code, type, after, days);
    }
  const after = { rateCode, roomType, start, end, weekdays, change };
  return {
    result: { cells, updatedAt: context.now },
    entity: rateCode ?? 'all',
    facts: { setup: [{ kind: 'restrictions', id: rateCode ?? 'all', before: fewRuns(was), after }] },
  };
}

const ruleOf = (rateCode: string, roomType: string, restriction: Restriction | undefined) =>
  restriction && { rateCode, roomType, restriction };

/**
 * Gives a new plan the restrictions that all other plans have: a stop of all sales should also cover the next plan.
 */
export function restrictAsAll(draft: Draft, rateCode: string): void {
  const [first, ...others] = [...draft.plans.keys()].filter((code) => code !== rateCode);
  if (first === undefined) return;
  for (const [roomType, days] of draft.restrictions.get(first) ?? []) {
    const ofAll = new Map(
      [...days].filter(([day, rule]) =>
        others.every((code) => isDeepStrictEqual(draft.restrictions.get(code)?.get(roomType)?.get(day), rule)),
      ),
    );
    if (ofAll.size > 0) draft.putRestrictions(rateCode, roomType, ofAll, [...ofAll.keys()]);
  }
}

/**
 * Refuses a stay that a restriction of its plan forbids, naming the first such day. For a changed reservation only the
 * changed parts are checked: `current` is its stay.
 * @throws DomainError STOP_SELL, CLOSED_TO_ARRIVAL, CLOSED_TO_DEPARTURE, MIN_STAY, MAX_STAY, MIN_ADVANCE, MAX_ADVANCE
 */
export function checkRestrictions(sold: Sold, plan: RatePlan, stay: Nights, current?: Nights): void {
  const days = sold.restrictions.get(plan.code)?.get(stay.roomType);
  if (!days) return;
  const { checkIn, checkOut } = stay;
  const changed = whatIsNew(stay, current);
  if (changed.arrival) checkArrival(days.get(checkIn), stay, sold.today);
  for (let day = checkIn; day < checkOut; day++) {
    const rule = days.get(day);
    if (rule?.stopSell && changed.night(day)) refuse('STOP_SELL', `Sales are stopped for the night of`, day);
    if (rule && changed.length) checkThrough(rule, stay, day);
  }
  if (changed.departure && days.get(checkOut)?.closedToDeparture)
    refuse('CLOSED_TO_DEPARTURE', 'Nobody departs on', checkOut);
}

function checkArrival(rule: Restriction | undefined, { checkIn, checkOut }: Nights, today: Day): void {
  if (!rule) return;
  const nights = checkOut - checkIn;
  const { minStayArrival = 0, maxStayArrival = Infinity, minAdvance = 0, maxAdvance = Infinity } = rule;
  if (rule.closedToArrival) refuse('CLOSED_TO_ARRIVAL', 'Nobody arrives on', checkIn);
  if (nights < minStayArrival) refuse('MIN_STAY', `At least ${minStayArrival} nights for an arrival on`, checkIn);
  if (nights > maxStayArrival) refuse('MAX_STAY', `At most ${maxStayArrival} nights for an arrival on`, checkIn);
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
  const days = restrictions.get(plan.code)?.get(stay.roomType);
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
export function strictest(all: readonly StayLimits[], otherwise: StayLimits): StayLimits {
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
