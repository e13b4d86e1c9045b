import { z } from 'zod';

import { dayField, at, moneyField, listOf } from '../../kernel/contracts/answers.ts';

export const availabilityAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      roomType: z.string(),
      date: dayField,
      totalRooms: z.int(),
      availableRooms: z.int(),
      bookedRooms: z.int(),
      heldRooms: z.int(),
      blockedRooms: z.int(),
      status: z.enum(['OPEN', 'LIMITED', 'SOLD_OUT', 'CLOSED']),
    }),
  ),
  seq: z.int(),
  asOf: at.optional().meta({ description: 'The instant that was asked for, where one was.' }),
});

export const rooms = {
  totalRooms: z.int(),
  bookedRooms: z.int(),
  heldRooms: z.int(),
  blockedRooms: z.int(),
  availableRooms: z.int(),
};

export const change = <T extends z.ZodType>(value: T): z.ZodOptional<z.ZodObject<{ from: T; to: T }>> =>
  z.object({ from: value, to: value }).optional();

export const changedRooms = change(z.int());

export const cellHistoryAnswer = listOf(
  z.object({
    seq: z.int(),
    at,
    type: z.string().meta({ description: 'The command.', examples: ['CONFIRM_BOOKING'] }),
    entity: z.string().meta({ description: 'Id of what the command was about.' }),
    by: z.string(),
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
  }),
);

export const pickupField = {
  roomsNow: z.int().meta({ description: 'Rooms on the books: booked ones.' }),
  roomsThen: z.int(),
  pickup: z.int().meta({ description: 'roomsNow - roomsThen' }),
};

export const pickupAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  comparedTo: at,
  days: z.int(),
  items: z.array(z.object({ date: dayField, roomType: z.string(), ...pickupField })),
  dates: z.array(z.object({ date: dayField, ...pickupField })),
  total: z.object(pickupField),
  seq: z.int(),
});

export const searchAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      propertyName: z.string(),
      roomType: z.string(),
      rateCode: z.string(),
      currency: z.string(),
      nightlyRates: z.array(moneyField),
      totalRate: moneyField,
      averageRate: moneyField,
      taxes: moneyField,
      fees: moneyField,
      quoteToken: z.string(),
    }),
  ),
});
