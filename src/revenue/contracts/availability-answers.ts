import { z } from 'zod';

import { day, at, money, listOf } from '../../kernel/contracts/answers.ts';

export const availabilityAnswer = z.object({
  items: z.array(
    z.object({
      propertyId: z.string(),
      roomType: z.string(),
      date: day,
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
    rate: money.nullable().meta({ description: 'Price of the night under BAR.' }),
    changes: z.object({
      totalRooms: changedRooms,
      bookedRooms: changedRooms,
      heldRooms: changedRooms,
      blockedRooms: changedRooms,
      availableRooms: changedRooms,
      rate: change(money.nullable()),
    }),
  }),
);

export const pickup = {
  roomsNow: z.int().meta({ description: 'Rooms on the books: booked ones.' }),
  roomsThen: z.int(),
  pickup: z.int().meta({ description: 'roomsNow - roomsThen' }),
};

export const pickupAnswer = z.object({
  propertyId: z.string(),
  asOf: at,
  comparedTo: at,
  days: z.int(),
  items: z.array(z.object({ date: day, roomType: z.string(), ...pickup })),
  dates: z.array(z.object({ date: day, ...pickup })),
  total: z.object(pickup),
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
      nightlyRates: z.array(money),
      totalRate: money,
      averageRate: money,
      taxes: money,
      fees: money,
      quoteToken: z.string(),
    }),
  ),
});
