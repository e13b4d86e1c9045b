import { z } from 'zod';

import {
  amount,
  date,
  dayToCome,
  email,
  language,
  notes,
  optionalPromoCode,
  optionalText,
  party,
  propertyId,
  roomTypeCode,
  text,
  uuid,
} from '../../kernel/contracts/fields.ts';
import { withParty } from '../../rates/contracts/stay.ts';
import { CANCEL_REASONS } from '../../stay/rules/reservation.ts';
import { AGENT_BOUNDS } from '../rules/agent-bounds.ts';

/** What tools take (docs/reference/mcp.md#tools): the fields of REST, in narrower bounds. */

const days = {
  checkIn: dayToCome.describe('Day of arrival, YYYY-MM-DD.'),
  checkOut: date.describe('Day of departure, YYYY-MM-DD.'),
};
const rateCode = text(50).describe('Rate plan, as `search_availability` names it.');
const roomType = roomTypeCode.describe('Room type, as `search_availability` names it.');
const maxTotal = amount.describe(
  'The most that the person agreed to pay for the whole stay, with all taxes and fees, in the currency of the quote.',
);
const idempotencyKey = text(100)
  .optional()
  .describe('Names this attempt: a repeated call with the same key has one effect and the same answer.');

/** Checks the nights of an agent's stay: at least one, and no more than its bound. */
function withNights<T extends z.ZodType<{ checkIn: number; checkOut: number }>>(schema: T): T {
  return schema.superRefine(({ checkIn, checkOut }, context) => {
    const nights = checkOut - checkIn;
    const fault = (message: string, field: string): void =>
      context.addIssue({ code: 'custom', path: ['checkOut'], message, params: { field } });
    if (nights < 1) fault('must be after check-in', nights < 0 ? 'REVERSED' : 'ZERO_NIGHTS');
    if (nights > AGENT_BOUNDS.nights)
      fault(`an agent books at most ${AGENT_BOUNDS.nights} nights`, 'TOO_MANY_NIGHTS');
  });
}

export const listPropertiesInput = z.strictObject({
  cursor: z.string().max(500).optional().describe('`nextCursor` of the page before.'),
});

export const searchInput = withNights(
  withParty(z.strictObject({ propertyId, ...days, ...party, promoCode: optionalPromoCode })),
);
export type SearchInput = z.output<typeof searchInput>;

export const quoteInput = withNights(
  withParty(z.strictObject({ propertyId, ...days, ...party, roomType, rateCode, promoCode: optionalPromoCode })),
);
export type QuoteInput = z.output<typeof quoteInput>;

export const holdInput = withNights(
  withParty(
    z.strictObject({
      propertyId,
      ...days,
      ...party,
      roomType,
      rateCode,
      rooms: z.int().min(1).max(AGENT_BOUNDS.rooms).default(1),
      maxTotal: maxTotal.describe('The most that one of the rooms may cost for the whole stay.'),
      idempotencyKey,
    }),
  ),
);
export type HoldInput = z.output<typeof holdInput>;

export const bookInput = withNights(
  withParty(
    z.strictObject({
      propertyId,
      ...days,
      ...party,
      roomType,
      rateCode,
      quoteToken: z.string().max(8_000).optional().describe('From `quote_stay`: the booking costs what it promises.'),
      holdId: uuid.optional().describe('From `hold_room`, instead of `quoteToken`: takes one of its rooms.'),
      maxTotal,
      guest: z
        .strictObject({
          firstName: text(100),
          lastName: text(100),
          email: email.describe('Of the guest: confirmation and payment link go there.'),
          phone: optionalText(30),
          language: language.optional(),
        })
        .describe('Who stays. Never a card number: the guest pays at the property, or by a link.'),
      specialRequests: z.array(notes(500)).max(5).default([]),
      idempotencyKey,
    }),
  ),
).superRefine(({ quoteToken, holdId }, context) => {
  if ((quoteToken === undefined) !== (holdId === undefined)) return;
  const message = 'is needed, or holdId instead; one of the two';
  context.addIssue({ code: 'custom', path: ['quoteToken'], message, params: { field: 'MISSING' } });
});
export type BookInput = z.output<typeof bookInput>;

export const getInput = z
  .strictObject({ reservationId: uuid.optional(), confirmationNumber: z.string().max(20).optional() })
  .superRefine(({ reservationId, confirmationNumber }, context) => {
    if ((reservationId === undefined) !== (confirmationNumber === undefined)) return;
    const message = 'is needed, or confirmationNumber instead; one of the two';
    context.addIssue({ code: 'custom', path: ['reservationId'], message, params: { field: 'MISSING' } });
  });
export type GetInput = z.output<typeof getInput>;

export const cancelInput = z
  .strictObject({
    reservationId: uuid,
    dryRun: z
      .boolean()
      .default(true)
      .describe('True only says what cancelling would cost. Ask the person, then send false.'),
    maxPenalty: amount
      .optional()
      .describe('Needed with `dryRun: false`: the most that cancelling may cost, as the dry run has said it.'),
    reason: z.enum(CANCEL_REASONS).default('GUEST_REQUEST'),
    idempotencyKey,
  })
  .superRefine(({ dryRun, maxPenalty }, context) => {
    if (dryRun || maxPenalty !== undefined) return;
    const message = 'is needed to cancel: what the dry run has said';
    context.addIssue({ code: 'custom', path: ['maxPenalty'], message, params: { field: 'MISSING' } });
  });
export type CancelInput = z.output<typeof cancelInput>;
