import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { PlanNight } from '../../../src/rates/rules/queries.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Restriction } from '../../../src/rates/rules/restriction.ts';
import { saleWindow, type State } from '../state.ts';
import { nightUnder, pricingOf } from './plans.ts';

/**
 * Nights of a room type under a plan as another seller has to know them, both days inclusive and within the window of
 * the property: rooms, price for two, and the limits of plan and restrictions together.
 * @returns nothing for an unknown room type; nights that are closed under an unknown plan
 */
export function planNights(
  state: State,
  { roomType, rateCode }: { roomType: string; rateCode: string },
  start: Day,
  end: Day,
): PlanNight[] {
  const slab = state.slabs.get(roomType);
  if (!slab) return [];
  const { metadata } = state.property!;
  const plan = state.plans.get(rateCode);
  const pricing = plan && pricingOf(state.plans, plan);
  const rules = plan && rulesOf(state.restrictions, rateCode, roomType);
  const nights: PlanNight[] = [];
  const last = Math.min(end, saleWindow(state).lastNight);
  for (let day = Math.max(start, state.today); day <= last; day++) {
    const available = Math.max(0, slab.free(day, metadata.policies.overbookingLimit));
    const rate = pricing ? (nightUnder(slab, day, pricing, metadata)?.rate ?? null) : null;
    nights.push({
      day,
      available,
      rate,
      ...limitsOf(plan, rules?.get(day), day - state.today),
      ...closedWithout(rate),
    });
  }
  return nights;
}

type Limits = Omit<PlanNight, 'day' | 'available' | 'rate'>;

const closedWithout = (rate: number | null): Partial<Limits> => (rate === null ? { closed: true } : {});

/** @param ahead days from the business date */
function limitsOf(plan: RatePlan | undefined, rule: Restriction | undefined, ahead: number): Limits {
  const {
    minLengthOfStay = 1,
    maxLengthOfStay = Infinity,
    minAdvanceBooking = 0,
    maxAdvanceBooking = Infinity,
  } = plan ?? {};
  const { minStayArrival = 1, minStayThrough = 1, maxStayArrival = Infinity, maxStayThrough = Infinity } = rule ?? {};
  const { minAdvance = 0, maxAdvance = Infinity } = rule ?? {};
  const isInTime =
    ahead >= Math.max(minAdvance, minAdvanceBooking) && ahead <= Math.min(maxAdvance, maxAdvanceBooking);
  return {
    closed: plan?.status !== 'ACTIVE' || rule?.stopSell === true,
    closedToArrival: !isInTime || rule?.closedToArrival === true,
    closedToDeparture: rule?.closedToDeparture === true,
    minStay: Math.max(minLengthOfStay, minStayArrival, minStayThrough),
    maxStay: Math.min(maxLengthOfStay, maxStayArrival, maxStayThrough),
  };
}
