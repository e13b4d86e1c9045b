import type { Address } from '../../src/kernel/rules/caller.ts';
import type {
  CommitResult,
  HeldByOtherNode,
  Loaded,
  Ownership,
  PropertyStore,
  RateVersion,
  Released,
  FinalizedBatch,
} from '../../src/property-store/ports.ts';
import type { StoredRates } from '../../src/rates/rules/stored-rates.ts';
import type { SimulatedDatabase } from './database.ts';
import type { SimulatedWorld } from './world.ts';

type Sent = { resolve(result: CommitResult): void };

/** One connection: statements arrive in order, or not at all once it is broken. */
type Connection = { broken: boolean; late: number; lastArrival: number; lastReply: number; waiting: Set<Sent> };

/** The process of a node as seen by its store. */
export type Process = {
  name: string;
  /** Runs something in the process: later while it is paused, never when it is dead. */
  deliver(run: () => void): void;
  /** Whether nothing of it reaches the database. */
  isCut(): boolean;
  /** Whether the answer of a commit gets lost. */
  losesAnswer(): boolean;
};

/** The database as a node reaches it: over a network that delays, loses and repeats. */
export class RemoteStore implements PropertyStore {
  readonly #world: SimulatedWorld;
  readonly #database: SimulatedDatabase;
  readonly #process: Process;
  readonly #connections = new Map<number, Connection>();

  constructor(world: SimulatedWorld, database: SimulatedDatabase, process: Process) {
    this.#world = world;
    this.#database = database;
    this.#process = process;
  }

  /** Ownership is never refused here: the directory decides who takes a property, and the fence must suffice. */
  take(to: Address): Promise<Ownership | HeldByOtherNode> {
    return this.#ask(async () => {
      const owned = await this.#database.store.take(to);
      const { name: node } = this.#process;
      const text = `${node} takes ${to.propertyId}`;
      const under = 'heldBy' in owned ? '' : ` under epoch ${owned.epoch}, at seq ${owned.seq}`;
      this.#world.see({ kind: 'owner', node, property: to.propertyId, text: text + under });
      return owned;
    });
  }

  release(of: readonly Released[]): Promise<void> {
    return this.#ask(() => this.#database.store.release(of));
  }

  rewound(...args: Parameters<PropertyStore['rewound']>): ReturnType<PropertyStore['rewound']> {
    return this.#ask(() => this.#database.store.rewound(...args));
  }

  exists(to: Address): Promise<boolean> {
    return this.#ask(() => this.#database.store.exists(to));
  }

  /** Three steps that PostgreSQL does in one: nothing that happens in between may do harm. */
  async open(to: Address, mustExist: boolean): ReturnType<PropertyStore['open']> {
    if (mustExist && !(await this.exists(to))) return undefined;
    const owned = await this.take(to);
    return 'heldBy' in owned ? owned : this.#ask(() => this.#load(to, owned));
  }

  async #load(to: Address, { epoch, seq }: Ownership): Promise<Loaded> {
    const loaded = await this.#database.store.committed(to);
    const { ownership } = loaded;
    if (ownership.epoch !== epoch || ownership.seq !== seq) throw new Error('taken by another node meanwhile');
    return loaded;
  }

  committed(to: Address): Promise<Loaded> {
    return this.#ask(() => this.#database.store.committed(to));
  }

  recent(...args: Parameters<PropertyStore['recent']>): ReturnType<PropertyStore['recent']> {
    return this.#ask(() => this.#database.store.recent(...args));
  }

  nights(...args: Parameters<PropertyStore['nights']>): ReturnType<PropertyStore['nights']> {
    return this.#ask(() => this.#database.store.nights(...args));
  }

  rateVersions(of: readonly Address[]): Promise<RateVersion[]> {
    return this.#ask(() => this.#database.store.rateVersions(of));
  }

  rates(to: Address): Promise<StoredRates> {
    return this.#ask(() => this.#database.store.rates(to));
  }

  reservation(to: Address, id: string): ReturnType<PropertyStore['reservation']> {
    return this.#ask(() => this.#database.store.reservation(to, id));
  }

  commit(lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> {
    return new Promise((resolve) => this.#process.deliver(() => this.#send(lane, batches, { resolve })));
  }

  #send(lane: number, batches: readonly FinalizedBatch[], sent: Sent): void {
    const { faults, random, time } = this.#world;
    const connection = this.#connection(lane);
    const fresh = connection.waiting.size === 0;
    if (fresh && (this.#isAway || faults.fires('connection-refused', this.#process.name))) {
      const refused = { outcome: 'unavailable', detail: 'refused' } as const;
      time.after(1, () => this.#process.deliver(() => sent.resolve(refused)));
      return;
    }
    connection.waiting.add(sent);
    const arrival = Math.max(connection.lastArrival, time.now + random.delay(3, 40));
    connection.lastArrival = arrival;
    time.after(arrival - time.now, () => this.#arrived(connection, sent, lane, batches));
  }

  #arrived(connection: Connection, sent: Sent, lane: number, batches: readonly FinalizedBatch[]): void {
    const { faults, random, time } = this.#world;
    const { name } = this.#process;
    if (!connection.broken && faults.fires('statement-late', name)) {
      this.#break(connection);
      connection.late = time.now + random.between(5, 4_000);
    }
    if (connection.late > 0) {
      // The statement is still under way, and those sent behind it too.
      time.after(connection.late - time.now, () => void this.#database.execute(lane, batches, name));
      return;
    }
    if (connection.broken) return;
    if (this.#isAway || faults.fires('statement-lost', name)) return this.#break(connection);
    if (faults.fires('statement-twice', name))
      time.after(random.between(1, 400), () => void this.#database.execute(lane, batches, name));
    void this.#answer(connection, sent, lane, batches);
  }

  async #answer(connection: Connection, sent: Sent, lane: number, batches: readonly FinalizedBatch[]): Promise<void> {
    const { faults, random, time } = this.#world;
    const { name } = this.#process;
    const result = await this.#database.execute(lane, batches, name);
    if (connection.broken) return;
    if (this.#isAway || this.#process.losesAnswer() || faults.fires('reply-lost', name)) {
      this.#break(connection);
      return;
    }
    const back = Math.max(connection.lastReply, time.now + random.delay(3, 40));
    connection.lastReply = back;
    time.after(back - time.now, () => {
      if (connection.waiting.delete(sent)) this.#process.deliver(() => sent.resolve(result));
    });
  }

  /** Fails everything that waits for an answer on the connection. */
  #break(connection: Connection): void {
    connection.broken = true;
    const waiting = [...connection.waiting];
    connection.waiting.clear();
    for (const { resolve } of waiting) this.#process.deliver(() => resolve({ outcome: 'unknown' }));
  }

  get #isAway(): boolean {
    return this.#database.away || this.#process.isCut();
  }

  #connection(lane: number): Connection {
    let connection = this.#connections.get(lane);
    if (!connection || connection.broken) {
      connection = { broken: false, late: 0, lastArrival: 0, lastReply: 0, waiting: new Set() };
      this.#connections.set(lane, connection);
    }
    return connection;
  }

  /** Runs a read or a take: at once or not at all. Its answer may get lost. */
  #ask<T>(question: () => Promise<T>): Promise<T> {
    const { random, time } = this.#world;
    return new Promise((resolve, reject) => {
      const settle = { resolve, reject };
      this.#process.deliver(() => time.after(random.delay(3, 60), () => void this.#askNow(question, settle)));
    });
  }

  async #askNow<T>(
    question: () => Promise<T>,
    { resolve, reject }: { resolve(answer: T): void; reject(error: unknown): void },
  ): Promise<void> {
    const { faults, random, time } = this.#world;
    const { name } = this.#process;
    try {
      if (this.#isAway || faults.fires('read-failed', name)) throw new Error('the connection broke');
      const answer = await question();
      if (faults.fires('read-failed', name)) throw new Error('the connection broke');
      const back = faults.fires('read-late', name) ? random.between(100, 1_500) : random.delay(3, 60);
      time.after(back, () => this.#process.deliver(() => resolve(answer)));
    } catch (error) {
      this.#process.deliver(() => reject(error));
    }
  }
}
