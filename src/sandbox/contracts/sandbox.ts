import { z } from 'zod';

import { count } from '../../kernel/contracts/answers.ts';
import { text } from '../../kernel/contracts/fields.ts';
import { SANDBOX_STATES } from '../rules/sandbox-state.ts';

/** Body of `POST .../sandbox`. */
export const sandboxBody = z.strictObject({
  name: text(200).optional().describe('Of the copy; the name of the property with "(invented guests)" when absent.'),
});
export type SandboxBody = z.infer<typeof sandboxBody>;

export const sandboxAnswer = z.object({
  propertyId: z.string(),
  state: z
    .enum(SANDBOX_STATES)
    .describe('STOPPED: it was interrupted; a POST makes it anew, a DELETE throws away what is left.'),
  sandboxId: z.string().optional().describe('The copy, a property like every other; absent without one.'),
  percent: count.describe('How far it is made.'),
});
