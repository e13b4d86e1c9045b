import { AsyncLocalStorage } from 'node:async_hooks';

import type { Turn, Turns } from './ports.ts';

/** Which request the present work belongs to, through everything that it awaits. */
export class AsyncTurns implements Turns {
  readonly #storage = new AsyncLocalStorage<Turn>();

  current(): Turn | undefined {
    return this.#storage.getStore();
  }

  run<T>(turn: Turn, work: () => T): T {
    return this.#storage.run(turn, work);
  }
}
