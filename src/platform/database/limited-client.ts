import { Client, type ClientBase } from 'pg';

/** Time limit of closing a connection, which is then cut: a broken path does not answer. */
const END_WITHIN_MS = 1_000;

/** Message of `pg` for a query that exceeded its `query_timeout`. */
const LATE = 'Query read timeout';

/** A driver connection with its socket, which the types omit. */
type WithSocket = { connection: { stream: { destroy(): void } } };

/** All argument forms of a query. */
type Question = (...question: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * The driver's client, destroyed when a query is not answered in time. The driver itself only abandons the query: on a
 * silently broken path the next one would wait behind it, and a pool would reuse the connection.
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
 * Removes an ended connection from its pool, also while in use: the query builder returns it only after a successful
 * `begin`, `commit` or `rollback`, which never happens on a lost connection. Each such transaction would occupy a
 * place of the pool for ever.
 */
function leavePool(client: Pooled): void {
  const { release } = client;
  if (release === undefined) return;
  // Its user may still release it.
  client.release = () => undefined;
  try {
    release(true);
  } catch {
    // It was returned before it ended.
  }
}

/** A pool adds `release` to its connections. */
type Pooled = { release?: (destroy?: boolean) => void };

/** Ends a connection without a word to the server: what is under way on it fails at once. */
export function cut(client: ClientBase): void {
  (client as unknown as WithSocket).connection.stream.destroy();
}

/** Runs a query, and cuts the connection when the answer is late. @param client of the query */
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

/** A query object, such as a cursor, which has its own callback. */
function isQuery(question: unknown): question is { submit: unknown; callback?: Callback } {
  return typeof question === 'object' && question !== null && 'submit' in question;
}

/** A node's connections to its database, so that all can be cut when the network path is in doubt. */
export class Connections {
  readonly #open = new Set<ClientBase>();

  /** The client class whose connections are registered here. */
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

  /** Registers a connection until it ends. */
  add(client: ClientBase): void {
    this.#open.add(client);
    client.once('end', () => this.#open.delete(client));
  }

  get size(): number {
    return this.#open.size;
  }

  /** Cuts every connection, including those being opened: the next query opens a new one. */
  cutAll(): void {
    for (const client of this.#open) cut(client);
  }
}
