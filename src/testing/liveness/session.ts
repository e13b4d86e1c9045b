import type { SimulatedPostgres } from './postgres.ts';
import type { Way } from './way.ts';

/** Outcome of a statement; `ended`: its session is over. */
export type SessionAnswer = { rows: object[] } | { error: Error };

type SessionSettings = {
  /** `statement_timeout` and `idle_session_timeout` in milliseconds; 0: none. */
  statementMs: number;
  idleMs: number;
};

/** Session settings of a connection, as the server reads them. */
export function sessionSettingsOf(settings: Record<string, string> = {}): SessionSettings {
  const milliseconds = (name: string): number => {
    const value = settings[name];
    if (value === undefined) return 0;
    const [, number, unit] = /^(\d+)(ms|s)$/.exec(value) ?? [];
    if (number === undefined) throw new Error(`${name} = ${value} is not understood`);
    return Number(number) * (unit === 's' ? 1_000 : 1);
  };
  return { statementMs: milliseconds('statement_timeout'), idleMs: milliseconds('idle_session_timeout') };
}

type Statement = { sql: string; values: readonly unknown[]; answer(answer: SessionAnswer): void };

/** A session of the server: statements one after the other, locks until its end, and the limits of its settings. */
export class Session {
  readonly #server: SimulatedPostgres;
  readonly #settings: SessionSettings;
  readonly #way: Way;
  readonly #onEnd: (why: string) => void;
  readonly #queue: Statement[] = [];
  #isBusy = false;
  #idleSince: number;
  hasEnded = false;

  /** @param onEnd notifies the client, where it is connected */
  constructor(server: SimulatedPostgres, settings: SessionSettings, way: Way, onEnd: (why: string) => void) {
    this.#server = server;
    this.#settings = settings;
    this.#way = way;
    this.#onEnd = onEnd;
    this.#idleSince = server.world.elapsedMs;
    server.sessions.add(this);
    this.#becomeIdle();
  }

  /** Whether its client cannot hear it any more. */
  get isLost(): boolean {
    return this.#way.isLost;
  }

  receive(statement: Statement): void {
    if (this.hasEnded) return;
    this.#queue.push(statement);
    this.#next();
  }

  /** Ends it when it has been idle for longer than its settings allow. */
  lookIdle(): void {
    const { idleMs } = this.#settings;
    if (idleMs === 0 || this.#isBusy || this.hasEnded || this.#server.isFrozen) return;
    if (this.#server.world.elapsedMs - this.#idleSince >= idleMs)
      this.end('terminating connection due to idle timeout');
  }

  /** With its locks; what it was at is rolled back. */
  end(why: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#queue.length = 0;
    this.#server.sessions.delete(this);
    for (const [nodeId, holder] of this.#server.locks) if (holder === this) this.#server.locks.delete(nodeId);
    this.#way.send('back', () => this.#onEnd(why));
  }

  #next(): void {
    if (this.#isBusy || this.hasEnded) return;
    const statement = this.#queue.shift();
    if (!statement) return this.#becomeIdle();
    this.#isBusy = true;
    this.#work(statement, this.#server.world.elapsedMs);
  }

  /** Waits for another session's lock, up to its limit. */
  #work(statement: Statement, since: number): void {
    if (this.hasEnded) return;
    const { world } = this.#server;
    const waitMs = this.#server.waitsUntil(statement.sql) - world.elapsedMs;
    const leftMs = this.#settings.statementMs === 0 ? Infinity : since + this.#settings.statementMs - world.elapsedMs;
    if (waitMs > 0 && leftMs <= 0) return this.#answer(statement, { error: new Error('statement timeout') });
    if (waitMs > 0) {
      const again = (): void => this.#server.receive(() => this.#work(statement, since));
      return void world.time.after(Math.min(waitMs, leftMs) + 1, again);
    }
    this.#answer(statement, { rows: this.#server.execute(statement.sql, statement.values, this) });
  }

  #answer(statement: Statement, answer: SessionAnswer): void {
    this.#way.send('back', () => statement.answer(answer));
    this.#isBusy = false;
    this.#next();
  }

  #becomeIdle(): void {
    const { world } = this.#server;
    this.#idleSince = world.elapsedMs;
    if (this.#settings.idleMs > 0) world.time.after(this.#settings.idleMs, () => this.lookIdle());
  }
}
