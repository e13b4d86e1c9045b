import { connect, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { Log } from '../../../src/kernel/ports.ts';

/** How often an idle listener is probed, and how long a probe may take. */
const TRY_EVERY_MS = 4_000;
const TRY_WITHIN_MS = 2_500;
/** How often a probe checks whether it was accepted. */
const LOOK_EVERY_MS = 50;
/** Consecutive failed probes after which a listener counts as failed. */
const MAX_FAILURES = 3;

type Watched = { name: string; server: Server; acceptedAt: number; failures: number };

type AcceptWatchOptions = {
  log: Log;
  /** {@link TRY_EVERY_MS} and {@link TRY_WITHIN_MS}, in tests. */
  tryEveryMs?: number;
  tryWithinMs?: number;
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
    const watched: Watched = { name, server, acceptedAt: -Infinity, failures: 0 };
    server.prependListener('connection', () => (watched.acceptedAt = performance.now()));
    server.once('close', () => this.#listeners.delete(watched));
    this.#listeners.add(watched);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearInterval(this.#timer);
  }

  async #tryAll(): Promise<void> {
    await Promise.all([...this.#listeners].filter(({ server }) => server.listening).map((one) => this.#try(one)));
  }

  async #try(watched: Watched): Promise<void> {
    const { log, tryWithinMs = TRY_WITHIN_MS } = this.#options;
    const began = performance.now();
    const isAlive = await accepts(watched, began, tryWithinMs);
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
async function accepts(watched: Watched, since: number, withinMs: number): Promise<boolean> {
  const address = watched.server.address();
  if (typeof address !== 'object' || address === null) return true;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  const socket = connect(address.port, host);
  socket.on('error', () => {});
  try {
    for (const end = since + withinMs; performance.now() < end; await pause(LOOK_EVERY_MS))
      if (watched.acceptedAt >= since) return true;
    // An event loop that was blocked reads pending events first.
    await pause(0);
    return watched.acceptedAt >= since;
  } finally {
    socket.destroy();
  }
}
