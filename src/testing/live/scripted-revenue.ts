import type { FastifyInstance } from 'fastify';

import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';
import type { ScriptedProperty } from './scripted-property.ts';

/** State that a test sets and checks. */
export type ScriptedRevenue = {
  cancelled: number;
  /** Last and next query of competitors, as ISO 8601. */
  sync: { lastSync?: string; nextSync?: string };
  /** Number of implemented nights of each request. */
  implemented: number[];
  /** Nights whose rate is locked. */
  locked: Map<string, { roomType: string; date: string; rateLocked: boolean }>;
};

const OPTIMIZATION_ID = '01a00000-0000-7000-8000-000000000001';
/**
 * Percentages by which recommended rates differ, on three nights from tomorrow on. No two are the same: the page joins
 * equal changes, and on a Thursday the next two nights are full and cost the same.
 */
const ADVICE = [20, 25, -10];

type Query = Record<string, string>;

/**
 * Serves revenue endpoints of the rate and reservation services for the page: fixed figures, and the cells of the
 * property.
 */
export function serveRevenue(fastify: FastifyInstance, hotel: ScriptedProperty, today: Day): ScriptedRevenue {
  const script: ScriptedRevenue = { cancelled: 2, sync: {}, implemented: [], locked: new Map() };
  const base = '/api/v1/tenants/demo/properties/harbor-hotel';
  const began = hotel.view.grid(today, today + 400);
  const advised = ADVICE.map((percent, ahead) => {
    const cell = hotel.view.grid(today + ahead + 1, today + ahead + 1, 'DLX')[0]!;
    const currentRate = cell.rate! / 100;
    const optimizedRate = Math.round(currentRate * (100 + percent)) / 100;
    const date = formatDay(cell.day);
    return { date, roomType: 'DLX', currentRate, optimizedRate, confidence: 0.5, expectedImpact: 'More.' };
  });
  fastify.get<{ Querystring: Query }>(`${base}/pickup`, ({ query }) => {
    const start = parseDay(query['start_date']!)!;
    const end = parseDay(query['end_date']!)!;
    const cells = began.filter(({ day }) => day >= start && day <= end);
    const items = cells.map(({ day, roomType, booked }) => {
      const roomsThen = booked - Number(query['days']);
      return { date: formatDay(day), roomType, roomsNow: booked, roomsThen, pickup: booked - roomsThen };
    });
    const dates = [...Map.groupBy(items, ({ date }) => date)].map(([date, all]) => ({ date, ...summed(all) }));
    return { asOf: new Date().toISOString(), items, dates, total: summed(items) };
  });
  fastify.get(`${base}/history`, () => ({
    items: [
      {
        seq: 7,
        at: new Date().toISOString(),
        type: 'CONFIRM_BOOKING',
        by: 'demo',
        changes: { bookedRooms: { from: 3, to: 4 }, availableRooms: { from: 57, to: 56 } },
      },
      {
        seq: 6,
        at: new Date().toISOString(),
        type: 'BOOK',
        by: 'demo',
        changes: { heldRooms: { from: 0, to: 1 }, availableRooms: { from: 58, to: 57 } },
      },
    ],
    nextCursor: null,
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/analytics/reports', ({ query }) => ({
    items: [{ content: auditOf(query['from']!) }],
    nextCursor: null,
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/reservations', ({ query }) => {
    const since = Date.parse(query['updatedSince']!);
    // The last one was cancelled before, and only changed since.
    const moments = [...Array.from({ length: script.cancelled }, () => since), since - 1];
    const items = moments.map((moment) => ({
      timeline: [{ event: 'CANCELLED', timestamp: new Date(moment).toISOString() }],
    }));
    return { items, nextCursor: null };
  });
  fastify.get('/api/v1/rates/analysis', () => ({
    performance: { averageRate: 150, revenuePAR: 120 },
    competitors: { averageMarketRate: 140, position: 'ABOVE_MARKET', priceIndex: 107.14, ...script.sync },
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/rates/forecast', ({ query }) => {
    const start = parseDay(query['startDate']!)!;
    const end = parseDay(query['endDate']!)!;
    const nights = Map.groupBy(hotel.view.grid(start, end), ({ day }) => day);
    return {
      nights: [...nights].map(([day, cells]) => {
        const booked = cells.reduce((sum, cell) => sum + cell.booked, 0);
        const expected = Math.min(120, booked + 20);
        return { date: formatDay(day), expected, low: expected - 10, high: Math.min(120, expected + 12) };
      }),
    };
  });
  fastify.get('/api/v1/rates/optimizations', () => ({
    items: [
      {
        optimizationId: OPTIMIZATION_ID,
        status: 'COMPLETED',
        progress: 100,
        results: { revenueIncrease: 1.5 },
        recommendations: advised,
        createdAt: new Date().toISOString(),
      },
    ],
  }));
  type Picked = { nights: { roomType: string; date: string }[] };
  fastify.post<{ Params: { id: string }; Body: Picked }>('/api/v1/rates/:id/implement', ({ params, body }) => {
    const picked = advised.filter((one) =>
      body.nights.some(({ roomType, date }) => roomType === one.roomType && date === one.date),
    );
    script.implemented.push(picked.length);
    for (const { date, roomType, optimizedRate } of picked)
      hotel.setRate(roomType, parseDay(date)!, Math.round(optimizedRate * 100));
    return { optimizationId: params.id, status: 'IMPLEMENTED', affectedDates: picked.length };
  });
  type Lock = { roomType: string; startDate: string; endDate: string; rateLocked: boolean };
  fastify.put<{ Body: Lock }>('/api/v1/rates/restrictions', ({ body }) => {
    const { roomType, startDate, endDate, rateLocked } = body;
    for (let day = parseDay(startDate)!; day <= parseDay(endDate)!; day++) {
      if (rateLocked) script.locked.set(`${roomType} ${day}`, { roomType, date: formatDay(day), rateLocked });
      else script.locked.delete(`${roomType} ${day}`);
    }
    return {};
  });
  fastify.get('/api/v1/rates/restrictions', () => ({ items: [...script.locked.values()] }));
  fastify.get('/api/v1/rates/current', () => {
    const steps = [
      { rule: 'base', amount: 120 },
      { rule: 'season', amount: 12.5 },
    ];
    return { rates: [{ dailyRates: [{ steps }] }] };
  });
  return script;
}

type Rooms = { roomsNow: number; roomsThen: number; pickup: number };

function summed(parts: readonly Rooms[]): Rooms {
  const sum = (of: (part: Rooms) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return { roomsNow: sum((p) => p.roomsNow), roomsThen: sum((p) => p.roomsThen), pickup: sum((p) => p.pickup) };
}

function auditOf(date: string) {
  return {
    date,
    roomsSold: 60,
    occupancyRate: 50,
    adr: 100,
    revPar: 50,
    pickup: 4,
    reservations: { cancelled: 1 },
  };
}
