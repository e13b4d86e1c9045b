import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { NightRate } from '../../../src/kernel/rules/commands/rates.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { saleWindow } from '../state.ts';
import { checkUnmoved, costOf, priceAt, pricingOfBar, rateFacts } from './night-price.ts';

/**
 * Sets what single nights cost under the best available rate (docs/reference/rates.md#rates-of-nights): all of them, if
 * each still costs what the command says. Rules of the plan hold: a night that may not cost so little or so much gets the
 * nearest price, which the answer names. A locked rate is set too: the lock is for optimizations.
 * @throws DomainError RATES_MOVED, UNKNOWN_RATE_CODE, UNKNOWN_ROOM_TYPE, VALIDATION_FAILED for nights out of the sale window
 */
export function decideSetNightRates(
  draft: Draft,
  { rateId, nights }: CommandOf<'SET_NIGHT_RATES'>,
  context: DecisionContext,
): Decision<'SET_NIGHT_RATES'> {
  checkCells(draft, nights);
  const pricing = pricingOfBar(draft);
  const before = nights.map((night) => costOf(draft, pricing, night));
  checkUnmoved(nights, before);
  for (const night of nights) priceAt(draft, pricing, night, night.to);
  const changes = nights.map(({ roomType, day }, index) => {
    return { roomType, day, from: before[index]!, to: costOf(draft, pricing, { roomType, day }) };
  });
  return {
    result: { rateId, changes, updatedAt: context.now },
    entity: rateId,
    facts: { rates: rateFacts(rateId, changes) },
  };
}

function checkCells(draft: Draft, nights: readonly NightRate[]): void {
  const { businessDate, lastNight } = saleWindow(draft);
  const errors = nights.flatMap(({ roomType, day }, index) => {
    if (!draft.slab(roomType))
      throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
    const pointer = `/nights/${index}/date`;
    if (day < businessDate)
      return { pointer, code: 'IN_THE_PAST', detail: `is before the business date ${formatDay(businessDate)}` };
    if (day > lastNight)
      return { pointer, code: 'TOO_FAR', detail: `is after the last night on sale ${formatDay(lastNight)}` };
    return [];
  });
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'Some nights are not on sale.', { errors });
}
