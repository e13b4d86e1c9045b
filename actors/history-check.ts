import type { Log } from '../src/kernel/ports.ts';
import { addressKey } from '../src/kernel/rules/caller.ts';
import type { PropertyStore, SeenPosition } from '../src/property-store/ports.ts';

/**
 * Notices that history was rewound under this node: the database came back without what it had acknowledged, as after a
 * fail-over to an asynchronous standby (docs/concepts/commit-and-fence.md#rewound-history).
 */
export class HistoryCheck {
  readonly #store: Pick<PropertyStore, 'rewound'>;
  readonly #log: Log;
  readonly #seen = new Map<string, SeenPosition>();
  #checking: Promise<void> | undefined;
  /** Properties that came back without what had been acknowledged, since the start. */
  rewound = 0;

  constructor(store: Pick<PropertyStore, 'rewound'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Remembers what was committed of a property that this node did not give up in order: it lost its lease, or the fence
   * refused a commit. After a fail-over commits may reach the new primary while the lease is still held at the earlier
   * one, so the loss of the lease alone would come too late.
   */
  remember(position: SeenPosition): void {
    if (position.seq > 0) this.#seen.set(addressKey(position.to), position);
  }

  /**
   * Compares what is remembered with the database, once, before the first property is activated again. Callers at the
   * same time share the comparison; after a failure the next one begins another.
   * @returns nothing when there is nothing to wait for
   */
  done(): Promise<void> | undefined {
    if (this.#seen.size === 0) return undefined;
    // What was remembered since a comparison began is not in it: properties are fenced one by one.
    if (this.#checking) return this.#checking.then(() => this.done());
    return (this.#checking = this.#check().finally(() => (this.#checking = undefined)));
  }

  async #check(): Promise<void> {
    const seen = [...this.#seen];
    for (const { to, seq: stored, generation } of await this.#store.rewound(seen.map(([, position]) => position))) {
      const property = addressKey(to);
      this.rewound += 1;
      const known = this.#seen.get(property)?.seq;
      this.#log.error({ property, known, stored, generation }, 'history was rewound: committed changes are lost');
    }
    for (const [key, position] of seen) if (this.#seen.get(key) === position) this.#seen.delete(key);
  }
}
