import { z } from 'zod';

import { at, count, dayField, figure, moneyField } from '../../kernel/contracts/answers.ts';
import { amount, datesOfNights, dayToCome, propertyId, roomTypeCode } from '../../kernel/contracts/fields.ts';
import { FORECAST_METHODS } from '../rules/forecast/demand-forecast.ts';

/** Body and answer of the quote for a group (docs/reference/rates.md#group-quote). */

const MAX_TYPES = 20;
const MAX_ROOMS = 2_000;

const roomsOfType = z.strictObject({ roomType: roomTypeCode, count: z.int().min(1).max(MAX_ROOMS) });

export const groupQuoteBody = z
  .strictObject({
    propertyId,
    checkIn: dayToCome,
    checkOut: dayToCome,
    rooms: z
      .array(roomsOfType)
      .min(1)
      .max(MAX_TYPES)
      .refine((rooms) => new Set(rooms.map(({ roomType }) => roomType)).size === rooms.length, {
        message: 'names a room type twice',
        params: { field: 'TWICE' },
      }),
    commissionPercent: z.number().min(0).max(90).default(0).describe('Percent of the rate that an agent gets.'),
    costPerRoomNight: amount.optional().describe('Cost of an occupied room; that of the property when absent.'),
  })
  .superRefine(datesOfNights);
export type GroupQuoteBody = z.infer<typeof groupQuoteBody>;

const CONFIDENCES = ['HIGH', 'MEDIUM', 'LOW'] as const;

export const groupQuoteAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  minimumTotal: moneyField.meta({ description: 'What the block must bring; more pays.' }),
  nights: z.array(
    z.object({
      date: dayField,
      roomType: z.string(),
      rooms: count,
      available: count.meta({ description: 'Rooms left before the block.' }),
      minimumRate: moneyField.meta({ description: 'Least rate of each room.' }),
      displaced: z.object({
        rooms: figure.meta({ description: 'Rooms that others are expected to take, one decimal.' }),
        revenue: moneyField.meta({ description: 'What their stays are expected to bring.' }),
      }),
    }),
  ),
  model: z.enum(FORECAST_METHODS).meta({ description: 'Method of the weakest forecast among the nights.' }),
  bidPrices: z.enum(['PROGRAM', 'NIGHTS']).meta({ description: 'NIGHTS: each night counted alone.' }),
  confidence: z.enum(CONFIDENCES),
});
