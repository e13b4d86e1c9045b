import type { PropertyView } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import { quiet } from '../../src/testing/actors/running-host.ts';
import { Host } from '../host.ts';
import type { SimulatedDatabase } from './database.ts';
import { RemoteStore } from './remote-store.ts';
import type { SimulatedWorld } from './world.ts';

/** Lease of a node, by the database's clock (docs/concepts/cluster.md#lease). */
const LEASE_MS = 5_000;
const RENEW_MS = 1_000;
const RESTART_MS = 800;
/** Freshness of rates in memory; 300 s would be the whole run. */
export const TRUST_MS = 600;
const TRUST = { checkAfterMs: 400, trustMs: TRUST_MS, waitMs: 400, gatherMs: 50, answerMs: 2_000 };

/** One incarnation of a node's process. */
type Life = { dead: boolean; host: Host; leaseUntil: number };

/** A node: a process with a host, a lease and a clock, which may crash, pause, and restart. */
export class SimulatedNode {
  readonly name: string;
  readonly #world: SimulatedWorld;
  readonly #database: SimulatedDatabase;
  #pausedUntil = 0;
  #skew = 0;
  #life: Life | undefined;

  constructor(name: string, world: SimulatedWorld, database: SimulatedDatabase) {
    this.name = name;
    this.#world = world;
    this.#database = database;
    this.#start();
  }

  /** Whether the directory considers the node alive, by the lease in the database. */
  get alive(): boolean {
    return (this.#database.leases.get(this.name) ?? 0) > this.#world.time.now;
  }

  execute(to: Address, envelope: Envelope): Promise<Reply<unknown>> {
    return this.#call((host) => host.execute(to, envelope));
  }

  view(to: Address): Promise<PropertyView> {
    return this.#call((host) => host.view(to));
  }

  now(): number {
    return this.#world.time.now + this.#skew;
  }

  crash(): void {
    if (!this.#life) return;
    this.#world.note(`${this.name} crashes`);
    this.#life.dead = true;
    this.#life = undefined;
    this.#world.time.after(RESTART_MS, () => this.#start());
  }

  pause(milliseconds: number): void {
    this.#world.note(`${this.name} stands still for ${milliseconds} ms`);
    this.#pausedUntil = this.#world.time.now + milliseconds;
  }

  setClockWrong(by: number): void {
    this.#skew = by;
  }

  #start(): void {
    const life: Life = { dead: false, host: undefined as unknown as Host, leaseUntil: 0 };
    const process = { deliver: (run: () => void) => this.#deliver(life, run) };
    life.host = new Host({
      store: new RemoteStore(this.#world, this.#database, process),
      clock: { now: () => this.now() },
      log: quiet,
      lanes: 2,
      rateFreshness: TRUST,
      mayOwn: () => !life.dead && this.now() < life.leaseUntil,
    });
    this.#life = life;
    this.#renew(life);
  }

  /** Renews the lease every second; once it has expired by the node's own clock, everything stops. */
  #renew(life: Life): void {
    if (life.dead) return;
    const sentAt = this.now();
    const { time, random } = this.#world;
    time.after(random.delay(2, 30), () => {
      if (life.dead || this.#database.away) return;
      this.#database.leases.set(this.name, time.now + LEASE_MS);
      time.after(random.delay(2, 30), () =>
        this.#deliver(life, () => {
          life.leaseUntil = Math.max(life.leaseUntil, sentAt + LEASE_MS);
        }),
      );
    });
    time.after(RENEW_MS, () =>
      this.#deliver(life, () => {
        if (life.leaseUntil > 0 && this.now() >= life.leaseUntil) life.host.abandon();
        this.#renew(life);
      }),
    );
  }

  #call<T>(ask: (host: Host) => Promise<T>): Promise<T> {
    const life = this.#life;
    return new Promise((resolve, reject) => {
      if (!life) return;
      this.#deliver(life, () => {
        const leave = (run: () => void) => () => {
          if (!life.dead) run();
        };
        ask(life.host).then(
          (answer) => leave(() => resolve(answer))(),
          (error: unknown) => leave(() => reject(error))(),
        );
      });
    });
  }

  #deliver(life: Life, run: () => void): void {
    if (life.dead) return;
    const { time } = this.#world;
    if (time.now >= this.#pausedUntil) run();
    else time.after(this.#pausedUntil - time.now, () => this.#deliver(life, run));
  }
}
