import { EventEmitter } from 'node:events';
import type { Client } from 'pg';

import type { ScheduledRun } from '../../kernel/ports.ts';
import type { ConnectOptions } from '../../platform/database/connection.ts';
import { limited } from '../../platform/database/limited-client.ts';
import type { SimulatedPostgres } from './postgres.ts';
import { type SessionAnswer, Session, sessionSettingsOf } from './session.ts';
import type { SimulatedThread } from './thread.ts';
import { type Network, Way } from './way.ts';

/** As the driver's own connection, whose farewell is bounded in `limited-client.ts`. */
const END_WITHIN_MS = 1_000;

type Asked = {
  resolve(result: { rows: object[] }): void;
  reject(error: Error): void;
  late: ScheduledRun | undefined;
};

type ConnectionParts = { server: SimulatedPostgres; thread: SimulatedThread; network: Network };

/**
 * A connection as the driver gives it: answers in order, each with a limit, and an end that is emitted once. The
 * class of the driver exposes its sockets only to be cut, which this answers as well.
 */
export class SimulatedConnection extends EventEmitter {
  readonly #parts: ConnectionParts;
  readonly #answerWithinMs: number;
  readonly #asked = new Set<Asked>();
  readonly way: Way;
  #session: Session | undefined;
  #isClosed = false;
  #isEnding = false;
  /** Callbacks that wait for it to be open. */
  #refused: (why: string) => void = () => undefined;
  /** The socket that cuts by the driver destroy. */
  readonly connection = { stream: { destroy: () => this.#destroy() } };
  readonly query = limited(this as unknown as Client, (...question: unknown[]) => this.#ask(...question));

  constructor(parts: ConnectionParts, { answerWithinMs = 12_000 }: ConnectOptions) {
    super();
    this.#parts = parts;
    this.#answerWithinMs = answerWithinMs;
    this.way = new Way(parts.network);
    this.on('error', () => undefined);
  }

  /** @throws Error when there is no server, or no answer in time */
  open({ settings, connectWithinMs = 5_000 }: ConnectOptions): Promise<this> {
    const { server, thread } = this.#parts;
    return new Promise((resolve, reject) => {
      const late = thread.after(connectWithinMs, () => this.#close('timeout expired'));
      this.#refused = (why) => {
        late.cancel();
        reject(new Error(why));
      };
      const opened = (): void => {
        late.cancel();
        if (!this.#isClosed) resolve(this);
      };
      const start = (): void => {
        if (this.#isClosed) return;
        if (server.isDown)
          return this.way.send('back', () => thread.deliver(() => this.#close('connect ECONNREFUSED')));
        const ended = (why: string): void => thread.deliver(() => this.#close(why));
        this.#session = new Session(server, sessionSettingsOf(settings), this.way, ended);
        this.way.send('back', () => thread.deliver(opened));
      };
      this.way.send('there', () => server.receive(start));
    });
  }

  end(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isEnding = true;
    return new Promise((resolve) => {
      const late = this.#parts.thread.after(END_WITHIN_MS, () => this.#destroy());
      this.once('end', () => {
        late.cancel();
        resolve();
      });
      const session = this.#session;
      this.way.send('there', () => this.#parts.server.receive(() => session?.end('the client ends it')));
    });
  }

  /** Its process is gone, or its thread: the server reads the end, where there is a way. */
  leave(): void {
    this.#isClosed = true;
    this.#farewell();
  }

  #ask(...question: unknown[]): Promise<{ rows: object[] }> {
    const [first, second] = question as [string | { text: string; values?: unknown[] }, unknown[]?];
    const sql = typeof first === 'string' ? first : first.text;
    const values = (typeof first === 'string' ? second : first.values) ?? [];
    if (this.#isClosed || this.#isEnding) return Promise.reject(new Error('Client was closed and is not queryable'));
    return new Promise((resolve, reject) => {
      const { server, thread } = this.#parts;
      const query: Asked = { resolve, reject, late: undefined };
      this.#asked.add(query);
      if (this.#answerWithinMs > 0)
        query.late = thread.after(this.#answerWithinMs, () => {
          this.#asked.delete(query);
          reject(new Error('Query read timeout'));
        });
      const answer = (is: SessionAnswer): void => thread.deliver(() => this.#answered(query, is));
      this.way.send('there', () => server.receive(() => this.#session?.receive({ sql, values, answer })));
    });
  }

  #answered(query: Asked, answer: SessionAnswer): void {
    if (!this.#asked.delete(query)) return;
    query.late?.cancel();
    if ('rows' in answer) query.resolve(answer);
    else query.reject(answer.error);
  }

  /** Cut on this side: what is under way fails, and the server reads the end where there is a way. */
  #destroy(): void {
    if (this.#isClosed) return;
    this.#farewell();
    this.#parts.thread.after(0, () => this.#close());
  }

  #farewell(): void {
    const session = this.#session;
    this.way.send('there', () => this.#parts.server.receive(() => session?.end('the client is gone')));
  }

  #close(why = 'Connection terminated'): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const query of this.#asked) {
      query.late?.cancel();
      query.reject(new Error(why));
    }
    this.#asked.clear();
    this.#refused(why);
    this.emit('end');
  }
}
