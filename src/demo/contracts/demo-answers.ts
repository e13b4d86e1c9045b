import { z } from 'zod';

import { at, count } from '../../kernel/contracts/answers.ts';
import { DEMO_PACES } from '../rules/pace.ts';

const pace = z.enum(DEMO_PACES).describe('OFF: nobody comes; REAL: as in a real hotel; FAST: 60 times as fast.');

/** Body of `PUT /dev/demo`. */
export const demoBody = z.strictObject({ pace });
export type DemoBody = z.infer<typeof demoBody>;

export const demoAnswer = z.object({
  pace,
  properties: z.array(
    z.object({
      propertyId: z.string(),
      beganAt: at,
      partsDone: count.describe('Parts of the past that are written.'),
      parts: count,
    }),
  ),
});
