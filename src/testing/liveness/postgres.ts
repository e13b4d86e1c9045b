import { LOCK_CLASS } from '../../platform/coordination/lease.ts';
import { JobRoundTable } from './job-round-table.ts';
import type { Session } from './session.ts';
import type { LivenessWorld } from './world.ts';

/** A node as `system.cluster_node` has it. */
type SimulatedNodeRow = { incarnation: string; leaseUntil: number };

/** PostgreSQL as far as leases, session locks and commits go, with a clock of its own that may be put. */
export class SimulatedPostgres {
  readonly nodes = new Map<string, SimulatedNodeRow>();
  /** Session locks by node id. */
  readonly locks = new Map<string, Session>();
  readonly sessions = new Set<Session>();
  readonly world: LivenessWorld;
  readonly #jobRounds = new JobRoundTable();
  /** Called with each lease that is given to an incarnation. */
  onTaken: (nodeId: string, incarnation: string) => void = () => undefined;
  #clockAheadMs = 0;
  #clockPutAt = -Infinity;
  #downUntil = 0;
  #frozenUntil = 0;
  #commitsHangUntil = 0;
  #leasesLockedUntil = 0;
  /** Requests received while frozen. */
  #inbox: (() => void)[] = [];

  constructor(world: LivenessWorld) {
    this.world = world;
  }

  /** `clock_timestamp()`, in milliseconds. */
  get clock(): number {
    return this.world.time.now + this.#clockAheadMs;
  }

  /** Whether its clock was put within the last so many milliseconds: leases of before end sooner or later than said. */
  wasClockPut(withinMs: number): boolean {
    return this.world.elapsedMs - this.#clockPutAt < withinMs;
  }

  get isDown(): boolean {
    return this.world.elapsedMs < this.#downUntil;
  }

  get isFrozen(): boolean {
    return this.world.elapsedMs < this.#frozenUntil;
  }

  /** Stopped, or killed: every session ends, and none can be had. */
  stop(milliseconds: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.world.elapsedMs + milliseconds);
    this.#inbox = [];
    this.#frozenUntil = 0;
    for (const session of Array.from(this.sessions)) session.end('the server stops');
  }

  /** Freezes with all its sessions, without notice. */
  freeze(milliseconds: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.world.elapsedMs + milliseconds);
    this.world.time.after(milliseconds, () => this.#thaw());
  }

  /** Commits wait for something inside: a lock, a standby, a disk. */
  hangCommits(milliseconds: number): void {
    this.#commitsHangUntil = Math.max(this.#commitsHangUntil, this.world.elapsedMs + milliseconds);
  }

  lockLeases(milliseconds: number): void {
    this.#leasesLockedUntil = Math.max(this.#leasesLockedUntil, this.world.elapsedMs + milliseconds);
  }

  putClock(byMs: number): void {
    this.#clockAheadMs += byMs;
    this.#clockPutAt = this.world.elapsedMs;
  }

  /** Something for the server: at once, or when it runs again. */
  receive(run: () => void): void {
    if (this.isFrozen) this.#inbox.push(run);
    else run();
  }

  /** End of a statement's wait for a lock, in milliseconds of the simulation. */
  waitsUntil(sql: string): number {
    if (sql.includes('commit_batch_v3')) return this.#commitsHangUntil;
    return sql.includes('system.cluster_node') ? this.#leasesLockedUntil : 0;
  }

  /** The rows of a statement. */
  execute(sql: string, values: readonly unknown[], session: Session): object[] {
    const [first, second, third] = values;
    if (sql.includes('pg_try_advisory_lock')) {
      if (first !== LOCK_CLASS) throw new Error('not the lock of a node');
      return [{ taken: this.#lock(String(second), session) }];
    }
    const time = { database: this.clock, ahead: 0 };
    if (sql.includes('insert into system.cluster_node')) {
      this.nodes.set(String(first), { incarnation: String(third), leaseUntil: this.clock + Number(second) });
      this.onTaken(String(first), String(third));
      return [time];
    }
    if (sql.includes('update system.cluster_node')) {
      const row = this.nodes.get(String(first));
      if (row?.incarnation !== third || row!.leaseUntil <= this.clock) return [];
      row!.leaseUntil = this.clock + Number(second);
      return [time];
    }
    if (sql.includes('delete from system.cluster_node')) {
      if (this.nodes.get(String(first))?.incarnation === second) this.nodes.delete(String(first));
      return [];
    }
    if (sql.includes('system.job_round')) return this.#jobRounds.execute(sql, values, this.clock);
    if (sql.includes('commit_batch_v3')) return [{ answer: {} }];
    return [{ ready: false }];
  }

  #lock(nodeId: string, session: Session): boolean {
    const holder = this.locks.get(nodeId);
    if (holder && holder !== session) return false;
    this.locks.set(nodeId, session);
    return true;
  }

  #thaw(): void {
    if (this.isFrozen) return;
    const inbox = this.#inbox;
    this.#inbox = [];
    // Timers of a process that was stopped are due at once; which is seen first, they or what lies in the socket?
    if (this.world.random.chance(0.5)) for (const session of Array.from(this.sessions)) session.lookIdle();
    for (const run of inbox) run();
    for (const session of Array.from(this.sessions)) session.lookIdle();
  }
}
