import { AsyncLocalStorage } from 'node:async_hooks';

import type { RequestScope, RequestScopes } from './ports.ts';

/** Which request the present work belongs to, through everything that it awaits. */
export class AsyncRequestScopes implements RequestScopes {
  readonly #storage = new AsyncLocalStorage<RequestScope>();

  current(): RequestScope | undefined {
    return this.#storage.getStore();
  }

  run<T>(scope: RequestScope, work: () => T): T {
    return this.#storage.run(scope, work);
  }
}
