import type { FastifyInstance } from 'fastify';

import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import type { ScriptedProperty } from './scripted-property.ts';

type Promotion = {
  promotionName: string;
  promoCode?: string;
  roomTypes?: string[];
  discount: { type: string; value: number };
  validity: { startDate: string; endDate: string; stayPeriod?: { startDate: string; endDate: string } };
};

/** Promotions, the plan BAR and base rates, as a test sets and checks them. */
export type ScriptedTerms = {
  promotions: (Promotion & { promotionId: string; status: string })[];
  bar: Record<string, unknown>;
  /** Base rate and season of each night that was set, by its key. */
  base: Map<string, { baseRate: number; season: { multiplier: number; amount: number } | null }>;
};

type Base = {
  roomType: string;
  effectiveDate: string;
  rates?: { rate: number }[];
  seasonalAdjustments?: { adjustmentType: string; adjustment: number }[];
};

const PLAN_ID = '01a00000-0000-7000-8000-0000000000b0';

/** Serves what belongs to a night beside its price. */
export function serveTerms(fastify: FastifyInstance, hotel: ScriptedProperty): ScriptedTerms {
  const bounds = { minRatePercent: 60, maxRatePercent: 200, minRate: null, maxRate: null };
  const bar = {
    id: PLAN_ID,
    propertyId: 'harbor-hotel',
    code: 'BAR',
    name: 'Best',
    status: 'ACTIVE',
    baseRate: null,
    ...bounds,
  };
  const terms: ScriptedTerms = { promotions: [], bar: { ...bar, rules: {} }, base: new Map() };
  servePromotions(fastify, terms);
  fastify.get('/api/v1/rates/plans', () => ({ items: [terms.bar], nextCursor: null }));
  fastify.put<{ Body: Record<string, unknown> }>(`/api/v1/rates/plans/${PLAN_ID}`, ({ body }) => {
    terms.bar = { ...bar, ...body };
    return terms.bar;
  });
  const nightOf = (roomType: string, day: Day) => {
    const rate = (hotel.view.grid(day, day, roomType)[0]?.rate ?? 0) / 100;
    return { rate, ...(terms.base.get(`${roomType} ${day}`) ?? { baseRate: rate, season: null }) };
  };
  fastify.get<{ Querystring: Record<string, string> }>(
    '/api/v1/rates/base',
    ({ query: { roomType, startDate } }) => ({
      items: [{ date: startDate, roomType, ...nightOf(roomType!, parseDay(startDate!)!) }],
    }),
  );
  fastify.put<{ Body: Base; Querystring: { dryRun?: string } }>('/api/v1/rates/base', ({ body, query }) => {
    const { roomType, effectiveDate, rates = [], seasonalAdjustments: [adjusted] = [] } = body;
    const day = parseDay(effectiveDate)!;
    const before = nightOf(roomType, day);
    const baseRate = rates[0]?.rate ?? before.baseRate;
    const season = adjusted ? { multiplier: multiplierOf(adjusted), amount: 0 } : before.season;
    const to = Math.round(baseRate * (season?.multiplier ?? 1) * 100) / 100;
    const items = [{ roomType, date: formatDay(day), from: before.rate, to }];
    if (query.dryRun === 'true') return { items, forecast: { revenueBefore: null, revenueAfter: null } };
    terms.base.set(`${roomType} ${day}`, { baseRate, season });
    hotel.setRate(roomType, day, Math.round(to * 100));
    return { affectedDates: 1 };
  });
  return terms;
}

const multiplierOf = ({ adjustmentType, adjustment }: { adjustmentType: string; adjustment: number }): number =>
  adjustmentType === 'PERCENTAGE' ? 1 + adjustment / 100 : adjustment;

function servePromotions(fastify: FastifyInstance, { promotions }: ScriptedTerms): void {
  fastify.get('/api/v1/rates/promotions', () => ({
    items: promotions.map((one) => ({
      ...one,
      roomTypes: one.roomTypes ?? null,
      conditions: { blackoutDates: [] },
      validity: { ...one.validity, stayPeriod: one.validity.stayPeriod ?? null },
    })),
    nextCursor: null,
  }));
  fastify.post<{ Body: Promotion & { propertyId: string } }>('/api/v1/rates/promotional', ({ body }, reply) => {
    const { propertyId: _, promoCode = 'SALE1', ...rest } = body;
    const one = { ...rest, promoCode, promotionId: `promotion-${promotions.length + 1}`, status: 'ACTIVE' };
    promotions.push(one);
    return reply.code(201).send(one);
  });
  for (const [verb, status] of [
    ['pause', 'PAUSED'],
    ['resume', 'ACTIVE'],
  ] as const)
    fastify.post<{ Params: { id: string } }>(`/api/v1/rates/promotions/:id/${verb}`, ({ params: { id } }) =>
      Object.assign(
        promotions.find(({ promotionId }) => promotionId === id)!,
        { status },
      ),
    );
}
