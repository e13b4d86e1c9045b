import { z } from 'zod';

import { date, propertyId, roomTypeCode, text } from '../../kernel/contracts/fields.ts';
import { isCurrency, MAX_AMOUNT, type Minor } from '../../kernel/rules/money.ts';

/**
 * Members of records from other senders (docs/reference/events.md#what-innkeeper-reads); Avro has checked their types,
 * these schemas check their values.
 */

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const instant = z.int().min(0).max(LAST_INSTANT);
const rooms = z.int().min(0).max(60_000);
const currency = z.string().refine(isCurrency, 'is no currency code');

/** Amounts are decimal numbers as text (docs/reference/events.md#format). */
const money = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,2})?$/, 'is no amount of at most two decimals')
  .transform((value): Minor => Math.round(Number(value) * 100))
  .refine((amount) => amount > 0 && amount <= MAX_AMOUNT, 'is no amount above 0');

const envelope = { eventId: text(100).regex(/^[\x21-\x7e]+$/, 'is no id'), timestamp: instant };

export const availabilityUpdated = z.object({
  ...envelope,
  propertyId,
  roomType: roomTypeCode,
  date,
  totalRooms: rooms,
  blockedRooms: rooms,
  seq: z.int().min(0).nullable(),
});

export const reservationCreated = z.object({ ...envelope, propertyId });

export const competitorRatesUpdated = z.object({
  ...envelope,
  propertyId,
  date,
  roomType: roomTypeCode,
  competitorId: text(100),
  rate: money,
  currency,
  observedAt: instant,
});

export const paymentProcessed = z.object({
  ...envelope,
  paymentId: text(100),
  amount: money,
  currency,
  status: z.enum(['SUCCESS', 'FAILED', 'PENDING', 'CHARGEBACK', 'CHARGEBACK_WON']),
  reservationId: text(100).nullable(),
});

/** Tenant in a header. */
export const tenantOfRecord = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/);
