import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { PlanNight } from '../../../src/rates/rules/queries.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Restriction } from '../../../src/rates/rules/restriction.ts';
import { saleWindow, type State } from '../state.ts';
import { nightUnder, pricingOf } from './plans.ts';
import { stayLimitsOf } from './restrictions.ts';

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
    const limits = plan ? limitsOf(state, { plan, roomType, rule: rules?.get(day) }, day) : UNLIMITED;
    nights.push({ day, available, rate, ...limits, closed: limits.closed || rate === null });
  }
  return nights;
}

type Limits = Omit<PlanNight, 'day' | 'available' | 'rate'>;

/** Of a plan that is not there; its nights have no rate. */
const UNLIMITED: Limits = {
  closed: true,
  closedToArrival: false,
  closedToDeparture: false,
  minStay: 1,
  maxStay: Infinity,
};

type OfPlan = { plan: RatePlan; roomType: string; rule: Restriction | undefined };

function limitsOf(state: State, { plan, roomType, rule }: OfPlan, day: Day): Limits {
  const { minimumStay, maximumStay, advanceBooking } = stayLimitsOf(state, plan, {
    roomType,
    checkIn: day,
    checkOut: day + 1,
  });
  const ahead = day - state.today;
  const isInTime = ahead >= advanceBooking && ahead <= Math.min(plan.maxAdvanceBooking, rule?.maxAdvance ?? Infinity);
  return {
    closed: plan.status !== 'ACTIVE' || rule?.stopSell === true,
    closedToArrival: !isInTime || rule?.closedToArrival === true,
    closedToDeparture: rule?.closedToDeparture === true,
    minStay: Math.max(1, minimumStay),
    maxStay: maximumStay,
  };
}
