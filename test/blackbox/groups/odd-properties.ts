import type { Test } from 'tap';

import { BlackboxProperty, type BlackboxPropertyOptions, must } from '../property.ts';
import type { Service } from '../service.ts';

const COST = 25;
const MOVES = { up: 1.25, down: 0.85 };
const OBJECTIVES = ['MAXIMIZE_REVENUE', 'MAXIMIZE_OCCUPANCY', 'MAXIMIZE_REVPAR', 'MAXIMIZE_PROFIT'];

type Recommendation = {
  currentRate: number;
  optimizedRate: number;
  confidence: number;
  revenueBefore: number;
  revenueAfter: number;
};
type Based = { model: string | null; confidence: number | null };
type Forecast = Based & { nights: { low: number; expected: number; high: number; capacity: number }[] };
type Optimization = Based & { recommendations: Recommendation[]; implementationUrl: string };
type GroupQuote = { model: string; confidence: string; nights: { minimumRate: number }[] };

/** A property with its rooms, and what is done to it before advice is taken. */
type Odd = BlackboxPropertyOptions & {
  /** Rate of its nights, in the currency of the property. */
  rate: number;
  prepare?: (property: BlackboxProperty) => Promise<void>;
  /** Statuses of an optimization: without anything to sell there is none. */
  optimized?: number;
  grouped?: number;
};

const PROPERTIES: Readonly<Record<string, Odd>> = {
  'of which nothing is known': { rate: 100 },
  'of one room': { rate: 100, rooms: { STD: 1 } },
  'that costs nearly what it sells for': { rate: 26 },
  'that sells for a cent': { rate: 0.01 },
  'that is sold out': {
    rate: 100,
    rooms: { STD: 1 },
    prepare: async (property) => {
      for (const from of [1, 15]) await property.booked({ from, nights: 14, roomType: 'STD' });
    },
    grouped: 409,
  },
  'that is closed': {
    rate: 100,
    prepare: async (property) => {
      const { propertyId } = property;
      const body = { propertyId, startDate: property.day(0), endDate: property.day(60), stopSell: true };
      must(await property.service.rates('PUT', '/restrictions', { body }), 200);
    },
    optimized: 422,
  },
};

/** Advice for properties of which little can be known: each answer says what it is made of, and none is absurd. */
export async function oddProperties(group: Test, service: Service): Promise<void> {
  for (const [name, { rate, prepare, optimized = 200, grouped = 200, ...options }] of Object.entries(PROPERTIES))
    await group.test(`advice for a property ${name}`, async (t) => {
      const policies = { paymentRequired: false, costPerOccupiedRoom: COST };
      const rooms = { STD: 12 };
      const property = await BlackboxProperty.open(service, { rooms, policies, price: rate, ...options });
      const { propertyId } = property;
      await prepare?.(property);
      const period = { startDate: property.day(1), endDate: property.day(28) };

      const forecast = must(await service.rates<Forecast>('GET', `/forecast?propertyId=${propertyId}`), 200).json;
      hasBasis(t, forecast);
      for (const { low, expected, high, capacity } of forecast.nights)
        t.ok(0 <= low && low <= expected && expected <= high && high <= capacity, `${low} ${expected} ${high}`);

      for (const primary of OBJECTIVES) {
        const body = { propertyId, optimizationPeriod: period, objectives: { primary } };
        const plan = must(await service.rates<Optimization>('POST', '/yield-optimization', { body }), optimized).json;
        if (optimized !== 200) continue;
        hasBasis(t, plan);
        for (const one of plan.recommendations) isSound(t, one, primary);
        const path = plan.implementationUrl.replace('/api/v1/rates', '');
        if (primary === 'MAXIMIZE_PROFIT') must(await service.rates('POST', path, { body: {} }), 200);
      }

      const block = { checkIn: property.day(3), checkOut: property.day(6), rooms: [{ roomType: 'STD', count: 1 }] };
      const body = { propertyId, ...block };
      const quote = must(await service.rates<GroupQuote>('POST', '/group-quote', { body }), grouped).json;
      if (grouped === 200) {
        t.match(quote, { model: 'curve', confidence: 'LOW' });
        for (const { minimumRate } of quote.nights) t.ok(minimumRate >= Math.min(rate, COST), `${minimumRate}`);
      }
      const analysis = await service.rates<{ optimization: Based }>('GET', `/analysis?propertyId=${propertyId}`);
      const { model, confidence } = must(analysis, 200).json.optimization;
      t.equal(model === null, confidence === null);
    });
}

function hasBasis(t: Test, { model, confidence }: Based): void {
  t.equal(model, 'curve', 'it has no history');
  t.ok(confidence !== null && confidence >= 0 && confidence <= 1, `${confidence}`);
}

function isSound(t: Test, one: Recommendation, objective: string): void {
  const { currentRate, optimizedRate, confidence, revenueBefore, revenueAfter } = one;
  const words = `${objective}: ${JSON.stringify(one)}`;
  t.ok(optimizedRate >= Math.min(COST, currentRate), words);
  t.ok(optimizedRate >= MOVES.down * currentRate && optimizedRate <= MOVES.up * currentRate, words);
  t.ok(confidence >= 0.05 && confidence <= 0.95, words);
  if (objective !== 'MAXIMIZE_OCCUPANCY') t.ok(revenueAfter > revenueBefore, words);
}
