import { z } from 'zod';

import { amount, text } from '../../kernel/contracts/fields.ts';
import { NO_MONEY } from '../../kernel/rules/money.ts';
import { cancellationAnswer, walkField } from './stay-answers.ts';

/** Body and answer of a walk (docs/reference/waitlist.md#walk). */

export const walkBody = z.strictObject({
  to: text(200).describe('The other hotel.'),
  compensation: amount.default(NO_MONEY).describe('What the property owes the guest for it.'),
  reason: text(500),
});
export type WalkBody = z.infer<typeof walkBody>;

export const walkAnswer = cancellationAnswer.extend({ walk: walkField });
