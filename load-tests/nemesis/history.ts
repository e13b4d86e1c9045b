import { createWriteStream, type WriteStream } from 'node:fs';

/** Requests of a client. */
export type Kind =
  | 'book'
  | 'book-unpaid'
  | 'book-rooms'
  | 'book-hold'
  | 'hold'
  | 'release'
  | 'pay'
  | 'confirm'
  | 'cancel'
  | 'modify'
  | 'close'
  | 'reopen'
  | 'group'
  | 'ungroup'
  /** A request that was answered, sent again under its key. */
  | 'repeat'
  | 'read';

export type Stay = { roomType: string; checkIn: string; checkOut: string };

/** A cell as a read has shown it. */
export type SeenCell = { roomType: string; date: string; totalRooms: number; bookedRooms: number; heldRooms: number };

/** One attempt at one node. `status` 0: the connection broke, or timed out. */
export type Try = { node: string; at: number; ms: number; status: number; code?: string };

/** Outcome of a request for its client. */
export type Outcome =
  /** `others`: the reservations of further rooms. */
  | { kind: 'ok'; seq: number; entity?: string; others?: string[]; cells?: SeenCell[]; replayed: boolean }
  | { kind: 'refused'; seq?: number; code: string; status: number }
  /** The run ended before it was answered. */
  | { kind: 'unknown' };

/** One request from its first attempt to its answer; times are milliseconds since the run began. */
export type Operation = {
  /** Also its `X-Request-Id`, which the journal stores. */
  id: string;
  /** `Idempotency-Key`; a read has none. */
  key?: string;
  client: number;
  property: string;
  kind: Kind;
  stay?: Stay;
  /** Rooms of a booking of several, a block, or a closed room. */
  rooms?: Stay[];
  /** Its reservation or hold. */
  target?: string;
  invokedAt: number;
  returnedAt: number;
  tries: Try[];
  outcome: Outcome;
};

/** All observations of clients, also as a file with a line for each: nothing in it comes from inside the nodes. */
export class History implements AsyncDisposable {
  readonly operations: Operation[] = [];
  /** Answers that must never occur. */
  readonly strange: string[] = [];
  readonly #began = performance.now();
  readonly #file: WriteStream;

  constructor(path: string) {
    this.#file = createWriteStream(path, { mode: 0o600 });
  }

  /** Milliseconds since the run began. */
  now(): number {
    return performance.now() - this.#began;
  }

  invoked({ id, key, client, property, kind, stay, target, invokedAt }: Operation): void {
    this.#line({ t: 'invoke', at: invokedAt, id, key, client, property, kind, stay, target });
  }

  /** Records an undecided attempt: the client does not know whether it had an effect. */
  attempted(operation: Operation, one: Try): void {
    this.#line({ t: 'unknown', id: operation.id, ...one });
  }

  ended(operation: Operation): void {
    this.operations.push(operation);
    const { id, outcome, returnedAt, tries } = operation;
    this.#line({ t: outcome.kind, at: returnedAt, id, tries: tries.length, ...outcome });
  }

  fault(name: string, what: 'begins' | 'ends'): void {
    this.#line({ t: 'fault', at: this.now(), name, what });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#file.end(resolve);
    });
  }

  #line(content: object): void {
    this.#file.write(`${JSON.stringify(content)}\n`);
  }
}
