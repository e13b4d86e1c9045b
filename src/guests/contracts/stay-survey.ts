import { z } from 'zod';

import { at, count, idField } from '../../kernel/contracts/answers.ts';
import { optionalNotes } from '../../kernel/contracts/fields.ts';

/** The survey that a check-out links to (docs/concepts/rooms.md#housekeeping); form fields arrive as texts. */

export const surveyForm = z.strictObject({
  rating: z.coerce.number().int().min(1).max(5),
  comment: optionalNotes(1_000),
});
export type SurveyForm = z.infer<typeof surveyForm>;

export const surveyAnswer = z.object({
  reservationId: idField,
  rating: count.nullable().describe('1 (poor) to 5 (excellent); null while the guest has not answered.'),
  comment: z.string().nullable().describe('Null for a VIEWER, and when the guest wrote nothing.'),
  answeredAt: at.nullable(),
});
