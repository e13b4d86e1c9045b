import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'redis';

import type { HealthCheck, Log } from '../../kernel/ports.ts';
import { reconnectWhenSilent } from './silent-connection.ts';

/** Time limits of Redis, in milliseconds. */
const PATIENCE = {
  /** How long the start waits for it; it continues without. */
  startMs: 1_000,
  connectMs: 2_000,
  /** Pause between connection attempts. */
  againMs: 500,
  /** Interval of pings; a connection without answers is closed, since a dead machine sends no FIN. */
  pingMs: 1_000,
  silentMs: 3_000,
};

/** Pending commands beyond which Redis counts as unavailable. */
const MAX_COMMANDS = 10_000;

function clientOf(url: string) {
  return createClient({
    url,
    socket: {
      connectTimeout: PATIENCE.connectMs,
      // Also for a connection on which nothing is written: it does not answer the greeting.
      socketTimeout: PATIENCE.silentMs,
      reconnectStrategy: PATIENCE.againMs,
    },
    // A command that cannot be sent fails at once: nobody waits for an unavailable server.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_COMMANDS,
  });
}

export type RedisClient = ReturnType<typeof clientOf>;

/**
 * The one connection of this process to Redis (`REDIS_URL`). PostgreSQL is authoritative for everything in Redis
 * (docs/concepts/cluster.md#without-redis-and-after-a-wipe): without it each node continues by itself.
 */
export class Redis implements AsyncDisposable {
  readonly client: RedisClient;
  readonly #log: Log;
  #isGone = false;
  /** Why it is away: a refused password, and not only that there is no connection. */
  #why: string | undefined;
  readonly #over = new AbortController();

  private constructor(url: string, log: Log) {
    this.#log = log;
    this.client = clientOf(url);
    this.client.on('error', (error: unknown) => this.#gone(error));
    this.client.on('ready', () => this.#there());
  }

  /** Connects; an unavailable server delays the start by a second at most. */
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
      if (this.#why !== undefined && !this.client.isReady) throw new Error(this.#why);
      await this.client.ping();
      return { status: 'UP' };
    },
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.client.destroy();
  }

  /** Logged once, however often it is retried. */
  #gone(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.#why = code ?? message;
    if (this.#isGone) return;
    this.#isGone = true;
    this.#log.warn({ why: this.#why }, 'Redis is away; this node goes on by itself');
  }

  #there(): void {
    this.#isGone = false;
    this.#why = undefined;
    this.#log.info({}, 'Redis is there');
  }
}
