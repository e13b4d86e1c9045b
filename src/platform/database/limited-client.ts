import { Client, type ClientBase, type ClientConfig } from 'pg';

import { serversOf } from '../launch/database/server-list.mjs';
import { cut, isSocketCut } from './cut.ts';
import { finderOf, type Primary, type PrimaryFinder } from './primary/primary-finder.ts';

/** Time limit of closing a connection, which is then cut: a broken path does not answer. */
const END_WITHIN_MS = 1_000;

/** Message of `pg` for a query that exceeded its `query_timeout`. */
const LATE = 'Query read timeout';

/** Where a connection leads, which the types do not let change. */
type WithPlace = { host: string; port: number };

/** All argument forms of a query. */
type Question = (...question: unknown[]) => unknown;
type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/**
 * The driver's client, destroyed when a query is not answered in time. The driver itself only abandons the query: on a
 * silently broken path the next one would wait behind it, and a pool would reuse the connection.
 */
export class LimitedClient extends Client {
  /** Of an address with several servers. */
  readonly #finder: PrimaryFinder | undefined;

  constructor(of?: string | ClientConfig) {
    const given = typeof of === 'string' ? { connectionString: of } : of;
    const servers = serversOf(given?.connectionString ?? '');
    super(servers.length > 1 ? { ...given, connectionString: servers[0] } : of);
    if (servers.length > 1) this.#finder = finderOf(servers);
    this.once('end', () => leavePool(this as Pooled));
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (this.#finder === undefined) return callback === undefined ? super.connect() : super.connect(callback);
    const connected = this.#connectToPrimary(this.#finder);
    if (callback === undefined) return connected;
    void this.#report(connected, callback);
  }

  async #report(connected: Promise<unknown>, callback: (error: Error) => void): Promise<void> {
    const error = await connected.then(
      () => undefined,
      (reason: Error) => reason,
    );
    // Outside of the promise, where what it throws ends the process as with the driver.
    process.nextTick(callback, error);
  }

  /** Connects to the server that is the primary now; a client can be connected once only. */
  async #connectToPrimary(finder: PrimaryFinder): Promise<Client> {
    const primary = await this.#found(finder);
    const { hostname, port } = new URL(primary.url);
    Object.assign(this as unknown as WithPlace, {
      host: hostname.replace(/^\[(.+)\]$/, '$1'),
      port: Number(port || 5432),
    });
    await super.connect();
    finder.connected(this, primary, () => cut(this));
    return this;
  }

  async #found(finder: PrimaryFinder): Promise<Primary> {
    try {
      const primary = await finder.find();
      // The node has cut all its connections meanwhile.
      if (isSocketCut(this)) throw new Error('Connection terminated');
      return primary;
    } catch (error) {
      // The driver says so of connections only that it has begun.
      this.emit('end');
      throw error;
    }
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
