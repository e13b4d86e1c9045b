import { z } from 'zod';

import { dayField, at, moneyField, listOf, count, taxLine } from '../../kernel/contracts/answers.ts';

export const availabilityItemAnswer = z.object({
  propertyId: z.string(),
  roomType: z.string(),
  date: dayField,
  totalRooms: count,
  availableRooms: count,
  bookedRooms: count,
  heldRooms: count,
  blockedRooms: count,
  status: z.enum(['OPEN', 'LIMITED', 'SOLD_OUT', 'CLOSED']),
});

export const availabilityAnswer = z.object({
  items: z.array(availabilityItemAnswer),
  seq: count,
  asOf: at.optional().meta({ description: 'The requested instant, if any.' }),
});

export const rooms = {
  totalRooms: count,
  bookedRooms: count,
  heldRooms: count,
  blockedRooms: count,
  availableRooms: count,
};

const change = <T extends z.ZodType>(value: T): z.ZodOptional<z.ZodObject<{ from: T; to: T }>> =>
  z.object({ from: value, to: value }).optional();

const changedRooms = change(count);

export const cellChangeAnswer = z.object({
  seq: count,
  at,
  type: z.string().meta({ description: 'The command.', examples: ['CONFIRM_BOOKING'] }),
  entity: z.string().meta({ description: 'Id of what the command was about.' }),
  by: z.string(),
  byName: z.string().nullable().describe('The name of that user, where one is known.'),
  ...rooms,
  rate: moneyField.nullable().meta({ description: 'Price of the night under BAR.' }),
  changes: z.object({
    totalRooms: changedRooms,
    bookedRooms: changedRooms,
    heldRooms: changedRooms,
    blockedRooms: changedRooms,
    availableRooms: changedRooms,
    rate: change(moneyField.nullable()),
  }),
});

export const cellHistoryAnswer = listOf(cellChangeAnswer);

const pickupField = {
  roomsNow: count.meta({ description: 'Rooms on the books: booked ones.' }),
  roomsThen: count,
  pickup: count.meta({ description: 'roomsNow - roomsThen' }),
};

export const pickupAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  comparedTo: at,
  days: count,
  items: z.array(z.object({ date: dayField, roomType: z.string(), ...pickupField })),
  dates: z.array(z.object({ date: dayField, ...pickupField })),
  total: z.object(pickupField),
  seq: count,
});

export const offer = z.object({
  propertyId: z.string(),
  propertyName: z.string(),
  roomType: z.string(),
  rateCode: z.string(),
  currency: z.string(),
  nightlyRates: z.array(moneyField),
  totalRate: moneyField,
  averageRate: moneyField,
  taxes: moneyField.describe('On top of totalRate.'),
  fees: moneyField,
  taxLines: z.array(taxLine),
  quoteToken: z.string().optional().describe('Of bookable offers.'),
  bookable: z.boolean().describe('False for an offer above maxTotal.'),
  reason: z.object({ code: z.string(), detail: z.string() }).optional().describe('Why it cannot be booked.'),
});

export const searchAnswer = z.object({
  items: z.array(offer),
  unavailable: z
    .array(z.object({ propertyId: z.string(), code: z.string(), detail: z.string() }))
    .describe('Properties that cannot be booked on these days at all.'),
});
