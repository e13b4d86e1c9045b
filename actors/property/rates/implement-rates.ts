import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { isMoveWithin } from '../../../src/properties/rules/acceptance-rule.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { checkUnmoved, costOf, priceAt, pricingOfBar, rateFacts } from './night-price.ts';

/**
 * Makes the rates of an optimization the base rates (docs/reference/rates.md#optimization): all of them, if none has
 * changed since it was computed. A night that has the recommended price already (implemented automatically) is left as
 * it is, and so is one whose rate is locked. For a rule of the property those that it accepts are made, and nights
 * whose price has changed are left to people.
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
  if (command.byRule) return implementedByRule(draft, command, context, open);
  const nights = open.map(({ night }) => night);
  checkUnmoved(
    nights,
    open.map(({ cost }) => cost),
  );
  for (const night of nights) priceAt(draft, pricing, night, night.to!);
  return {
    result: { affectedDates: datesOf(nights), implementedAt: context.now },
    entity: optimizationId,
    facts: { rates: rateFacts(optimizationId, nights) },
  };
}

const datesOf = (nights: readonly PriceChange[]): number => new Set(nights.map(({ day }) => day)).size;

/** Makes what the rule of the property accepts at this moment; nothing, where it was switched off meanwhile. */
function implementedByRule(
  draft: Draft,
  { optimizationId }: CommandOf<'IMPLEMENT_RATES'>,
  { now }: DecisionContext,
  open: readonly { night: PriceChange; cost: Minor | null }[],
): Decision<'IMPLEMENT_RATES'> {
  const rule = draft.property!.metadata.acceptanceRule;
  const pricing = pricingOfBar(draft);
  const changes = open.flatMap(({ night, cost }) => {
    if (!rule?.enabled || cost === null || night.to === null || night.from !== cost) return [];
    const isNamed = rule.roomTypes?.includes(night.roomType) ?? true;
    const move = { from: cost, to: night.to, days: night.day - draft.today };
    return isNamed && isMoveWithin(rule, move) ? [night] : [];
  });
  const result = { affectedDates: datesOf(changes), implementedAt: now, changes };
  if (!rule || changes.length === 0) return { result, entity: optimizationId, facts: {}, dryRun: true };
  for (const night of changes) priceAt(draft, pricing, night, night.to!);
  const { upToPercent, setBy } = rule;
  const rates = { ...rateFacts(optimizationId, changes), byRule: { upToPercent, setBy } };
  return { result, entity: optimizationId, facts: { rates } };
}
