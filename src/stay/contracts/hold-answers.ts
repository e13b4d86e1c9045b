import { z } from 'zod';

import {
  at,
  dayField,
  dayUseField,
  moneyField,
  count,
  idField,
  partyFields,
  taxLine,
} from '../../kernel/contracts/answers.ts';
import { HOLD_STATUSES } from '../rules/hold.ts';

/** Answers of the hold endpoints (docs/reference/reservations.md#holds). */
export const holdAnswer = z.object({
  holdId: idField.describe('`holdId` of a create: it takes one room out of the hold, at its price.'),
  propertyId: z.string(),
  roomType: z.string(),
  rateCode: z.string(),
  checkIn: dayField,
  checkOut: dayField,
  dayUse: dayUseField,
  nights: count,
  ...partyFields,
  rooms: count.describe('Rooms at the beginning.'),
  remainingRooms: count.describe('Rooms that no booking has taken yet.'),
  status: z
    .enum(HOLD_STATUSES)
    .describe(
      'USED: all rooms are taken; one comes back when its booking is not paid. RELEASED: only in the answer to that.',
    ),
  expiresAt: at,
  extended: z.boolean().describe('A hold is extended once.'),
  price: z
    .object({
      totalRate: moneyField,
      taxes: moneyField.describe('On top of totalRate.'),
      fees: moneyField,
      taxLines: z.array(taxLine),
      totalAmount: moneyField,
      currency: z.string(),
    })
    .describe(
      'Of one room for the whole stay. A booking for other guests costs what the nights of the hold cost for as many, ' +
        'with the taxes and fees of the moment at which it was placed.',
    ),
  createdAt: at,
});
