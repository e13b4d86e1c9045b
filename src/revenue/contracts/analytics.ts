import { z } from 'zod';

import { at, dayField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { date, page, propertyId } from '../../kernel/contracts/fields.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { METRIC_TYPES, type Metric, type NightAudit, type RoomFigures } from '../rules/night-audit.ts';

/** Reports and figures of a property (docs/concepts/night-audit.md#figures). */

const period = { propertyId, from: date.optional(), to: date.optional() };

function inOrder({ from, to }: { from?: number; to?: number }, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined || from <= to) return;
  context.addIssue({ code: 'custom', path: ['to'], message: 'is before from', params: { field: 'REVERSED' } });
}

export const reportsQuery = z.object({ ...period, ...page }).superRefine(inOrder);
export type ReportsQuery = z.infer<typeof reportsQuery>;

export const metricsQuery = z
  .object({ ...period, type: z.enum(METRIC_TYPES).optional(), ...page })
  .superRefine(inOrder);
export type MetricsQuery = z.infer<typeof metricsQuery>;

/** Writes an amount, or another number that is kept in hundredths, as JSON. */
export type WriteDecimal = (hundredths: Minor) => unknown;

type Json = Record<string, unknown>;

/** A night audit on the wire: the same to whoever asks and to the analytics service. */
export function auditWire(audit: NightAudit, write: WriteDecimal): Json {
  const { reservations, revenue, money: moved, pickup } = audit;
  const { cancellationRate, ...counts } = reservations;
  const { refunds } = moved;
  return {
    date: formatDay(audit.date),
    currency: audit.currency,
    ...figuresWire(audit.house, write),
    cancellationRate,
    roomTypes: audit.roomTypes.map(({ roomType, ...rooms }) => ({ roomType, ...figuresWire(rooms, write) })),
    reservations: counts,
    revenue: {
      rooms: write(revenue.rooms),
      additionalCharges: write(revenue.additionalCharges),
      penalties: write(revenue.penalties ?? 0),
      taxes: write(revenue.taxes),
      total: write(revenue.total),
    },
    payments: {
      total: write(moved.paid),
      methods: moved.payments.map(({ method, count, amount }) => ({ method, count, amount: write(amount) })),
    },
    refunds: { total: write(refunds.amount), count: refunds.count },
    pickupByNight: pickup.byNight.map(({ day: night, rooms }) => ({ date: formatDay(night), rooms })),
    pickupByArrival: pickup.byArrival.map(({ arrival, booked, cancelled }) => ({
      date: formatDay(arrival),
      booked,
      cancelled,
      pickup: booked - cancelled,
    })),
  };
}

function figuresWire({ roomRevenue, adr, revPar, ...rooms }: RoomFigures, write: WriteDecimal): Json {
  // Reports of earlier releases have 0 where nothing was sold.
  const ofSold = adr === null || rooms.roomsSold === 0 ? null : write(adr);
  return { ...rooms, roomRevenue: write(roomRevenue), adr: ofSold, revPar: write(revPar) };
}

export function metricWire(
  ofProperty: string,
  { type, date: on, value, roomType }: Metric,
  write: WriteDecimal,
): Json {
  return {
    propertyId: ofProperty,
    metricType: type,
    metricValue: value === null ? null : write(value),
    date: formatDay(on),
    granularity: 'DAY',
    dimensions: roomType === undefined ? {} : { roomType },
  };
}

const percent = z.number().meta({ description: 'Percent, two decimals.' });

const figures = {
  roomsSold: z.int().meta({ description: 'Room nights of stays that were begun; no-shows have none.' }),
  roomsAvailable: z.int().meta({ description: 'All rooms, also blocked ones and those out of order.' }),
  occupancyRate: percent,
  pickup: z.int().meta({ description: 'Room nights that came on the books that day, less those that left them.' }),
  roomRevenue: moneyField,
  adr: moneyField.nullable().meta({ description: 'Null where nothing was sold.' }),
  revPar: moneyField,
};

const auditAnswer = z.object({
  date: dayField,
  currency: z.string(),
  ...figures,
  cancellationRate: percent.meta({
    description: 'Of the reservations whose arrival was this date, those cancelled.',
  }),
  roomTypes: z.array(z.object({ roomType: z.string(), ...figures })),
  reservations: z.object({
    arrivals: z.int(),
    departures: z.int(),
    noShows: z.int(),
    booked: z.int(),
    cancelled: z.int(),
  }),
  revenue: z.object({
    rooms: moneyField,
    additionalCharges: moneyField,
    penalties: moneyField.describe('Kept of stays that were cancelled or did not come, without the tax on them.'),
    taxes: moneyField,
    total: moneyField,
  }),
  payments: z.object({
    total: moneyField,
    methods: z.array(z.object({ method: z.string().nullable(), count: z.int(), amount: moneyField })),
  }),
  refunds: z.object({ total: moneyField, count: z.int() }),
  pickupByNight: z.array(z.object({ date: dayField, rooms: z.int() })),
  pickupByArrival: z.array(z.object({ date: dayField, booked: z.int(), cancelled: z.int(), pickup: z.int() })),
});

export const reportAnswer = z.object({
  reportId: z.uuid(),
  propertyId: z.string(),
  reportType: z.literal('NIGHT_AUDIT'),
  status: z.literal('COMPLETED'),
  date: dayField,
  completedAt: at,
  pushedAt: at.nullable().meta({ description: 'When the analytics service took it; null where there is none.' }),
  content: auditAnswer,
});
export const reportListAnswer = listOf(reportAnswer);

export const metricListAnswer = listOf(
  z.object({
    propertyId: z.string(),
    metricType: z.enum(METRIC_TYPES),
    metricValue: moneyField
      .nullable()
      .meta({ description: 'Percent, amount or rooms; null for the ADR of a day that sold nothing.' }),
    date: dayField,
    granularity: z.literal('DAY'),
    dimensions: z.object({ roomType: z.string().optional() }),
  }),
);
