import { Client } from 'pg';

const EVERY_MS = 200;

/** Sessions that work or hold a transaction, by what they wait for. */
const WAITING = `
  select case when state = 'active' then coalesce(wait_event_type || ': ' || wait_event, 'CPU')
    else 'client, in a transaction' end as what, count(*)::int as sessions
  from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'
  group by 1`;

/** Samples what the sessions of PostgreSQL wait for, until stopped. */
export class WaitMeter {
  readonly #client: Client;
  readonly #sums = new Map<string, number>();
  #samples = 0;
  #busy: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(client: Client) {
    this.#client = client;
    this.#timer = setInterval(() => {
      this.#busy ??= this.#sample().finally(() => {
        this.#busy = undefined;
      });
    }, EVERY_MS);
  }

  static async open(databaseUrl: string): Promise<WaitMeter> {
    const client = new Client({ connectionString: databaseUrl, application_name: 'load report' });
    client.on('error', () => {});
    await client.connect();
    return new WaitMeter(client);
  }

  /** @returns the mean number of sessions by what they waited for, the most first */
  async stop(): Promise<Record<string, number>> {
    clearInterval(this.#timer);
    await this.#busy;
    await this.#client.end().catch(() => {});
    const samples = Math.max(1, this.#samples);
    return Object.fromEntries(
      [...this.#sums]
        .toSorted(([, one], [, other]) => other - one)
        .map(([what, sum]) => [what, Math.round((1_000 * sum) / samples) / 1_000]),
    );
  }

  /** A database that does not answer is not sampled: the scenario says so by its failures. */
  async #sample(): Promise<void> {
    try {
      const { rows } = await this.#client.query<{ what: string; sessions: number }>(WAITING);
      this.#samples += 1;
      for (const { what, sessions } of rows) this.#sums.set(what, (this.#sums.get(what) ?? 0) + sessions);
    } catch {
      // The next sample may succeed.
    }
  }
}
