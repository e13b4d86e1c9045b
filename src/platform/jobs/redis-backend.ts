import type * as BullMQ from 'bullmq';

import type { Log } from '../../kernel/ports.ts';
import { type Answering, reconnectWhenSilent } from '../coordination/silent-connection.ts';
import type { Backend } from './backend.ts';

/** Patience with Redis, in milliseconds. */
const PATIENCE = {
  openMs: 2_000,
  connectMs: 2_000,
  againMs: 500,
  /** A connection is pinged this often, and reconnected without an answer: a machine that is gone sends no FIN. */
  pingMs: 1_000,
  silentMs: 3_000,
};

/** A worker waits for its next job so long at a time while no delayed job is known. */
const LOOK_SECONDS = 5;

/** What a waiting connection may be silent beyond the longest wait: BullMQ itself gives a wait up a second after it. */
const WAITING_SLACK_MS = 3_000;

/** Commands that may wait for an answer; with more of them Redis counts as gone. */
const MAX_COMMANDS = 10_000;

/** What node-redis says of a connection that is away, in the moment or for good. */
const AWAY = new Set([
  'ClientClosedError',
  'ClientOfflineError',
  'ConnectionTimeoutError',
  'DisconnectsClientError',
  'SocketClosedUnexpectedlyError',
  'SocketTimeoutError',
]);

/** The part of a client that we use; its whole type names every module that there may be. */
type Raw = {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  on(event: 'ready', listener: () => void): unknown;
} & Answering;
type Adapted = ReturnType<typeof BullMQ.createNodeRedisClient>;

type Options = {
  url: string;
  /** Of the database whose jobs these are: several may share one Redis. */
  installation: () => Promise<string>;
  log: Log;
};

/**
 * BullMQ on Redis: one connection for all queues, and one for each worker to wait on. Loaded only now: it takes a
 * quarter of the time that the service starts in.
 * @throws Error when Redis is not there
 */
export async function openRedisBackend({ url, installation, log }: Options): Promise<Backend> {
  const [bullmq, { createClient }] = await Promise.all([import('bullmq'), import('redis')]);
  const prefix = `innkeeper:jobs:${await installation()}`;
  const all = new Set<Raw>();
  const clientOf = (socketTimeout: number): Raw => {
    const { connectMs: connectTimeout, againMs: reconnectStrategy } = PATIENCE;
    const socket = { connectTimeout, reconnectStrategy, socketTimeout };
    // What cannot be sent now is refused now: the caller gets an error.
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
  // What cannot be made anew says so itself, as an error of the client.
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
 * How long the connection that a worker waits on may be silent, in milliseconds. Never less than BullMQ lets Redis
 * hold a wait back, which is longer than LOOK_SECONDS once a delayed job is known: a wait that ends with its
 * connection gives the worker no result, and it waits anew instead of looking which delayed jobs are due, so no round
 * would ever come again. A connection that is lost in silence is given up after this at the latest, and the wait is
 * begun on a new one.
 */
export function waitingSilentMs({ RedisQueueBackend }: Pick<typeof BullMQ, 'RedisQueueBackend'>): number {
  const longestWaitSeconds = Math.max(RedisQueueBackend.prototype.maximumBlockTimeout, LOOK_SECONDS);
  return longestWaitSeconds * 1_000 + WAITING_SLACK_MS;
}

/** BullMQ's view of a client. */
function adapted({ createNodeRedisClient, ConnectionClosedError }: typeof BullMQ, raw: Raw): Adapted {
  const client = createNodeRedisClient(raw);
  const emit = client.emit.bind(client);
  // Every queue and every worker would pass on each failure of the one connection; it is logged once, by `tellOnce`.
  client.emit = (event, ...values) => event === 'error' || emit(event, ...values);
  const lost = (error: unknown): never => {
    const away = error instanceof Error && AWAY.has(error.constructor.name);
    throw away ? new ConnectionClosedError(error.message, error) : error;
  };
  // BullMQ knows these errors of ioredis only. With them a worker does not count a job as failed whose end could not
  // be noted: it notes it when Redis is back.
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

/** However often it is tried again. */
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
