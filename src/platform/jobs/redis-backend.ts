import type * as BullMQ from 'bullmq';

import type { Log } from '../../kernel/ports.ts';
import { type Answering, reconnectWhenSilent } from '../coordination/silent-connection.ts';
import type { Backend } from './backend.ts';

/** Time limits of Redis, in milliseconds. */
const PATIENCE = {
  openMs: 2_000,
  connectMs: 2_000,
  againMs: 500,
  /** Interval of pings; a connection without answers is reconnected, since a dead machine sends no FIN. */
  pingMs: 1_000,
  silentMs: 3_000,
};

/** How long a worker waits for its next job at a time while no delayed job is known. */
const LOOK_SECONDS = 5;

/** Silence of a waiting connection beyond the longest wait: BullMQ itself ends a wait a second after it. */
const WAITING_SLACK_MS = 3_000;

/** Pending commands beyond which Redis counts as unavailable. */
const MAX_COMMANDS = 10_000;

/** Messages of node-redis for an unavailable connection, temporarily or for good. */
const AWAY = new Set([
  'ClientClosedError',
  'ClientOfflineError',
  'ConnectionTimeoutError',
  'DisconnectsClientError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
]);

/** The used part of a client; its whole type names every possible module. */
type Raw = {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  on(event: 'ready', listener: () => void): unknown;
} & Answering;
type Adapted = ReturnType<typeof BullMQ.createNodeRedisClient>;

type Options = {
  url: string;
  /** Name of the database: several may share one Redis. */
  installation: () => Promise<string>;
  log: Log;
};

/**
 * BullMQ on Redis: one connection for all queues, and one per worker to wait on. Loaded on demand: it takes a quarter
 * of the service's start time.
 * @throws Error when Redis is unavailable
 */
export async function openRedisBackend({ url, installation, log }: Options): Promise<Backend> {
  const [bullmq, { createClient }] = await Promise.all([import('bullmq'), import('redis')]);
  const prefix = `innkeeper:jobs:${await installation()}`;
  const all = new Set<Raw>();
  const clientOf = (socketTimeout: number): Raw => {
    const { connectMs: connectTimeout, againMs: reconnectStrategy } = PATIENCE;
    const socket = { connectTimeout, reconnectStrategy, socketTimeout };
    // A command that cannot be sent fails at once.
    const refusing = { disableOfflineQueue: true, commandsQueueMaxLength: MAX_COMMANDS };
    const raw = createClient({ url, socket, ...refusing });
    all.add(raw);
    return raw;
  };
  const over = new AbortController();
  const destroy = (): void => {
    over.abort();
    all.forEach((raw) => raw.destroy());
  };
  const raw = clientOf(PATIENCE.silentMs);
  reportOnce(raw, log);
  await reached(raw);
  // A connection that cannot be replaced reports an error of the client.
  void reconnectWhenSilent(raw, { ...PATIENCE, signal: over.signal, onGone: () => undefined });
  const connection = adapted(bullmq, raw);
  connection.duplicate = () => adapted(bullmq, clientOf(waitingSilentMs(bullmq)));
  const { UnrecoverableError, WaitingError } = bullmq;
  return {
    name: 'Redis',
    queue: (name, options) => new bullmq.Queue(name, { ...options, prefix, connection }),
    worker: (name, work, options) =>
      new bullmq.Worker(name, work, { ...options, prefix, connection, drainDelay: LOOK_SECONDS }),
    UnrecoverableError,
    WaitingError,
    check: async () => void (await raw.ping()),
    close: async () => destroy(),
    destroy,
  };
}

/**
 * How long a worker's waiting connection may be silent, in milliseconds. Never less than BullMQ lets Redis hold a
 * wait, which is longer than LOOK_SECONDS once a delayed job is known: a wait that ends with its connection gives no
 * result, and the worker waits anew instead of checking for due delayed jobs, so no repeated job would ever run again.
 * A silently lost connection is given up after this time, and the wait continues on a new one.
 */
export function waitingSilentMs({ RedisQueueBackend }: Pick<typeof BullMQ, 'RedisQueueBackend'>): number {
  const longestWaitSeconds = Math.max(RedisQueueBackend.prototype.maximumBlockTimeout, LOOK_SECONDS);
  return longestWaitSeconds * 1_000 + WAITING_SLACK_MS;
}

/** A client in the interface that BullMQ expects. */
function adapted({ createNodeRedisClient, ConnectionClosedError }: typeof BullMQ, raw: Raw): Adapted {
  const client = createNodeRedisClient(raw);
  const emit = client.emit.bind(client);
  // Every queue and worker would report each failure of the one connection; `reportOnce` logs it once.
  client.emit = (event, ...values) => event === 'error' || emit(event, ...values);
  const lost = (error: unknown): never => {
    const away = error instanceof Error && AWAY.has(error.constructor.name);
    throw away ? new ConnectionClosedError(error.message, error) : error;
  };
  // BullMQ only knows these errors of ioredis. With them a worker does not count a job as failed when its end could
  // not be recorded: it records it when Redis is back.
  const run = client.runCommand.bind(client);
  const wait = client.bzpopmin.bind(client);
  client.runCommand = async (name, values) => run(name, values).catch(lost);
  client.bzpopmin = async (...values) => wait(...values).catch(lost);
  return client;
}

/** @throws Error when it does not answer in time */
async function reached(raw: Raw): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer')), PATIENCE.openMs);
  });
  try {
    await Promise.race([raw.connect(), late]);
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Logged once, however often it is retried. */
function reportOnce(raw: Raw, log: Log): void {
  let isGone = false;
  raw.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone) log.warn({ why: error.code ?? error.message }, 'Redis is away; jobs wait');
    isGone = true;
  });
  raw.on('ready', () => {
    if (isGone) log.info({}, 'Redis is there again; jobs go on');
    isGone = false;
  });
}
