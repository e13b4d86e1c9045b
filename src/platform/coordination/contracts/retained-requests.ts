import { z } from 'zod';

import { at } from '../../../kernel/contracts/answers.ts';

/** Slow and failed requests with their spans (docs/operations/health.md#slow-requests). */

export const requestsQuery = z.object({
  route: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of method and route, such as `POST` or `reservations`.'),
  tenantId: z.string().min(1).max(50).optional(),
  nodeId: z.string().min(1).max(100).optional(),
});
export type RequestsQuery = z.infer<typeof requestsQuery>;

const milliseconds = z.number().min(0);

const spanAnswer = z.object({
  id: z.string(),
  parent: z.string().optional(),
  name: z.string().meta({ examples: ['lane commit'] }),
  startMs: milliseconds.describe('Since the start of the request.'),
  ms: milliseconds,
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe('Ids and counts, no people.'),
});

const retainedRequestAnswer = z.object({
  id: z.string().describe('Of this list; `requestId` is that of the answer.'),
  nodeId: z.string(),
  at,
  ms: milliseconds,
  failed: z.boolean(),
  route: z.string().meta({ examples: ['POST /api/v1/reservations'] }),
  status: z.int().optional(),
  requestId: z.string().optional(),
  tenantId: z.string().optional(),
  spans: z.array(spanAnswer),
});

export const requestsAnswer = z.object({
  items: z.array(retainedRequestAnswer),
  missing: z.array(z.object({ nodeId: z.string(), why: z.string() })),
});
export type RequestsAnswer = z.input<typeof requestsAnswer>;
export type RetainedRequestAnswer = z.input<typeof retainedRequestAnswer>;
