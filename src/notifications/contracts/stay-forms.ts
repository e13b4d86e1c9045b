import { z } from 'zod';

import { date, extraCode, optionalRoomType, text } from '../../kernel/contracts/fields.ts';
import { MAX_AMOUNT } from '../../kernel/rules/money.ts';
import { MAX_COMPANIONS } from '../../stay/rules/online-check-in.ts';

/** Forms of the page of a stay (docs/guide/my-stay.md#my-stay); their fields arrive as texts. */

/** The state of the stay that the page has shown, and the id of the form on it: sent twice, it does its work once. */
const shownForm = { state: z.string().min(1).max(50), form: z.uuid() };
/** An amount that the page has shown, in minor units. */
const shown = z.coerce.number().int().min(0).max(MAX_AMOUNT);

export const datesQuery = z.object({ checkIn: date, checkOut: date, roomType: optionalRoomType });
export type DatesQuery = z.infer<typeof datesQuery>;

export const datesForm = datesQuery.extend({ total: shown, ...shownForm });
export type DatesForm = z.infer<typeof datesForm>;

export const cancelForm = z.object({ retained: shown, charged: shown, refund: shown, ...shownForm });
export type CancelForm = z.infer<typeof cancelForm>;

/** Most pieces that a guest adds at once; the desk adds more. */
export const MAX_PIECES = 9;

export const extraQuery = z.object({ code: extraCode, quantity: z.coerce.number().int().min(1).max(MAX_PIECES) });
export type ExtraQuery = z.infer<typeof extraQuery>;

export const extraForm = extraQuery.extend({ amount: shown, ...shownForm });
export type ExtraForm = z.infer<typeof extraForm>;

const companion = z.object({ firstName: text(100), lastName: text(100) });

export const checkInForm = z.object({
  arrivalTime: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  companions: z.array(companion).max(MAX_COMPANIONS),
  signedName: text(200),
  consent: z.literal('1'),
  ...shownForm,
});
export type CheckInForm = z.infer<typeof checkInForm>;
