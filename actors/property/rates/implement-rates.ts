import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { checkUnmoved, costOf, priceAt, pricingOfBar, rateFacts } from './night-price.ts';

/**
 * Makes the rates of an optimization the base rates (docs/reference/rates.md#optimization): all of them, if none has
 * changed since it was computed. A night that has the recommended price already (implemented automatically) is left as
 * it is, and so is one whose rate is locked.
 * @throws DomainError RATES_MOVED with every night whose price has changed
 */
export function decideImplementRates(
  draft: Draft,
  command: CommandOf<'IMPLEMENT_RATES'>,
  context: DecisionContext,
): Decision<'IMPLEMENT_RATES'> {
  const { optimizationId } = command;
  const pricing = pricingOfBar(draft);
  const isLocked = ({ roomType, day }: PriceChange): boolean =>
    rulesOf(draft.restrictions, BAR, roomType)?.get(day)?.rateLocked ?? false;
  const open = command.nights
    .filter((night) => !isLocked(night))
    .map((night) => ({ night, cost: costOf(draft, pricing, night) }))
    .filter(({ night, cost }) => night.to !== cost);
  const nights = open.map(({ night }) => night);
  checkUnmoved(
    nights,
    open.map(({ cost }) => cost),
  );
  for (const night of nights) priceAt(draft, pricing, night, night.to!);
  return {
    result: { affectedDates: new Set(nights.map(({ day }) => day)).size, implementedAt: context.now },
    entity: optimizationId,
    facts: { rates: rateFacts(optimizationId, nights) },
  };
}
