import { z } from 'zod';

import { at } from '../../../kernel/contracts/answers.ts';
import { NODE_ROLES } from '../../../kernel/rules/placement.ts';

const healthState = z.enum(['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']);
const count = z.int().min(0);
const seconds = z.number().min(0);

export const nodeAnswer = z.object({
  nodeId: z.string(),
  address: z.string().nullable().describe('Where other nodes reach it; null where it is alone.'),
  role: z.enum(NODE_ROLES),
  build: z.string(),
  runtime: z.string(),
  startedAt: at,
  uptimeSeconds: seconds,
  status: healthState,
  components: z.record(z.string(), healthState),
  breakers: z
    .record(z.string(), z.enum(['CLOSED', 'HALF_OPEN', 'OPEN']))
    .describe('Circuit breaker of each partner, by component; OPEN: no calls for a while.'),
  lease: z.object({ held: z.boolean(), ageSeconds: seconds }),
  view: z.object({ version: count, members: count }),
  shards: z.array(z.int().min(0).max(1023)),
  actors: z.object({ awake: count, queuedCommands: count, queuedBatches: count }),
  live: z.object({ connections: count, properties: count }),
  relay: z.object({ lag: count, oldestAgeSeconds: seconds, sent: count, stopped: count }),
  jobs: z.record(z.string(), count).describe('Jobs that wait or run, by queue.'),
  failedJobs: z
    .array(
      z.object({
        queue: z.string(),
        id: z.string(),
        at,
        attempts: count,
        why: z.string(),
        tenantId: z.string().optional(),
      }),
    )
    .optional()
    .describe('Jobs that are not begun again, the newest ten of each queue. All nodes list the same.'),
  rounds: z
    .array(
      z.object({
        name: z.string(),
        ageSeconds: seconds,
        everyMs: count,
        late: z.boolean(),
        failures: count.optional().describe('Failed runs and items since the start.'),
        tookMs: z.number().min(0).optional().describe('Duration of the last completed run of this node.'),
        error: z.string().optional().describe('The newest failure; absent after a run without failures.'),
        failedItems: z.array(z.string()).optional().describe('Properties, tenants or rows that failed last.'),
      }),
    )
    .optional()
    .describe('Regular rounds: seconds since each last ran or got on; late after three periods.'),
  links: z.object({ calls: count, failures: count }),
  memory: z.object({ rssBytes: count, heapUsedBytes: count }),
  eventLoopDelayMs: z.number().min(0).describe('The longest of the last ten seconds.'),
  takeOvers: z.array(z.object({ nodeId: z.string(), at, why: z.string() })),
});

/** Answer of `GET /ops/cluster`: the report of every node, and nodes that did not answer. */
export const clusterAnswer = z.object({
  at: at.describe('When the nodes were queried.'),
  reports: z.array(nodeAnswer),
  missing: z.array(z.object({ nodeId: z.string(), why: z.string() })),
});
/** The answer as on the wire. */
export type ClusterAnswer = z.input<typeof clusterAnswer>;
export type NodeAnswer = z.input<typeof nodeAnswer>;
