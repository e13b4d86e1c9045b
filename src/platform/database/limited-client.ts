import { Client, type ClientBase } from 'pg';

/** A connection that is not closed by then is cut: on a way that is lost a farewell has no answer. */
const END_WITHIN_MS = 1_000;

/** How `pg` says that a question had no answer within its `query_timeout`. */
const LATE = 'Query read timeout';

/** A connection of the driver, with the socket that its types leave out. */
type WithSocket = { connection: { stream: { destroy(): void } } };

/** Every form in which the driver takes a question. */
type Question = (...question: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * The driver's connection, destroyed when a question of it has no answer in time. The driver itself only gives up the
 * question: on a way that is silently lost the next one would wait behind it, and a pool would hand it out again.
 */
export class LimitedClient extends Client {
  constructor(...of: ConstructorParameters<typeof Client>) {
    super(...of);
    this.once('end', () => leavePool(this as Pooled));
  }

  override query = limited(this, super.query.bind(this) as Question) as Client['query'];

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const late = setTimeout(() => cut(this), END_WITHIN_MS);
    const over = (): void => clearTimeout(late);
    if (callback === undefined) return super.end().finally(over);
    super.end((...of) => {
      over();
      callback(...of);
    });
  }
}

/**
 * A connection that has ended leaves its pool by itself, also while somebody has it: the query builder gives it back
 * only after a `begin`, `commit` or `rollback` that succeeded, which on a lost connection none ever does. Each such
 * transaction would keep a place of the pool for good.
 */
function leavePool(client: Pooled): void {
  const { release } = client;
  if (release === undefined) return;
  // Its user may still release it.
  client.release = () => undefined;
  try {
    release(true);
  } catch {
    // It was given back before it ended.
  }
}

/** A pool gives each connection a way back into it. */
type Pooled = { release?: (destroy?: boolean) => void };

/** Ends a connection without a word to the server: what is under way on it fails at once. */
export function cut(client: ClientBase): void {
  (client as unknown as WithSocket).connection.stream.destroy();
}

/**
 * Queries as `ask` does, and cuts the connection where the answer did not come in time.
 * @param client the connection of the query
 */
export function limited(client: ClientBase, ask: Question): Question {
  const look = (error: unknown): void => {
    if (error instanceof Error && error.message === LATE) cut(client);
  };
  const looking =
    (callback: Callback): Callback =>
    (error, ...rest) => {
      look(error);
      return callback(error, ...rest);
    };
  return (...question) => {
    const [first] = question;
    if (isQuery(first) && typeof first.callback === 'function') first.callback = looking(first.callback);
    const answer = ask(...question.map((one) => (typeof one === 'function' ? looking(one as Callback) : one)));
    // The caller handles the failure; this only watches.
    if (answer instanceof Promise) answer.catch(look);
    return answer;
  };
}

/** A prepared query object, such as a cursor, which carries its callback itself. */
function isQuery(question: unknown): question is { submit: unknown; callback?: Callback } {
  return typeof question === 'object' && question !== null && 'submit' in question;
}

/** The connections of a node to its database, so that all can be cut when the way there is in doubt. */
export class Connections {
  readonly #open = new Set<ClientBase>();

  /** The class of which pools and single connections are to be made so that they are among them. */
  readonly Client: typeof LimitedClient;

  constructor() {
    const add = (client: ClientBase): void => this.add(client);
    this.Client = class extends LimitedClient {
      constructor(...of: ConstructorParameters<typeof LimitedClient>) {
        super(...of);
        add(this);
      }
    };
  }

  /** One that is among them until it ends. */
  add(client: ClientBase): void {
    this.#open.add(client);
    client.once('end', () => this.#open.delete(client));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Cuts every connection, also those being opened: the next query opens a new one. */
  cutAll(): void {
    for (const client of this.#open) cut(client);
  }
}
