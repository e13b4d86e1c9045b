import type { FastifyInstance } from 'fastify';

import { type Day, formatDay, parseDay } from '../../kernel/rules/dates.ts';

type Query = Record<string, string>;

/** Days before today on which something was booked for any night. */
const MOVED_DAYS = 60;

/**
 * Serves sales figures for the page's charts: two room nights came each day, and one left every tenth. For last year's
 * nights one came each day.
 */
export function serveSalesFigures(fastify: FastifyInstance, today: Day): void {
  fastify.get<{ Querystring: Query }>('/api/v1/analytics/booking-curve', ({ query }) => {
    const from = parseDay(query['from']!)!;
    const isPast = from < today;
    const last = isPast ? today - 364 + 7 : today;
    let roomsSold = 0;
    const dates = Array.from({ length: MOVED_DAYS }, (_, index) => {
      const booked = isPast ? 1 : 2;
      const cancelled = index % 10 === 9 ? 1 : 0;
      roomsSold += booked - cancelled;
      return { date: formatDay(last - MOVED_DAYS + 1 + index), booked, cancelled, roomsSold };
    });
    return { from: query['from'], to: query['to'], businessDate: formatDay(today), dates };
  });
  fastify.get<{ Querystring: Query }>('/api/v1/analytics/sales-mix', ({ query }) => ({
    from: query['from'],
    to: query['to'],
    currency: 'EUR',
    total: { roomNights: 100, revenue: 12_000 },
    channels: [
      { channel: 'DIRECT', roomNights: 75, revenue: 9_000 },
      { channel: null, roomNights: 25, revenue: 3_000 },
    ],
    ratePlans: [{ rateCode: 'BAR', roomNights: 100, revenue: 12_000 }],
    groups: [{ name: null, roomNights: 100, revenue: 12_000 }],
    companies: [{ name: null, roomNights: 100, revenue: 12_000 }],
    stayLengths: [
      { name: '1', roomNights: 40, revenue: 5_000 },
      { name: '8+', roomNights: 60, revenue: 7_000 },
    ],
    leadTimes: [{ name: '0-1', roomNights: 100, revenue: 12_000 }],
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/analytics/competitor-rates', ({ query }) => {
    const from = parseDay(query['from']!)!;
    const of = (competitorId: string, rate: number) => ({
      competitorId,
      nights: Array.from({ length: 90 }, (_, n) => ({ date: formatDay(from + n), rate: rate + (n % 7) })),
    });
    const competitors = query['roomType'] === 'STE' ? [] : [of('grand', 120), of('plaza', 140)];
    return { from: query['from'], to: query['to'], roomType: query['roomType'], currency: 'EUR', competitors };
  });
}
