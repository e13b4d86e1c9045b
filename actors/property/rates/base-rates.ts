import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import { type Day, WEEKDAYS, weekdayIndex } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { checkNights } from '../../../src/kernel/rules/sale-window.ts';
import { nightPrice, type PricedCell } from '../../../src/rates/rules/pricing.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import type { Slab } from '../slab.ts';
import { saleWindow } from '../state.ts';
import { rateFacts } from './night-price.ts';
import { cellOf, hasRate, nightUnder, pricingOf, usualTerms } from './plans.ts';

/** A night after the command; a base rate of -1 means none. */
type Night = { day: Day; base: Minor; multiplier: number; amount: Minor };

/**
 * Sets base rates and seasons (docs/reference/rates.md#base-rates). Weekdays that are not named, and nights in no
 * named season, keep their values. A season replaces the multiplier and never compounds, so the same body twice gives
 * the same prices. A season on a night without a rate is ignored: there is nothing to multiply.
 */
export function decideSetBaseRates(
  draft: Draft,
  command: CommandOf<'SET_BASE_RATES'>,
  context: DecisionContext,
): Decision<'SET_BASE_RATES'> {
  const { rateId, roomType, start, dryRun } = command;
  const slab = draft.slab(roomType);
  if (!slab) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  checkNights(saleWindow(draft), command, { start: { pointer: '/effectiveDate' }, end: { pointer: '/endDate' } });
  const nights = nightsAfter(slab, command);
  const changes = nights.map((night) => priceChange(draft, roomType, slab, night));
  const result = { rateId, start, affectedDates: nights.length, updatedAt: context.now };
  if (dryRun) return { result: { ...result, changes }, entity: rateId, facts: {}, dryRun: true };
  for (const { day, base, multiplier, amount } of nights)
    if (base >= 0) draft.setRate(roomType, day, base, multiplier, amount);
  return { result, entity: rateId, facts: { rates: rateFacts(rateId, changes) } };
}

function nightsAfter(slab: Slab, { start, end, rates, seasons }: CommandOf<'SET_BASE_RATES'>): Night[] {
  const named = new Map(rates.map(({ weekday, rate }) => [WEEKDAYS.indexOf(weekday), rate]));
  const nights: Night[] = [];
  for (let day = start; day <= end; day++) {
    const season = seasons.find((one) => day >= one.start && day <= one.end);
    const rate = named.get(weekdayIndex(day));
    if (rate === undefined && !season) continue;
    const { multiplier, amount } = season ?? { multiplier: slab.multiplier(day), amount: slab.amount(day) };
    nights.push({ day, base: rate ?? slab.base(day), multiplier, amount });
  }
  return nights;
}

/** The BAR price of a night before and after the command. */
function priceChange(draft: Draft, roomType: string, slab: Slab, night: Night): PriceChange {
  const { day } = night;
  const bar = draft.plans.get(BAR);
  if (!bar) return { roomType, day, from: null, to: null };
  const pricing = pricingOf(draft.plans, bar);
  const from = nightUnder(slab, day, pricing, draft.property!.metadata)?.rate ?? null;
  const after: PricedCell = { ...cellOf(slab, day, draft.property!.metadata.currency), ...night };
  const priced = night.base >= 0 || hasRate(slab, day, pricing);
  // A price of 0 is not sold.
  const to = priced ? nightPrice(after, pricing.lineage, usualTerms(slab, day)) || null : null;
  return { roomType, day, from, to };
}
