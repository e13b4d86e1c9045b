import { z } from 'zod';

import { count } from '../../kernel/contracts/answers.ts';
import { WAITING_KINDS } from '../../tenants/rules/preferences.ts';

export const waitingMattersAnswer = z.object({
  items: z.array(
    z.object({
      kind: z.enum(WAITING_KINDS),
      count,
      name: z.string().nullable().meta({ description: 'Who has accepted an invitation last.' }),
    }),
  ),
});
