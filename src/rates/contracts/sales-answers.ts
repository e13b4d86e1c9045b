import { z } from 'zod';

import { at, dayField, listOf, moneyField, count, figure, idField } from '../../kernel/contracts/answers.ts';
import { GUARANTEES } from '../rules/plan-terms.ts';
import { PROMOTION_STATUSES } from '../rules/promotion.ts';
import { instalmentField, termsField } from './rate-answers.ts';

/** Answers of restrictions, promotions and groups. */

const limit = count.nullable();

export const restriction = z.object({
  rateCode: z.string(),
  roomType: z.string(),
  date: dayField,
  minStayArrival: limit,
  maxStayArrival: limit,
  minStayThrough: limit,
  maxStayThrough: limit,
  minAdvance: limit,
  maxAdvance: limit,
  closedToArrival: z.boolean(),
  closedToDeparture: z.boolean(),
  stopSell: z.boolean(),
  rateLocked: z.boolean(),
});

export const restrictionsAnswer = z.object({
  propertyId: z.string(),
  items: z.array(restriction),
  seq: count,
});

export const restrictionsSetAnswer = z.object({ propertyId: z.string(), affectedNights: count, updatedAt: at });

export const createdPromotionAnswer = z.object({
  promotionId: idField,
  status: z.enum(PROMOTION_STATUSES),
  promoCode: z.string(),
  createdAt: at,
  estimatedRevenue: moneyField,
  estimatedBookings: count,
});

const period = z.object({ startDate: dayField, endDate: dayField });

export const promotionAnswer = z.object({
  promotionId: idField,
  promotionName: z.string(),
  description: z.string().nullable(),
  status: z.enum(PROMOTION_STATUSES),
  promoCode: z.string(),
  roomTypes: z.array(z.string()).nullable(),
  discount: z.discriminatedUnion('type', [
    z.object({ type: z.literal('FIXED_AMOUNT'), value: moneyField }),
    z.object({ type: z.enum(['PERCENTAGE', 'FREE_NIGHTS']), value: figure }),
  ]),
  conditions: z.object({
    advanceBookingDays: count.optional(),
    minimumStay: count.optional(),
    blackoutDates: z.array(dayField),
  }),
  validity: period.extend({ stayPeriod: period.nullable() }),
  inventory: z.object({ totalRooms: limit, maxPerDay: limit, used: count }),
  createdAt: at,
});
export const promotionListAnswer = listOf(promotionAnswer);

export const groupAnswer = z.object({
  groupId: idField,
  name: z.string(),
  cutoffDate: dayField,
  status: z.enum(['ACTIVE', 'RELEASED']),
  guarantee: z.enum(GUARANTEES).nullable().describe('Null: as the property has it.'),
  depositSchedule: z.array(instalmentField).nullable(),
  releaseHour: z.string().nullable(),
  companyId: z.string().nullable(),
  terms: termsField.nullable().describe('Null: the usual terms of the property.'),
  shoulderNights: z.object({ before: count, after: count }),
  contact: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }).nullable(),
  blocks: z.array(
    z.object({
      roomType: z.string(),
      date: dayField,
      rooms: count,
      rate: moneyField,
      pickedUp: count,
      remaining: count,
    }),
  ),
  shoulderPickup: z
    .array(z.object({ roomType: z.string(), date: dayField, rate: moneyField, pickedUp: count }))
    .describe('Nights outside of the blocks that guests of the group have.'),
  totals: z
    .object({ rooms: count, pickedUp: count, remaining: count, shoulder: count })
    .describe('Room nights of the blocks, and those outside of them.'),
  createdAt: at,
});
export const groupListAnswer = listOf(groupAnswer);
