import { z } from 'zod';

import { at, dayField, listOf, moneyField, count, figure, idField } from '../../kernel/contracts/answers.ts';
import { date, page, propertyId } from '../../kernel/contracts/fields.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { type Minor, NO_MONEY } from '../../kernel/rules/money.ts';
import { TAXED_GROUPS } from '../../money/rules/revenue-by-tax.ts';
import {
  type AuditedMoney,
  LEFT_OUT_REASONS,
  type LateOfDate,
  METRIC_TYPES,
  type Metric,
  type NightAudit,
  type RoomFigures,
} from '../rules/night-audit.ts';

/** Reports and figures of a property (docs/concepts/night-audit.md#figures). */

const period = { propertyId, from: date.optional(), to: date.optional() };

function inOrder({ from, to }: { from?: Day; to?: Day }, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined || from <= to) return;
  context.addIssue({ code: 'custom', path: ['to'], message: 'is before from', params: { field: 'REVERSED' } });
}

export const reportsQuery = z.object({ ...period, ...page }).superRefine(inOrder);
export type ReportsQuery = z.infer<typeof reportsQuery>;

export const metricsQuery = z
  .object({ ...period, type: z.enum(METRIC_TYPES).optional(), ...page })
  .superRefine(inOrder);
export type MetricsQuery = z.infer<typeof metricsQuery>;

const percent = figure.meta({ description: 'Percent, two decimals.' });

const figures = {
  roomsSold: count.meta({ description: 'Room nights of stays that were begun; no-shows have none.' }),
  compRooms: count.meta({
    description: 'Of roomsSold those that were complimentary: occupied, with no part in adr.',
  }),
  otherCurrencyRooms: count.meta({
    description: 'Of roomsSold those that are paid in another currency, with no part in adr and roomRevenue.',
  }),
  roomsAvailable: count.meta({ description: 'All rooms, also blocked ones and those out of order.' }),
  occupancyRate: percent,
  pickup: count.meta({ description: 'Room nights that came on the books that day, less those that left them.' }),
  roomRevenue: moneyField,
  adr: moneyField.nullable().meta({ description: 'By rooms that were paid for; null where none was.' }),
  revPar: moneyField,
};

/** Revenue and money of a day in one currency. */
const money = {
  revenue: z.object({
    rooms: moneyField,
    additionalCharges: moneyField,
    penalties: moneyField.describe('Retained from cancelled stays and no-shows, without tax.'),
    taxes: moneyField,
    total: moneyField,
  }),
  revenueByTax: z
    .array(z.object({ group: z.enum(TAXED_GROUPS), code: z.string(), net: moneyField, tax: moneyField }))
    .describe('The revenue by group and tax: what each tax is taken of, and the tax; empty in earlier reports.'),
  corrections: z
    .array(
      z.object({
        date: dayField,
        roomNights: count,
        compRooms: count,
        rooms: moneyField,
        additionalCharges: moneyField,
        penalties: moneyField,
        taxes: moneyField,
        total: moneyField,
      }),
    )
    .describe('Part of the revenue that belongs to earlier dates and was recorded on this one.'),
  payments: z.object({
    total: moneyField,
    methods: z.array(z.object({ method: z.string().nullable(), count, amount: moneyField })),
  }),
  refunds: z.object({ total: moneyField, count }),
  chargebacks: z
    .object({ total: moneyField, count })
    .optional()
    .describe('What card issuers took back on the day; it is in `payments`, below 0.'),
};

export const nightAuditAnswer = z.object({
  date: dayField,
  currency: z.string().meta({ description: 'That of the property when the date ended.' }),
  ...figures,
  cancellationRate: percent.meta({
    description: 'Cancelled share of the reservations with arrival on this date.',
  }),
  roomTypes: z.array(z.object({ roomType: z.string(), ...figures })),
  reservations: z.object({
    arrivals: count,
    departures: count,
    noShows: count,
    booked: count,
    cancelled: count,
  }),
  ...money,
  leftOut: z
    .array(z.object({ reservationId: idField, reason: z.enum(LEFT_OUT_REASONS) }))
    .describe('Stays that the audit was made without; the desk has a task for each.'),
  otherCurrencies: z
    .array(z.object({ currency: z.string(), roomNights: count, ...money }))
    .describe('Revenue and money in other currencies, for each; none of it is in the figures above.'),
  pickupByNight: z.array(z.object({ date: dayField, rooms: count })),
  pickupByArrival: z.array(z.object({ date: dayField, booked: count, cancelled: count, pickup: count })),
});

export const reportAnswer = z.object({
  reportId: idField,
  propertyId: z.string(),
  reportType: z.literal('NIGHT_AUDIT'),
  status: z.literal('COMPLETED'),
  date: dayField,
  completedAt: at,
  journal: z
    .object({ after: count, to: count })
    .nullable()
    .describe('The rows of the journal that the date has, by their seq; null for reports of earlier releases.'),
  pushedAt: at.nullable().meta({ description: 'When the analytics service took it; null where there is none.' }),
  content: nightAuditAnswer,
});
export const reportListAnswer = listOf(reportAnswer);

export const metric = z.object({
  propertyId: z.string(),
  metricType: z.enum(METRIC_TYPES),
  metricValue: moneyField
    .nullable()
    .meta({ description: 'Percent, amount or rooms; null for the ADR of a day that sold nothing.' }),
  date: dayField,
  granularity: z.literal('DAY'),
  dimensions: z.object({ roomType: z.string().optional() }),
});
export const metricListAnswer = listOf(metric);

/** Renders a night audit for API callers and for the analytics service. */
export function renderNightAudit(audit: NightAudit): z.output<typeof nightAuditAnswer> {
  const { reservations, pickup } = audit;
  const { cancellationRate, ...counts } = reservations;
  return {
    date: audit.date,
    currency: audit.currency,
    ...figuresOf(audit.house),
    cancellationRate,
    roomTypes: audit.roomTypes.map(({ roomType, ...rooms }) => ({ roomType, ...figuresOf(rooms) })),
    reservations: counts,
    ...moneyOf(audit),
    leftOut: audit.leftOut ?? [],
    otherCurrencies: (audit.otherCurrencies ?? []).map(({ currency, roomNights, ...ofIt }) => {
      return { currency, roomNights, ...moneyOf(ofIt) };
    }),
    pickupByNight: pickup.byNight.map(({ day, rooms }) => ({ date: day, rooms })),
    pickupByArrival: pickup.byArrival.map(({ arrival, booked, cancelled }) => ({
      date: arrival,
      booked,
      cancelled,
      pickup: booked - cancelled,
    })),
  };
}

function moneyOf({ revenue, byTax = [], late = [], money: { payments, paid, refunds, chargebacks } }: AuditedMoney) {
  return {
    revenue: { ...revenue, penalties: revenue.penalties ?? NO_MONEY },
    revenueByTax: byTax,
    corrections: late.map(correctionOf),
    payments: { total: paid, methods: payments },
    refunds: { total: refunds.amount, count: refunds.count },
    ...(chargebacks && { chargebacks: { total: chargebacks.amount, count: chargebacks.count } }),
  };
}

function correctionOf({ date: on, nights, comps = 0, rooms, extras, penalties, taxes }: LateOfDate) {
  const total: Minor = rooms + extras + penalties + taxes;
  return {
    date: on,
    roomNights: nights,
    compRooms: comps,
    rooms,
    additionalCharges: extras,
    penalties,
    taxes,
    total,
  };
}

/** Reports of earlier releases have 0 where nothing was sold. */
const figuresOf = (rooms: RoomFigures): Required<RoomFigures> => ({
  ...rooms,
  compRooms: rooms.compRooms ?? 0,
  otherCurrencyRooms: rooms.otherCurrencyRooms ?? 0,
  adr: rooms.roomsSold === 0 ? null : rooms.adr,
});

/** Renders a figure of a day; percentages and rooms are stored in hundredths, like amounts. */
export function renderMetric(
  ofProperty: PropertyId,
  { type, date: on, value, roomType }: Metric,
): z.output<typeof metric> {
  const hundredths: Minor | null = value;
  return {
    propertyId: ofProperty,
    metricType: type,
    metricValue: hundredths,
    date: on,
    granularity: 'DAY',
    dimensions: roomType === undefined ? {} : { roomType },
  };
}
