import { z } from 'zod';

/** How many messages it is for; without it until another one is set. */
const times = z.int().min(1).optional();

/**
 * What a channel does instead of its work.
 *
 * - `silent`: takes the request and never answers; stores nothing.
 * - `slow`: stores, and answers after some seconds.
 * - `refuse`: nobody listens for some seconds.
 * - `forget`: says taken, and stores nothing, or only every second value.
 * - `partial`: takes every second value and rejects the others, or all of some lines (`room/rate`).
 * - `status`: answers an HTTP status; stores nothing.
 * - `redirect`: to another path, where nobody should come.
 * - `large`: stores, and answers 200 KB.
 * - `html`: answers a page with 200, as a proxy would; stores nothing.
 */
export const behaviourSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('normal') }),
  z.strictObject({ kind: z.literal('silent'), times }),
  z.strictObject({ kind: z.literal('slow'), seconds: z.number().min(0).max(600), times }),
  z.strictObject({ kind: z.literal('refuse'), seconds: z.number().min(0).max(3_600) }),
  z.strictObject({ kind: z.literal('forget'), share: z.enum(['all', 'half']), times }),
  z.strictObject({ kind: z.literal('partial'), lines: z.array(z.string()).optional(), times }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z.int().min(0).optional(),
    times,
  }),
  z.strictObject({ kind: z.literal('redirect'), times }),
  z.strictObject({ kind: z.literal('large'), times }),
  z.strictObject({ kind: z.literal('html'), times }),
]);
export type ChannelBehaviour = z.output<typeof behaviourSchema>;
