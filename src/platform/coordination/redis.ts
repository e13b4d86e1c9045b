import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';

import type { HealthCheck, Log } from '../../kernel/ports.ts';
import { reconnectWhenSilent } from './silent-connection.ts';

/** Patience with Redis, in milliseconds. */
const PATIENCE = {
  /** The start waits this long for it, and goes on without. */
  startMs: 1_000,
  connectMs: 2_000,
  /** Between two tries to connect. */
  againMs: 500,
  /** A connection is pinged this often, and closed without an answer: a machine that is gone sends no FIN. */
  pingMs: 1_000,
  silentMs: 3_000,
};

/** Commands that may wait for an answer; with more of them Redis counts as gone. */
const MAX_COMMANDS = 10_000;

function clientOf(url: string) {
  return createClient({
    url,
    socket: {
      connectTimeout: PATIENCE.connectMs,
      // One on which nothing is written either: it says nothing to the greeting.
      socketTimeout: PATIENCE.silentMs,
      reconnectStrategy: PATIENCE.againMs,
    },
    // What cannot be sent now is refused now: nobody waits for a server that is away.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_COMMANDS,
  });
}

export type RedisClient = ReturnType<typeof clientOf>;

/**
 * The one connection of this process to Redis (`REDIS_URL`). Redis knows nothing that PostgreSQL does not know better
 * (docs/concepts/cluster.md#without-redis-and-after-a-wipe): without it everything goes on, each node by itself.
 */
export class Redis implements AsyncDisposable {
  readonly client: RedisClient;
  readonly #log: Log;
  #isGone = false;
  readonly #over = new AbortController();

  private constructor(url: string, log: Log) {
    this.#log = log;
    this.client = clientOf(url);
    this.client.on('error', (error: unknown) => this.#gone(error));
    this.client.on('ready', () => this.#there());
  }

  /** Connects; a server that is away, or comes later, keeps nobody waiting for more than a second. */
  static async open(url: string, log: Log): Promise<Redis> {
    const redis = new Redis(url, log);
    const connected = redis.client.connect().catch((error: unknown) => redis.#gone(error));
    void reconnectWhenSilent(redis.client, {
      ...PATIENCE,
      signal: redis.#over.signal,
      onGone: (error) => redis.#gone(error),
    });
    await Promise.race([connected, pause(PATIENCE.startMs, undefined, { ref: false })]);
    return redis;
  }

  /** `redis` of the health (docs/operations/health.md#components). */
  readonly health: HealthCheck = {
    essential: false,
    check: async () => {
      await this.client.ping();
      return { status: 'UP' };
    },
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.client.destroy();
  }

  /** Said once, however often it is tried again. */
  #gone(error: unknown): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { code, message } = error as NodeJS.ErrnoException;
    this.#log.warn({ why: code ?? message }, 'Redis is away; this node goes on by itself');
  }

  #there(): void {
    this.#isGone = false;
    this.#log.info({}, 'Redis is there');
  }
}
