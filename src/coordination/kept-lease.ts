import type { Client } from 'pg';

import type { Log } from '../ports/log.ts';
import { Lease } from './lease.ts';

const RETRY_MS = 500;

export type KeptLeaseOptions = {
  nodeId: string;
  connect(): Promise<Client>;
  log: Log;
  renewed(now: number): void;
};

/** A lease that is taken again after it was lost, so that a database that comes back finds its node at work. */
export class KeptLease implements AsyncDisposable {
  readonly #options: KeptLeaseOptions;
  #lease: Lease | undefined;
  #client: Client | undefined;
  #lost: () => void = () => undefined;
  #ended = false;
  #renewedAt = 0;

  private constructor(options: KeptLeaseOptions) {
    this.#options = options;
  }

  /** @throws Error with one clear line when another process has the node's lock */
  static async take(options: KeptLeaseOptions): Promise<KeptLease> {
    const kept = new KeptLease(options);
    await kept.#take();
    return kept;
  }

  get held(): boolean {
    return this.#lease?.held ?? false;
  }

  /** Seconds since PostgreSQL last said that it holds; since the start of the process where it never did. */
  get ageSeconds(): number {
    return (performance.now() - this.#renewedAt) / 1_000;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  /** The connection of the lease, for the few questions that span tenants. */
  async client(): Promise<Client> {
    if (!this.#client) throw new Error('the database connection of this node is lost');
    return this.#client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#lease?.[Symbol.asyncDispose]();
  }

  async #take(): Promise<void> {
    const { nodeId, log } = this.#options;
    const renewed = (now: number): void => {
      this.#renewedAt = performance.now();
      this.#options.renewed(now);
    };
    const client = await this.#options.connect();
    try {
      this.#lease = await Lease.take({ nodeId, client, log, renewed, lost: () => this.#retake() });
      this.#client = client;
      if (this.#ended) await this.#lease[Symbol.asyncDispose]();
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #retake(): void {
    const lost = this.#client;
    this.#lease = undefined;
    this.#client = undefined;
    lost?.end().catch(() => undefined);
    this.#lost();
    const again = (): void => {
      if (this.#ended) return;
      this.#take().catch(() => setTimeout(again, RETRY_MS));
    };
    setTimeout(again, RETRY_MS);
  }
}
