import { canonical } from '../../src/kernel/rules/canonical.ts';
import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { ExternalRateChange } from '../../src/kernel/rules/journal.ts';
import { MAX_AMOUNT } from '../../src/kernel/rules/money.ts';
import type { RatePlan } from '../../src/rates/rules/rate-plan.ts';
import type { StoredRate, StoredRates } from '../../src/rates/rules/stored-rates.ts';
import { isValidPlan, isWithin } from '../../src/rates/rules/valid-plan.ts';
import type { Decision } from './decision.ts';
import type { Draft } from './draft.ts';
import { showRepriced } from './rates/rate-plans.ts';
import type { Slab } from './slab.ts';

/** 99.99 in hundredths: the largest value of `numeric(4, 2)`. */
const MAX_MULTIPLIER = 9_999;
/** The largest season amount that a slab can hold. */
const MAX_SEASON_AMOUNT = 0x7fff_ffff;

/**
 * Loads rates and plans that were written externally (docs/concepts/actor.md#rate-freshness). They are in the database
 * already: the command publishes them and adds them to the journal, but does not write them. A night without a row has
 * no rate.
 * @throws DomainError RATES_MOVED when a command of this property changed rates after the rows were read, which lack
 * that change; VALIDATION_FAILED when a row is invalid: nothing is loaded then
 */
export function decideReload(draft: Draft, { stored, unseen }: CommandOf<'RELOAD'>): Decision<'RELOAD'> {
  if (draft.changesRates || draft.base.ratesSeq > stored.seq)
    throw new DomainError('RATES_MOVED', 'Rates were set after these were read.');
  const { refused } = validateStoredRates(stored);
  if (refused.length > 0) throw new DomainError('VALIDATION_FAILED', `${refused.length} wrong: ${refused[0]}.`);
  const before = draft.plans;
  draft.plans = new Map(stored.plans.map((plan) => [plan.code, plan]));
  draft.reloaded = { rateVersion: stored.version, ratesAhead: areAhead(stored.rates, draft.slabs) };
  const plans = changedPlans(before, draft.plans);
  const rows = Map.groupBy(stored.rates, ({ roomType }) => roomType);
  const nights: ExternalRateChange['nights'] = [];
  for (const [roomType, slab] of draft.slabs) {
    // Cached prices of the slab belong to the old plans.
    const fresh = slab.moved(slab.first, slab.nights);
    const rates = new Map(rows.get(roomType)?.map((rate) => [rate.day, rate]));
    const changed = applyStoredRates(fresh, slab, rates);
    if (unseen) for (let day = slab.first; slab.has(day); day++) draft.show(roomType, day);
    if (changed.length === 0 && plans.length === 0) continue;
    draft.putSlab(roomType, fresh);
    for (const day of changed) nights.push([roomType, day, slab.base(day), fresh.base(day)]);
    for (const day of changed) draft.show(roomType, day);
    showRepriced(draft, roomType, slab, before);
  }
  const { version } = stored;
  return {
    result: { version, nights: nights.length, plans: plans.length },
    entity: 'rates',
    facts: { foreign: { version, nights, plans } },
  };
}

/** Whether rates are stored for nights that have no cell yet. */
export function areAhead(rates: readonly StoredRate[], slabs: ReadonlyMap<string, Slab>): boolean {
  return rates.some(({ roomType, day }) => {
    const slab = slabs.get(roomType);
    return !slab || day >= slab.first + slab.nights;
  });
}

/** Sets the stored rate of every night. @returns the nights whose rate changed */
function applyStoredRates(fresh: Slab, slab: Slab, rates: ReadonlyMap<Day, StoredRate>): Day[] {
  const changed: Day[] = [];
  for (let day = slab.first; slab.has(day); day++) {
    const { rate, multiplier, amount } = rates.get(day) ?? { rate: -1, multiplier: 100, amount: 0 };
    if (slab.base(day) === rate && slab.multiplier(day) === multiplier && slab.amount(day) === amount) continue;
    fresh.setRate(day, rate, multiplier, amount);
    changed.push(day);
  }
  return changed;
}

function changedPlans(
  before: ReadonlyMap<string, RatePlan>,
  after: ReadonlyMap<string, RatePlan>,
): ExternalRateChange['plans'] {
  const codes = [...new Set([...before.keys(), ...after.keys()])];
  return codes
    .filter((code) => canonical(before.get(code)) !== canonical(after.get(code)))
    .map((code) => ({ code, before: before.get(code) ?? null, after: after.get(code) ?? null }));
}

/** Valid rows, and what is wrong with each of the others: anybody may have written them. */
export function validateStoredRates({ plans, rates }: Pick<StoredRates, 'plans' | 'rates'>): {
  plans: RatePlan[];
  rates: StoredRate[];
  refused: string[];
} {
  const badPlans = plans.filter((plan) => !isValidPlan(plan));
  const badRates = rates.filter((rate) => !isRate(rate));
  const refused = [
    ...badPlans.map((plan) => `plan ${plan.code}: ${JSON.stringify(plan)}`),
    ...badRates.map((rate) => `night ${rate.day} of ${rate.roomType}: ${JSON.stringify(rate)}`),
  ];
  if (refused.length === 0) return { plans, rates, refused };
  return { plans: plans.filter(isValidPlan), rates: rates.filter(isRate), refused };
}

/** The same limits as for commands: a price is above zero. */
function isRate({ day, rate, multiplier, amount }: StoredRate): boolean {
  return (
    Number.isInteger(day) &&
    [rate, multiplier, amount].every(Number.isSafeInteger) &&
    isWithin(rate, 1, MAX_AMOUNT) &&
    isWithin(multiplier, 0, MAX_MULTIPLIER) &&
    isWithin(amount, -MAX_SEASON_AMOUNT, MAX_SEASON_AMOUNT)
  );
}
