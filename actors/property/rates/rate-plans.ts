import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Day } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { policyNamed } from '../../../src/properties/rules/cancellation-policy.ts';
import { BAR, lineageOf, MAX_LEVELS, planVersion, type RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Decision } from '../decision.ts';
import type { Draft } from '../draft.ts';
import type { Slab } from '../slab.ts';
import type { State } from '../state.ts';
import { nightUnder, pricingOf } from './plans.ts';
import { restrictAsAll } from './set-restrictions.ts';

/** Plans of one property: a bound for its memory, which caches priced nights of each. */
const MAX_PLANS = 100;

/**
 * Creates or replaces a rate plan (docs/reference/rates.md#rate-plans). It prices from the next quote on.
 * @throws DomainError RATE_PLAN_NOT_FOUND, STALE_VERSION, ALREADY_EXISTS, VALIDATION_FAILED
 */
export function decidePutRatePlan(
  draft: Draft,
  { plan, mode, ifVersion }: CommandOf<'PUT_RATE_PLAN'>,
): Decision<'PUT_RATE_PLAN'> {
  const before = planById(draft, plan.id);
  const named = draft.plans.get(plan.code);
  if (mode === 'replace' && !before)
    throw new DomainError('RATE_PLAN_NOT_FOUND', 'The property has no such rate plan.');
  if (mode === 'replace' && before) mustBeAt(before, ifVersion);
  if (named && (mode === 'create' || named !== before))
    throw new DomainError('ALREADY_EXISTS', `The property has a rate plan ${plan.code}.`);
  if (before && before.code !== plan.code) throw wrong('/code', 'FIXED', 'of a plan never changes');
  if (!before && draft.plans.size >= MAX_PLANS)
    throw wrong('/propertyId', 'TOO_MANY', `has ${MAX_PLANS} rate plans, which is the most`);
  checkPlace(draft, plan);
  checkTypes(
    draft,
    '/rules/dayUse',
    plan.dayUse?.map(({ roomType }) => roomType),
    '/roomType',
  );
  // A type that it named before may be deleted by now.
  const known = before?.roomTypes ?? [];
  checkTypes(
    draft,
    '/roomTypes',
    plan.roomTypes?.map((roomType) => (known.includes(roomType) ? undefined : roomType)),
  );
  checkOccupancyPricing(draft, plan, before);
  if (!policyNamed(plan.cancellationPolicy, draft.property!.metadata.policies))
    throw wrong('/cancellationPolicy', 'UNKNOWN_POLICY', 'is no policy of the property');
  draft.putPlan(plan);
  if (!before) restrictAsAll(draft, plan.code);
  priceAnew(draft);
  return {
    result: plan,
    entity: plan.id,
    facts: { setup: [{ kind: 'plan', id: plan.code, ...(before && { before }), after: plan }] },
  };
}

/** Removes a plan; existing reservations under it stay as they are. */
export function decideRemoveRatePlan(
  draft: Draft,
  { planId, ifVersion }: CommandOf<'REMOVE_RATE_PLAN'>,
): Decision<'REMOVE_RATE_PLAN'> {
  const plan = planById(draft, planId);
  if (!plan) throw new DomainError('RATE_PLAN_NOT_FOUND', 'The property has no such rate plan.');
  mustBeAt(plan, ifVersion);
  if (plan.code === BAR) throw new DomainError('INVALID_STATE', 'Every property sells at its best available rate.');
  const child = [...draft.plans.values()].find(({ parentCode }) => parentCode === plan.code);
  if (child) throw new DomainError('INVALID_STATE', `The plan ${child.code} is derived from it.`);
  draft.removePlan(plan);
  return {
    result: null,
    entity: planId,
    facts: { setup: [{ kind: 'plan', id: plan.code, before: plan, after: null }] },
  };
}

function mustBeAt(plan: RatePlan, ifVersion: number | undefined): void {
  const version = planVersion(plan);
  if (ifVersion !== undefined && ifVersion !== version)
    throw new DomainError('STALE_VERSION', `The rate plan is at version ${version}.`);
}

/** Checks that the property has these room types; undefined stands for any. */
function checkTypes(draft: Draft, at: string, types: readonly (string | undefined)[] = [], member = ''): void {
  types.forEach((roomType, index) => {
    if (roomType !== undefined && !draft.roomTypes.has(roomType))
      throw wrong(`${at}/${index}${member}`, 'UNKNOWN_ROOM_TYPE', 'is no room type of the property');
  });
}

/** Checks that prices by guests are of room types that the plan sells, and of age bands of the property. */
function checkOccupancyPricing(draft: Draft, plan: RatePlan, before: RatePlan | undefined): void {
  const { occupancyPricing = [], roomTypes } = plan;
  const known = new Set(before?.occupancyPricing?.map(({ roomType }) => roomType));
  const wanted = occupancyPricing.map(({ roomType }) => (known.has(roomType) ? undefined : roomType));
  checkTypes(draft, '/occupancyPricing', wanted, '/roomType');
  const bands = new Set(draft.property!.metadata.policies.ageBands.map(({ code }) => code));
  for (const [index, { roomType, bands: amounts }] of occupancyPricing.entries()) {
    const at = `/occupancyPricing/${index}`;
    if (roomType !== undefined && roomTypes && !roomTypes.includes(roomType))
      throw wrong(`${at}/roomType`, 'NOT_SOLD', 'is no room type that the plan sells');
    checkOccupancy(draft, plan, occupancyPricing[index]!, at);
    const unknown = Object.keys(amounts).find((code) => !bands.has(code));
    if (unknown !== undefined)
      throw wrong(`${at}/bands/${unknown}`, 'UNKNOWN_BAND', 'is no age band of the property');
  }
}

/** Prices that nobody can pay are refused: for more guests than any of their room types sleeps, or for no type at all. */
function checkOccupancy(
  draft: Draft,
  { occupancyPricing = [], roomTypes }: RatePlan,
  { roomType, included }: NonNullable<RatePlan['occupancyPricing']>[0],
  at: string,
): void {
  const named = new Set(occupancyPricing.map((one) => one.roomType));
  const sold = [...draft.roomTypes.values()].filter(
    ({ roomType: type }) =>
      (roomTypes?.includes(type) ?? true) && (roomType === undefined ? !named.has(type) : type === roomType),
  );
  if (draft.roomTypes.size === 0) return;
  if (sold.length === 0) throw wrong(at, 'NOT_SOLD', 'is for no room type: each has prices of its own');
  if (sold.every(({ maxGuests }) => included > maxGuests))
    throw wrong(`${at}/included`, 'TOO_BIG', 'is more guests than any of its room types sleeps');
}

function planById(draft: Draft, id: string): RatePlan | undefined {
  return [...draft.plans.values()].find((plan) => plan.id === id);
}

/**
 * Checks the place of a plan: BAR is the root of all prices, and plans are derived two levels deep, without cycles.
 */
function checkPlace(draft: Draft, plan: RatePlan): void {
  if (plan.code === BAR && plan.status !== 'ACTIVE') throw wrong('/status', 'NOT_SOLD', 'of BAR is ACTIVE');
  if (plan.code === BAR && plan.roomTypes !== undefined)
    throw wrong('/roomTypes', 'ALL_TYPES', 'is not for BAR: every room type is sold at it');
  if (plan.code === BAR && plan.parentCode !== undefined)
    throw wrong('/parentCode', 'NO_PARENT', 'is not for BAR: all prices start from it');
  if (plan.parentCode !== undefined && !draft.plans.has(plan.parentCode))
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${plan.parentCode}.`);
  const after = new Map(draft.plans).set(plan.code, plan);
  for (const one of after.values()) {
    const top = lineageOf(after, one).at(-1)!;
    if (top.parentCode !== undefined && after.has(top.parentCode))
      throw wrong('/parentCode', 'TOO_DEEP', `leads in a circle, or over more than ${MAX_LEVELS} levels`);
    if (one.parentCode !== undefined && soldTypes(draft, lineageOf(after, one)).length === 0)
      throw wrong(
        '/roomTypes',
        'NOT_SOLD',
        `leave the plan ${one.code} nothing to sell: it sells what its parent does`,
      );
  }
}

/** Room types that each plan of a lineage sells. */
function soldTypes(draft: Draft, lineage: readonly RatePlan[]): string[] {
  if (draft.roomTypes.size === 0) return [BAR];
  return [...draft.roomTypes.keys()].filter((type) =>
    lineage.every(({ roomTypes }) => roomTypes?.includes(type) ?? true),
  );
}

function wrong(pointer: string, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The rate plan cannot be so.', { errors: [{ pointer, code, detail }] });
}

/** Drops cached prices of the old plans, and publishes changed prices to dashboards. */
function priceAnew(draft: Draft): void {
  for (const [roomType, slab] of draft.slabs) {
    draft.putSlab(roomType, slab.moved(slab.first, slab.nights));
    showRepriced(draft, roomType, slab, draft.base.plans);
  }
}

/** Publishes nights whose BAR price has changed to dashboards. */
export function showRepriced(draft: Draft, roomType: string, before: Slab, plans: State['plans']): void {
  const after = draft.slab(roomType)!;
  const { metadata } = draft.property!;
  const price = (cells: Slab, day: Day, among: State['plans']): number | undefined => {
    const bar = among.get(BAR);
    return bar && nightUnder(cells, day, pricingOf(among, bar), metadata)?.rate;
  };
  for (let day = Math.max(before.first, after.first); before.has(day) && after.has(day); day++)
    if (price(before, day, plans) !== price(after, day, draft.plans)) draft.show(roomType, day);
}
