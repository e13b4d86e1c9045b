import type { PropertyView } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import { quiet } from '../../src/testing/actors/running-host.ts';
import { Host } from '../host.ts';
import type { SimulatedDatabase } from './database.ts';
import { RemoteStore } from './remote-store.ts';
import type { NodeStep } from './scenario/steps.ts';
import type { SimulatedWorld } from './world.ts';

/** Lease of a node, by the database's clock (docs/concepts/cluster.md#lease). */
const LEASE_MS = 5_000;
const RENEW_MS = 1_000;
const RESTART_MS = 800;
/** A node that announces itself in PostgreSQL only is added by all others after this (docs/concepts/cluster.md#placement). */
const UNSEEN_MS = 1_000;
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
  #noDatabaseUntil = 0;
  #noRedisFrom = 0;
  #noRedisUntil = 0;
  #lastMembers: readonly SimulatedNode[] = [];
  #losesAnswer = false;
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

  /** Whether the others know of it: not at once, while it is cut from Redis. */
  get isSeen(): boolean {
    return !this.#hasNoRedis || this.#world.time.now >= this.#noRedisFrom + UNSEEN_MS;
  }

  /** The members that it knew when it was cut from Redis, while it is. */
  get lastMembers(): readonly SimulatedNode[] | undefined {
    return this.#hasNoRedis ? this.#lastMembers : undefined;
  }

  get #hasNoRedis(): boolean {
    return this.#world.time.now < this.#noRedisUntil;
  }

  get #hasNoDatabase(): boolean {
    return this.#world.time.now < this.#noDatabaseUntil;
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
    this.#world.see({ kind: 'node', node: this.name, text: `${this.name} is gone, with its memory` });
    this.#world.time.after(RESTART_MS, () => this.#start());
  }

  pause(milliseconds: number): void {
    this.#world.note(`${this.name} stands still for ${milliseconds} ms`);
    this.#pausedUntil = this.#world.time.now + milliseconds;
    this.#world.see({ kind: 'node', node: this.name, text: `${this.name} stands still for ${milliseconds} ms` });
  }

  /** Nothing arrives at the database or comes back, also no renewal of the lease. */
  cutFromDatabase(milliseconds: number): void {
    this.#world.note(`${this.name} is cut from the database for ${milliseconds} ms`);
    this.#noDatabaseUntil = this.#world.time.now + milliseconds;
  }

  /** @param members that it knew last */
  cutFromRedis(milliseconds: number, members: readonly SimulatedNode[]): void {
    this.#world.note(`${this.name} is cut from Redis for ${milliseconds} ms`);
    this.#noRedisFrom = this.#world.time.now;
    this.#noRedisUntil = this.#noRedisFrom + milliseconds;
    this.#lastMembers = members;
  }

  loseNextAnswer(): void {
    this.#losesAnswer = true;
  }

  /** The node as a page shows it. */
  step(properties: readonly Address[]): NodeStep {
    const { now } = this.#world.time;
    const life = this.#life;
    const actors = properties.flatMap((to) => {
      const figures = life?.host.actorFigures(to);
      return figures
        ? [{ property: to.propertyId, epoch: figures.epoch, seq: figures.seq, queued: figures.queued }]
        : [];
    });
    const cutFrom = [
      this.#hasNoRedis ? (['redis'] as const) : [],
      this.#hasNoDatabase ? (['database'] as const) : [],
    ].flat();
    return {
      name: this.name,
      state: !life ? 'down' : now < this.#pausedUntil ? 'paused' : 'running',
      leaseMs: life ? life.leaseUntil - this.now() : 0,
      storedLeaseMs: (this.#database.leases.get(this.name) ?? 0) - now,
      skewMs: this.#skew,
      cutFrom,
      actors,
    };
  }

  setClockWrong(by: number): void {
    this.#skew = by;
  }

  #start(): void {
    const life: Life = { dead: false, host: undefined as unknown as Host, leaseUntil: 0 };
    const process = {
      name: this.name,
      deliver: (run: () => void) => this.#deliver(life, run),
      isCut: () => this.#hasNoDatabase,
      losesAnswer: () => this.#takeLostAnswer(),
    };
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
    this.#world.see({ kind: 'node', node: this.name, text: `${this.name} starts` });
  }

  #takeLostAnswer(): boolean {
    const loses = this.#losesAnswer;
    this.#losesAnswer = false;
    return loses;
  }

  /** Renews the lease every second; once it has expired by the node's own clock, everything stops. */
  #renew(life: Life): void {
    if (life.dead) return;
    const sentAt = this.now();
    const { time, random } = this.#world;
    time.after(random.delay(2, 30), () => {
      if (life.dead || this.#database.away || this.#hasNoDatabase) return;
      this.#database.leases.set(this.name, time.now + LEASE_MS);
      time.after(random.delay(2, 30), () =>
        this.#deliver(life, () => {
          life.leaseUntil = Math.max(life.leaseUntil, sentAt + LEASE_MS);
        }),
      );
    });
    time.after(RENEW_MS, () =>
      this.#deliver(life, () => {
        if (life.leaseUntil > 0 && this.now() >= life.leaseUntil) {
          life.host.abandon();
          this.#world.see({ kind: 'node', node: this.name, text: `${this.name} has no lease, and stops its actors` });
        }
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
