import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { startPostgres } from '../../src/platform/launch/database/postgres.mjs';
import type { Say } from './cache.ts';
import { Kafka } from './kafka.ts';
import { Ledger } from './ledger.ts';
import { PARTS, type Part, VARIABLES } from './parts.ts';
import { Redis } from './redis.ts';
import { Registry } from './registry.ts';

/** The requested parts; the others are absent. */
export type Services = AsyncDisposable & {
  readonly kafka?: Kafka;
  readonly registry?: Registry;
  readonly redis?: Redis;
  readonly postgres?: { readonly url: string };
  /** DATABASE_URL, REDIS_URL, KAFKA_BROKERS, SCHEMA_REGISTRY_URL, as far as they were started. */
  readonly env: Readonly<Record<string, string>>;
  /** How long each part took to be usable, in milliseconds. */
  readonly startedIn: Readonly<Partial<Record<Part, number>>>;
};

export type StartServices = {
  readonly only?: readonly Part[];
  /** Stays afterwards; without it a temporary folder. */
  readonly dataDir?: string;
  readonly say?: Say;
};

/**
 * Starts real parts on free ports of 127.0.0.1, and gets those that are not there yet. Disposing of them ends their
 * processes; those of an owner that was killed are ended by the next call.
 * @throws Error that says which part does not start, and why
 */
export async function startServices({
  only = PARTS,
  dataDir,
  say = () => {},
}: StartServices = {}): Promise<Services> {
  const ledger = await Ledger.open(dataDir);
  const kill = (): void => ledger.killAll();
  process.once('exit', kill);
  const ends: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const one of ends.splice(0).reverse()) await one();
    process.removeListener('exit', kill);
    ledger.close();
  };
  const startedIn: Partial<Record<Part, number>> = {};
  const env: Record<string, string> = {};
  const begin = async <T>(
    part: Part,
    start: () => Promise<T>,
    stop: (one: T) => Promise<void>,
    url: (one: T) => string,
  ) => {
    if (!only.includes(part)) return undefined;
    const began = performance.now();
    const one = await start();
    ends.push(() => stop(one));
    startedIn[part] = Math.round(performance.now() - began);
    env[VARIABLES[part]] = url(one);
    return one;
  };
  try {
    const postgres = await begin(
      'postgres',
      () => database(ledger),
      (one) => one.stop(),
      ({ url }) => url,
    );
    const redis = await begin(
      'redis',
      () => Redis.start(ledger),
      (one) => one.stop(),
      ({ url }) => url,
    );
    const kafka = await begin(
      'kafka',
      () => Kafka.start(ledger, say),
      (one) => one.stop(),
      ({ brokers }) => brokers,
    );
    const registry = await begin(
      'registry',
      () => Registry.start(ledger, say),
      (one) => one.stop(),
      ({ url }) => url,
    );
    return { postgres, redis, kafka, registry, env, startedIn, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function database(ledger: Ledger) {
  const server = await startPostgres({ dataDir: join(ledger.folder, 'postgres') });
  ledger.note(server.pid);
  return server;
}
