import { connect, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { Log } from '../../../src/kernel/ports.ts';

/** How often an idle listener is probed. */
const TRY_EVERY_MS = 4_000;
/**
 * How often a probe checks whether it was accepted. Checks are counted and not the time: between two of them the event
 * loop accepts what waits, also in a process that gets no processor for seconds.
 */
const CHECKS = 50;
const CHECK_EVERY_MS = 50;
/** Consecutive failed probes after which a listener counts as failed. */
const MAX_FAILURES = 3;

type Watched = { name: string; server: Server; acceptedAt: number; failures: number; isProbed: boolean };

type AcceptWatchOptions = {
  log: Log;
  /** {@link TRY_EVERY_MS} and {@link CHECKS}, in tests. */
  tryEveryMs?: number;
  checks?: number;
};

/**
 * Detects a listener that no longer accepts connections. On Deno, a listener that ran out of descriptors under load
 * never accepts again, without any error: the process serves nobody while it looks healthy from inside. Only a new
 * process helps.
 */
export class AcceptWatch implements Disposable {
  readonly #options: AcceptWatchOptions;
  readonly #listeners = new Set<Watched>();
  readonly #dead = Promise.withResolvers<string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #ended = false;

  constructor(options: AcceptWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#tryAll(), options.tryEveryMs ?? TRY_EVERY_MS);
    this.#timer.unref?.();
  }

  /** Resolves with the name of the first listener that has failed. */
  get listenerFailed(): Promise<string> {
    return this.#dead.promise;
  }

  /** Watches a server from listening until closing. */
  add(name: string, server: Server): void {
    const watched: Watched = { name, server, acceptedAt: -Infinity, failures: 0, isProbed: false };
    server.prependListener('connection', () => (watched.acceptedAt = performance.now()));
    server.once('close', () => this.#listeners.delete(watched));
    this.#listeners.add(watched);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearInterval(this.#timer);
  }

  async #tryAll(): Promise<void> {
    const due = [...this.#listeners].filter(({ server, isProbed }) => server.listening && !isProbed);
    await Promise.all(due.map((one) => this.#try(one)));
  }

  async #try(watched: Watched): Promise<void> {
    const { log, checks = CHECKS } = this.#options;
    watched.isProbed = true;
    const isAlive = await accepts(watched, checks);
    watched.isProbed = false;
    if (this.#ended) return;
    watched.failures = isAlive ? 0 : watched.failures + 1;
    if (watched.failures < MAX_FAILURES) return;
    log.error({ listener: watched.name }, 'a listener accepts no connections any more; the process ends');
    this.#dead.resolve(watched.name);
    // Reported once: the process cannot recover.
    this[Symbol.dispose]();
  }
}

/** Whether the probe, or another connection in the meantime, was accepted. */
async function accepts(watched: Watched, checks: number): Promise<boolean> {
  const since = performance.now();
  const address = watched.server.address();
  if (typeof address !== 'object' || address === null) return true;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  const socket = connect(address.port, host);
  socket.on('error', () => {});
  try {
    for (let check = 0; check < checks; check++) {
      await pause(CHECK_EVERY_MS);
      if (watched.acceptedAt >= since) return true;
    }
    return false;
  } finally {
    socket.destroy();
  }
}
