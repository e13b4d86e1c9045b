import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { PriceChange } from '../../../src/kernel/rules/commands/rates.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { costOf, priceAt, pricingOfBar } from './night-price.ts';

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
  const costs = (night: PriceChange): Minor | null => costOf(draft, pricing, night);
  const isLocked = ({ roomType, day }: PriceChange): boolean =>
    rulesOf(draft.restrictions, BAR, roomType)?.get(day)?.rateLocked ?? false;
  const nights = command.nights.filter((night) => !isLocked(night) && night.to !== costs(night));
  checkUnmoved(nights, costs);
  for (const night of nights) priceAt(draft, pricing, night, night.to!);
  const moved = nights.map(({ roomType, day, from, to }) => [roomType, day, from, to] as const);
  return {
    result: { affectedDates: new Set(nights.map(({ day }) => day)).size, implementedAt: context.now },
    entity: optimizationId,
    facts: { rates: { rateId: optimizationId, nights: moved.map((night) => [...night]) } },
  };
}

/**
 * Checks that nights cost what somebody has seen before he changed them.
 * @throws DomainError RATES_MOVED with each that does not
 */
export function checkUnmoved<T extends { roomType: string; day: Day; from: Minor | null }>(
  nights: readonly T[],
  costs: (night: T) => Minor | null,
): void {
  const changed = nights.flatMap((night) => {
    const { roomType, day, from } = night;
    const now = costs(night);
    // oxlint-disable-next-line unicorn/no-thenable -- its name on the wire
    return now === from ? [] : [{ roomType, date: formatDay(day), then: decimal(from), now: decimal(now) }];
  });
  if (changed.length === 0) return;
  throw new DomainError('RATES_MOVED', `${changed.length} nights cost something else by now.`, {
    extra: { changed },
  });
}

const decimal = (amount: Minor | null): number | null => (amount === null ? null : amount / 100);
