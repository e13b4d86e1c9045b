import { LRUCache } from 'lru-cache';

import type { TenantId } from '../../kernel/rules/ids.ts';

/** Tenants whose loaders are cached. */
const MAX_TENANTS = 1_000;

/**
 * Merges reads into one query: those of one moment, and while one runs, new keys are collected for the next (the group
 * commit of reads). Results are in the order of the keys.
 */
class BatchLoader<Q, A> {
  readonly #ask: (questions: readonly Q[]) => Promise<readonly A[]>;
  readonly #most: number;
  #waiting: { question: Q; resolve(answer: A): void; reject(error: unknown): void }[] = [];
  #running = false;

  /** @param most keys of one query */
  constructor(most: number, ask: (questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#most = most;
    this.#ask = ask;
  }

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#running) return;
      this.#running = true;
      queueMicrotask(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const answers = await this.#ask(batch.map(({ question }) => question));
        batch.forEach(({ resolve }, index) => resolve(answers[index]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }
}

/** A {@link BatchLoader} for each tenant: a query sees rows of one. */
export class TenantBatches<Q, A> {
  readonly #ask: (tenantId: TenantId, questions: readonly Q[]) => Promise<readonly A[]>;
  readonly #most: number;
  readonly #loaders = new LRUCache<string, BatchLoader<Q, A>>({ max: MAX_TENANTS });

  /** @param most keys of one query */
  constructor(most: number, ask: (tenantId: TenantId, questions: readonly Q[]) => Promise<readonly A[]>) {
    this.#most = most;
    this.#ask = ask;
  }

  ask(tenantId: TenantId, question: Q): Promise<A> {
    let loader = this.#loaders.get(tenantId);
    if (!loader) {
      loader = new BatchLoader(this.#most, (questions) => this.#ask(tenantId, questions));
      this.#loaders.set(tenantId, loader);
    }
    return loader.ask(question);
  }
}
