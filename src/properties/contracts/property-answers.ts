import { z } from 'zod';

import { at, listOf } from '../../kernel/contracts/answers.ts';
import { ROOM_STATUSES } from '../rules/property.ts';

export const propertyAnswer = z.object({
  propertyId: z.string(),
  name: z.string(),
  propertyType: z.string(),
  metadata: z.looseObject({ currency: z.string(), timezone: z.string(), amenities: z.array(z.string()) }),
  createdAt: at,
  updatedAt: at,
});

export const propertyListAnswer = listOf(propertyAnswer);

export const roomTypeAnswer = z.object({
  roomType: z.string(),
  name: z.string(),
  maxAdults: z.int(),
  maxChildren: z.int(),
  maxGuests: z.int(),
  totalRooms: z.int(),
  amenities: z.array(z.string()),
});

export const roomTypeListAnswer = listOf(roomTypeAnswer);

export const roomAnswer = z.object({
  roomNumber: z.string(),
  roomType: z.string(),
  floor: z.int(),
  status: z.enum(ROOM_STATUSES),
  features: z.array(z.string()),
  reservationId: z.string().optional().meta({ description: 'Whose guest is in it.' }),
  updatedAt: at,
});

export const roomListAnswer = listOf(roomAnswer);
