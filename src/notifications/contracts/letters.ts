import { z } from 'zod';

import { at, count } from '../../kernel/contracts/answers.ts';
import { notes, text } from '../../kernel/contracts/fields.ts';
import { LANGUAGES } from '../../kernel/rules/languages.ts';
import { LETTER_KINDS } from '../rules/letter-kinds.ts';

/** Bodies and answers of letters (docs/reference/letters.md#letters). */

const ownTexts = {
  subject: text(200).optional().describe('In ICU MessageFormat; the standard one when absent.'),
  opening: notes(2_000)
    .optional()
    .describe('Paragraphs between salutation and details; the standard ones when absent.'),
  closing: notes(2_000).optional().describe('Paragraphs above the signature; the standard ones when absent.'),
};

export const letterBody = z
  .strictObject(ownTexts)
  .refine(
    (own) => Object.values(own).some((part) => part !== undefined),
    'needs one of subject, opening and closing',
  );
export type LetterBody = z.infer<typeof letterBody>;

export const letterPreviewBody = z.strictObject({ language: z.enum(LANGUAGES), ...ownTexts });
export type LetterPreviewBody = z.infer<typeof letterPreviewBody>;

const parts = z.object({ subject: z.string(), opening: z.string(), closing: z.string() });

export const letterAnswer = z.object({
  kind: z.enum(LETTER_KINDS),
  language: z.enum(LANGUAGES),
  isOwn: z.boolean().describe('Whether one of its texts is that of the property.'),
  own: parts.partial().describe('Texts of the property.'),
  standard: parts.describe('Texts where the property has none of its own.'),
  version: count.describe('Also the `ETag`; 0 where nobody has changed it.'),
  changedBy: z.string().nullable(),
  changedAt: at.nullable(),
});

export const lettersAnswer = z.object({
  propertyId: z.string(),
  language: z.enum(LANGUAGES).describe('The policy `language` of the property.'),
  kinds: z.array(
    z.object({
      kind: z.enum(LETTER_KINDS),
      values: z.array(z.string()).describe('What texts of the kind can name, such as `guest` for `{guest}`.'),
      letters: z.array(letterAnswer).describe('One for each language.'),
    }),
  ),
});

export const letterPreviewAnswer = z.object({ subject: z.string(), text: z.string(), html: z.string() });
