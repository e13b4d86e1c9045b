import type { Logger } from 'pino';

import type { HealthCheck } from '../kernel/ports.ts';
import type { Config } from '../platform/config/config.ts';
import { memoryCounters } from '../platform/coordination/memory-counters.ts';
import type { RequestCounters } from '../platform/coordination/ports.ts';
import type { Redis } from '../platform/coordination/redis.ts';

/** Counters of rate limits, with their health. */
type Counting = { counters: RequestCounters; health: [string, HealthCheck][] };

/**
 * Counts requests over all nodes where a Redis is configured, otherwise on this node only
 * (docs/concepts/cluster.md#limits-over-many-nodes).
 * @param installation name of the database, whose nodes share counts
 */
export async function openCounting(
  redis: Redis | undefined,
  installation: () => Promise<string>,
  placement?: CountedFigures,
): Promise<Counting> {
  if (redis === undefined) return { counters: memoryCounters, health: [] };
  const { redisCounters } = await import('../platform/coordination/redis-counters.ts');
  const counters = redisCounters(redis.client, await installation());
  return { counters, health: [['redis', redisHealth(redis.health, placement)]] };
}

/** State of Redis' cluster data, and nodes with a lease that Redis does not name. */
type CountedFigures = { readonly redisTrouble: string | undefined; readonly redisMissing: readonly string[] };

/** A Redis that answers, but whose cluster data is invalid or incomplete, is not UP either. */
export function redisHealth(answers: HealthCheck, placement?: CountedFigures): HealthCheck {
  return {
    essential: answers.essential,
    async check() {
      const health = await answers.check();
      if (health.status !== 'UP' || placement === undefined) return health;
      const { redisTrouble, redisMissing } = placement;
      if (redisTrouble !== undefined)
        return { status: 'DOWN', details: { error: 'it says nothing sensible of the cluster' } };
      if (redisMissing.length === 0) return health;
      return { status: 'DOWN', details: { error: 'nodes with a lease are not in its list', missing: redisMissing } };
    },
  };
}

/** The connection of this process to Redis, if configured. */
export async function openRedis(
  { REDIS_URL: url }: Pick<Config, 'REDIS_URL'>,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<Redis | undefined> {
  if (url === undefined) return undefined;
  // The library is large, and a single node never needs it.
  const { Redis } = await import('../platform/coordination/redis.ts');
  return stack.use(await Redis.open(url, log));
}
