import type { Log } from '../../kernel/ports.ts';
import type { CursorAddress } from '../../subscriptions/ports.ts';
import type { Webhooks } from '../ports.ts';
import type { WebhookDelivery } from '../rules/webhook.ts';

/** Deliveries within this time are stored together. */
const GATHER_MS = 250;
/** Of one webhook and one time: more are counted by nobody, the newest and those that failed are what people read. */
const MAX_OF_ONE = 50;
/** Webhooks whose deliveries wait. */
const MAX_WAITING = 2_000;

type Kept = { tenantId: string; webhookId: string; delivery: WebhookDelivery };

/** Stores what was sent, for people who look; a crash may lose the last of it, and nothing waits for it. */
export class DeliveryLog implements AsyncDisposable {
  readonly #waiting = new Map<string, Kept[]>();
  readonly #store: Pick<Webhooks, 'keepDeliveries'>;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(store: Pick<Webhooks, 'keepDeliveries'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  add({ tenantId, subscriptionId: webhookId }: CursorAddress, delivery: WebhookDelivery): void {
    const some = this.#waiting.get(webhookId) ?? [];
    if (some.length === 0 && this.#waiting.size >= MAX_WAITING) return;
    some.push({ tenantId, webhookId, delivery });
    if (some.length > MAX_OF_ONE) {
      const taken = some.findIndex(({ delivery: { failure } }) => failure === undefined);
      some.splice(Math.max(taken, 0), 1);
    }
    this.#waiting.set(webhookId, some);
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#storing;
  }

  #flush(): void {
    this.#timer = undefined;
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#storing = this.#storing.then(() => this.#keep(all));
  }

  async #keep(all: readonly Kept[]): Promise<void> {
    for (const tenantId of new Set(all.map((one) => one.tenantId)))
      try {
        await this.#store.keepDeliveries(
          tenantId,
          all.filter((one) => one.tenantId === tenantId),
        );
      } catch (error) {
        this.#log.warn({ error: String(error).slice(0, 200) }, 'deliveries of webhooks are not listed');
      }
  }
}
