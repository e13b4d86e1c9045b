import { z } from 'zod';

import { at, count, figure } from '../../kernel/contracts/answers.ts';
import { text } from '../../kernel/contracts/fields.ts';

/** Actors of properties for operators (docs/operations/health.md#actor-of-a-property): no personal data. */

export const ownedPropertiesQuery = z.object({
  q: text(100).optional().describe('Part of the id or name of the property.'),
});
export type OwnedPropertiesQuery = z.infer<typeof ownedPropertiesQuery>;

const owned = {
  propertyId: z.string().meta({ examples: ['harbor-hotel'] }),
  name: z.string(),
  removed: z.boolean(),
  ownerNode: z.string().nullable().describe('The node that last took it; null where it has been released.'),
  epoch: count,
  seq: count,
  generation: count,
  committedAt: at.nullable(),
};

export const ownedPropertiesAnswer = z.object({ items: z.array(z.object(owned)) });

const batch = z.object({ at, commands: count, waitMs: figure, decideMs: figure, commitMs: figure });

const resident = z.object({
  nodeId: z.string(),
  epoch: count,
  seq: count,
  generation: count,
  queued: count.describe('Commands in the mailbox.'),
  oldestWaitMs: figure.describe('For how long the first of them has waited.'),
  ring: count.describe('Journal entries in memory.'),
  followers: count,
  lastUsed: at,
  failing: z.string().optional().describe('Its own command that fails again and again.'),
  batches: z.array(batch).describe('The newest 50 committed batches, newest first.'),
});

export const actorAnswer = z.object({
  ...owned,
  resident: z.array(resident).describe('Nodes with the actor in memory: one, or none. Reading activates nothing.'),
  tail: z
    .array(
      z.object({
        seq: count,
        at,
        command: z.string().meta({ examples: ['CONFIRM_BOOKING'] }),
        events: z.array(z.string()).describe('What happened to bookings.'),
      }),
    )
    .describe('The newest 20 entries of the journal, newest first.'),
  missing: z.array(z.object({ nodeId: z.string(), why: z.string() })),
});
export type ActorAnswer = z.input<typeof actorAnswer>;
export type OwnedPropertiesAnswer = z.input<typeof ownedPropertiesAnswer>;
