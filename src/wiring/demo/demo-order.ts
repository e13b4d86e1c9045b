import { demoCompanies, plansBeside } from '../../demo/operations/seed-plans.ts';
import { creationOfDemo, roomsOfDemo } from '../../demo/operations/set-up-commands.ts';
import { DEMO_PROPERTIES, type DemoProperty } from '../../demo/rules/hotels.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Command } from '../../kernel/rules/commands.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { PastDays, PastOrder } from './past-order.ts';

/** Two years of past; the journal has one of them, and the last weeks are there at once. */
export const DEMO_DAYS: PastDays = { all: 730, journal: 390, recent: 25 };

/** The seed of the demo: every hotel of a day is the same. */
export const DEMO_SEED = 26;

/** Stays and guests of the properties are apart. */
const OFFSET = 1_000_000;

/** First number of the stays of a property. */
function offsetOf({ propertyId }: Pick<Address, 'propertyId'>): number {
  return OFFSET * (1 + DEMO_PROPERTIES.findIndex((one) => one.propertyId === propertyId));
}

type OrderOf = Pick<PastOrder, 'seed' | 'days' | 'secretKeys'> & { now: Instant; policies: Partial<Policies> };

/** The order to play the past of a property. @param policies of its tenant */
export function orderOf(property: DemoProperty, { policies, ...of }: OrderOf): PastOrder {
  const { tenantId, propertyId } = property;
  const creation = creationOfDemo(property, policies);
  const rooms = property.types.flatMap((type, index): Command[] => roomsOfDemo(type, index));
  const plans = plansBeside(creation.plans[0]!, property).map((plan): Command => ({
    type: 'PUT_RATE_PLAN',
    plan,
    mode: 'create',
  }));
  const setUp = [creation, ...rooms, ...plans];
  return {
    to: { tenantId, propertyId },
    property,
    offset: offsetOf(property),
    ...of,
    setUp,
    companies: demoCompanies(),
  };
}
