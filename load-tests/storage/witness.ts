import type { Answer } from '../../test/blackbox/http.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import type { StorageWorld } from './world.ts';

const EVERY_MS = 400;
const ANSWER_MS = 4_000;

type HealthAnswer = { components?: Record<string, { status: string; details?: { reason?: string } }> };

/** Reads during a fault, and what health says. */
export class FaultWitness {
  reads = { answered: 0, failed: 0 };
  /** What health named, as `component: reason`. */
  readonly named = new Set<string>();
  readonly #world: StorageWorld;
  readonly #reservationId: string;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(world: StorageWorld, reservationId: string) {
    this.#world = world;
    this.#reservationId = reservationId;
    this.#running = this.#watch();
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const [read, health] = await Promise.all([this.#read(), this.#health()]);
      this.reads[read?.status === 200 ? 'answered' : 'failed'] += 1;
      if (health === undefined) this.named.add('no answer');
      for (const [name, { status, details }] of Object.entries(health?.json.components ?? {}))
        if (status !== 'UP' && status !== 'UNKNOWN') this.named.add(`${name} ${status}`);
        else if (details && 'rewound' in details) this.named.add(`${name}: rewound`);
      await pause(EVERY_MS);
    }
  }

  #read(): Promise<Answer<unknown> | undefined> {
    return inTime(this.#world.property.read(this.#reservationId));
  }

  #health(): Promise<Answer<HealthAnswer> | undefined> {
    const { service } = this.#world;
    return inTime(service.call<HealthAnswer>('GET', `${service.dev.reservationUrl}/actuator/health`));
  }
}

const inTime = <T>(sent: Promise<T>): Promise<T | undefined> =>
  Promise.race([sent.catch(() => undefined), pause(ANSWER_MS).then(() => undefined)]);
