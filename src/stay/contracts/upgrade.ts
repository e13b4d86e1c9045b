import { z } from 'zod';

import { at, dayField, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { amount, optionalText, roomTypeCode } from '../../kernel/contracts/fields.ts';
import { RESERVATION_STATUSES } from '../rules/reservation.ts';
import { financialInShort } from './stay-answers.ts';

/** Body and answer of an upgrade (docs/reference/agreed-prices.md#upgrade). */

export const upgradeBody = z
  .strictObject({
    roomType: roomTypeCode,
    amountPerNight: amount.optional().describe('For each night that is left, without the taxes on top.'),
    amount: amount.optional().describe('For all nights that are left together, in equal parts.'),
    reason: optionalText(500).describe('Required where the upgrade is free.'),
    roomNumber: optionalText(10).describe('Of a guest in house the first that is ready, when absent.'),
  })
  .superRefine(({ amountPerNight, amount: all, reason }, context) => {
    const refuse = (path: string, message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { field } });
    if (amountPerNight !== undefined && all !== undefined)
      refuse('amount', 'excludes amountPerNight: send one of the two', 'EXCLUDED');
    else if (amountPerNight === undefined && all === undefined)
      refuse('amountPerNight', 'is required without an amount; 0 is a free upgrade', 'MISSING');
    else if ((amountPerNight ?? all) === 0 && reason === undefined)
      refuse('reason', 'is required of a free upgrade', 'MISSING');
  });
export type UpgradeBody = z.infer<typeof upgradeBody>;

export const upgradeAnswer = z.object({
  reservationId: idField,
  status: z.enum(RESERVATION_STATUSES),
  roomType: z.string(),
  previousRoomType: z.string(),
  bookedRoomType: z.string(),
  roomNumber: z.string(),
  from: dayField.describe('The first night in the new type.'),
  nights: z.array(
    z.object({
      date: dayField,
      roomRate: moneyField.describe('As it was booked.'),
      surcharge: moneyField.describe('Without taxes.'),
      taxes: moneyField.describe('Of both.'),
    }),
  ),
  additionalPayment: z.object({ amount: moneyField, paymentRequired: z.boolean(), dueDate: at.nullable() }),
  financial: financialInShort,
});
