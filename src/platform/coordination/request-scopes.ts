import { AsyncLocalStorage } from 'node:async_hooks';

import type { RequestScope, RequestScopes } from './ports.ts';

/** The scope of the current request, through all that it awaits. */
export class AsyncRequestScopes implements RequestScopes {
  readonly #storage = new AsyncLocalStorage<RequestScope>();

  current(): RequestScope | undefined {
    return this.#storage.getStore();
  }

  run<T>(scope: RequestScope, work: () => T): T {
    return this.#storage.run(scope, work);
  }
}
