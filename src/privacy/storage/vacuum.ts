import type { Client } from 'pg';

import type { Log } from '../../kernel/ports.ts';
import { connect, type ConnectOptions } from '../../platform/database/connection.ts';

/** Tables whose old row versions have plain personal data after an erasure. */
const TABLES = [
  ...(['guests', 'guest_keys', 'reservations', 'reservation_status_history', 'payments', 'holds'] as const),
  ...([
    'idempotency',
    'invoice_items',
    'invoice_documents',
    'stay_surveys',
    'notifications',
    'desk_notes',
    'stay_pages',
  ] as const),
];

/** Pause between two runs: a tenant that erases a hundred guests causes one run, and one more at the end. */
const PAUSE_MS = 10 * 60_000;
/** Time limit of one table: a longer run is aborted, and autovacuum will process the table. */
const STATEMENT_MS = 30 * 60_000;
/** A table locked by another transaction is left to the next run. */
const LOCK_MS = 5_000;

/**
 * Removes dead row versions of the tables that erasures rewrite, as the owner of the tables, as PostgreSQL requires.
 * One run at a time with a pause between two; failures are logged and left to autovacuum.
 */
export class Vacuum implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #log: Log;
  readonly #options: Pick<ConnectOptions, 'Client'>;
  #running: Promise<void> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #endedAt = -Infinity;
  #isOver = false;
  #client: Client | undefined;

  constructor(databaseUrl: string, log: Log, options: Pick<ConnectOptions, 'Client'> = {}) {
    this.#databaseUrl = databaseUrl;
    this.#log = log;
    this.#options = options;
  }

  /** Runs now, or after the pause since the last run; a request during a run causes one more. */
  soon(): void {
    if (this.#isOver || this.#again) return;
    const wait = this.#running ? PAUSE_MS : Math.max(0, this.#endedAt + PAUSE_MS - performance.now());
    this.#again = setTimeout(() => {
      this.#again = undefined;
      void this.run();
    }, wait);
    this.#again.unref();
  }

  /** Clears all tables, one after the other. Never rejects. */
  run(): Promise<void> {
    return (this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#endedAt = performance.now();
    }));
  }

  /** A running one ends with its connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#again);
    await this.#client?.end().catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      const settings = { statement_timeout: String(STATEMENT_MS), lock_timeout: String(LOCK_MS) };
      const client = await connect(this.#databaseUrl, 'innkeeper_owner', {
        settings,
        answerWithinMs: 0,
        ...this.#options,
      });
      this.#client = client;
      try {
        for (const table of TABLES) if (!this.#isOver) await this.#clear(client, table);
      } finally {
        this.#client = undefined;
        await client.end().catch(() => undefined);
      }
    } catch (error) {
      this.#log.warn(
        { error: String(error) },
        'tables could not be vacuumed after an erasure; autovacuum will do it',
      );
    }
  }

  async #clear(client: Client, table: string): Promise<void> {
    try {
      await client.query(`vacuum (index_cleanup on, truncate off) public.${table}`);
    } catch (error) {
      if (this.#isOver) return;
      this.#log.warn({ table, error: String(error) }, 'a table could not be vacuumed; autovacuum will do it');
    }
  }
}
