import { z } from 'zod';

import { at, dayField, listOf, moneyField } from '../../kernel/contracts/answers.ts';
import { DISCOUNT_TYPES, PROMOTION_STATUSES } from '../rules/promotion.ts';

/** What restrictions, promotions and groups answer, for the API description. */

const limit = z.int().nullable();

export const restrictionsAnswer = z.object({
  propertyId: z.string(),
  items: z.array(
    z.object({
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
    }),
  ),
  seq: z.int(),
});

export const restrictionsSetAnswer = z.object({ propertyId: z.string(), affectedNights: z.int(), updatedAt: at });

export const createdPromotionAnswer = z.object({
  promotionId: z.uuid(),
  status: z.enum(PROMOTION_STATUSES),
  promoCode: z.string(),
  createdAt: at,
  estimatedRevenue: moneyField,
  estimatedBookings: z.int(),
});

const period = z.object({ startDate: dayField, endDate: dayField });

export const promotionAnswer = z.object({
  promotionId: z.uuid(),
  promotionName: z.string(),
  description: z.string().nullable(),
  status: z.enum(PROMOTION_STATUSES),
  promoCode: z.string(),
  roomTypes: z.array(z.string()).nullable(),
  discount: z.object({ type: z.enum(DISCOUNT_TYPES), value: z.number() }),
  conditions: z.object({
    advanceBookingDays: z.int().optional(),
    minimumStay: z.int().optional(),
    blackoutDates: z.array(dayField),
  }),
  validity: period.extend({ stayPeriod: period.nullable() }),
  inventory: z.object({ totalRooms: limit, maxPerDay: limit, used: z.int() }),
  createdAt: at,
});
export const promotionListAnswer = listOf(promotionAnswer);

export const groupAnswer = z.object({
  groupId: z.uuid(),
  name: z.string(),
  cutoffDate: dayField,
  status: z.enum(['ACTIVE', 'RELEASED']),
  blocks: z.array(
    z.object({
      roomType: z.string(),
      date: dayField,
      rooms: z.int(),
      rate: moneyField,
      pickedUp: z.int(),
      remaining: z.int(),
    }),
  ),
  createdAt: at,
});
export const groupListAnswer = listOf(groupAnswer);
