import { z } from 'zod';

import { at, count, figure } from '../../kernel/contracts/answers.ts';
import { roomTypeCode } from '../../kernel/contracts/fields.ts';

/** Body and answer of the rule by which recommended rates are accepted (docs/reference/rates.md#acceptance-by-rule). */

const MAX_ROOM_TYPES = 50;
const MAX_LEADS = 10;

export const acceptanceRuleBody = z.strictObject({
  acceptUpToPercent: z.number().min(0.1).max(100).multipleOf(0.1).describe('Moves of a rate by at most this.'),
  roomTypes: z.array(roomTypeCode).min(1).max(MAX_ROOM_TYPES).optional().describe('All when absent.'),
  byLead: z
    .array(
      z.strictObject({
        fromDays: z.int().min(0).max(1_500),
        acceptUpToPercent: z.number().min(0).max(100).multipleOf(0.1).describe('0 accepts nothing.'),
      }),
    )
    .min(1)
    .max(MAX_LEADS)
    .optional()
    .describe('Other limits from so many days before the night on.'),
  enabled: z.boolean(),
});
export type AcceptanceRuleBody = z.infer<typeof acceptanceRuleBody>;

export const acceptanceRuleAnswer = z.object({
  propertyId: z.string(),
  enabled: z.boolean(),
  acceptUpToPercent: figure.nullable().describe('Null before somebody has set a rule.'),
  byLead: z.array(z.object({ fromDays: count, acceptUpToPercent: figure })).nullable(),
  roomTypes: z.array(z.string()).nullable().describe('Null for all of them.'),
  setBy: z.string().nullable().describe('User who has set it.'),
  setByName: z.string().nullable().describe('The name of that user, where one is known.'),
  setAt: at.nullable(),
  seq: count,
});
