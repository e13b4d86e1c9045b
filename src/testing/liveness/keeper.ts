import type { Client } from 'pg';

import type { KeeperThread } from '../../platform/coordination/keeper-thread.ts';
import {
  type FromKeeper,
  LEASE_CONNECTION,
  LeaseKeeper,
  type ToKeeper,
} from '../../platform/coordination/lease-keeper.ts';
import { LeaseMemory } from '../../platform/coordination/lease-memory.ts';
import { SYSTEM_IDLE } from '../../platform/database/connection.ts';
import { SimulatedConnection } from './connection.ts';
import type { SimulatedPostgres } from './postgres.ts';
import type { SimulatedThread } from './thread.ts';
import type { Network } from './way.ts';
import type { LivenessWorld } from './world.ts';

type Parts = { world: LivenessWorld; server: SimulatedPostgres; main: SimulatedThread; network: Network };

/** The thread of a lease in a simulated process: the real keeper, on its own clock and its own connections. */
export class SimulatedKeeper implements KeeperThread {
  readonly memory = new LeaseMemory();
  readonly thread: SimulatedThread;
  readonly connections = new Set<SimulatedConnection>();
  readonly ended: Promise<void>;
  readonly #parts: Parts;
  readonly #keeper: LeaseKeeper;
  #setEnded: () => void = () => undefined;
  #hear: (message: FromKeeper) => void = () => undefined;
  #died: (why: string) => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.thread = parts.world.thread();
    this.ended = new Promise((resolve) => (this.#setEnded = resolve));
    this.#keeper = new LeaseKeeper({
      connect: () => this.#connect(),
      notify: (message) => this.#notify(message),
      scheduler: this.thread,
    });
  }

  listen(hear: (message: FromKeeper) => void, died: (why: string) => void): void {
    this.#hear = hear;
    this.#died = died;
  }

  send(message: ToKeeper): void {
    if (this.#parts.main.hasEnded) return;
    this.#parts.world.time.after(0, () => this.thread.deliver(() => this.#keeper.notified(message)));
  }

  async terminate(): Promise<void> {
    this.die();
  }

  /** Ends, by itself or by its process; the system closes its connections. */
  die(): void {
    if (this.thread.hasEnded) return;
    this.thread.end();
    for (const connection of this.connections) connection.leave();
    this.#parts.main.deliver(() => {
      this.#setEnded();
      this.#died('it ended');
    });
  }

  #notify(message: FromKeeper): void {
    if (this.thread.hasEnded) return;
    this.#parts.world.time.after(0, () => this.#parts.main.deliver(() => this.#hear(message)));
  }

  async #connect(): Promise<Client> {
    const { server, network } = this.#parts;
    const options = { ...LEASE_CONNECTION, settings: { ...SYSTEM_IDLE, ...LEASE_CONNECTION.settings } };
    const connection = new SimulatedConnection({ server, thread: this.thread, network }, options);
    this.connections.add(connection);
    connection.once('end', () => this.connections.delete(connection));
    return (await connection.open(options)) as unknown as Client;
  }
}
