import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { DEMO_PROPERTIES } from '../../demo/rules/hotels.ts';
import { hasActors } from '../../kernel/rules/placement.ts';
import type { Config } from '../../platform/config/config.ts';
import { DEMO_DAYS, DEMO_SEED, orderOf } from './demo-order.ts';
import type { PastOrder, PlayedRecent } from './past-order.ts';
import { PastThread } from './past-thread.ts';

type Early = { order: PastOrder; thread: PastThread; recent: Promise<PlayedRecent> };

/**
 * Pasts that are played while the database is migrated: a first start would wait for them otherwise. Those of a
 * database that has properties already are thrown away.
 */
export class EarlyPasts implements AsyncDisposable {
  readonly #pasts = new Map<string, Early>();

  constructor(config: Config) {
    // The file is written a moment later: who has it was started before, and has his hotels.
    const isFirst = !existsSync(join(config.dataDir, 'node-id'));
    const lives = config.developmentParts && config.DEMO === '1' && hasActors(config.NODE_ROLE);
    if (!isFirst || !lives) return;
    for (const property of DEMO_PROPERTIES.filter(({ market }) => market)) {
      const of = { seed: DEMO_SEED, days: DEMO_DAYS, secretKeys: config.secretKeys, policies: {} };
      const order = orderOf(property, { ...of, now: Date.now() });
      const thread = new PastThread(order);
      const recent = thread.recent();
      // Who takes it learns of a failure.
      recent.catch(() => undefined);
      this.#pasts.set(property.propertyId, { order, thread, recent });
    }
  }

  /** Takes the past of a property, with its thread. */
  take(propertyId: string): Early | undefined {
    const early = this.#pasts.get(propertyId);
    this.#pasts.delete(propertyId);
    return early;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pasts.values()].map(({ thread }) => thread[Symbol.asyncDispose]()));
  }
}
