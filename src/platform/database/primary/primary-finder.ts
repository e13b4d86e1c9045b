import { Client, type ClientBase } from 'pg';

import { cut } from '../cut.ts';
import { DatabaseFailure, describeFailure, placeOf } from '../failure.ts';

/** Time limit of a server's answer; a frozen one never answers. */
const ANSWER_WITHIN_MS = 2_000;
/** How long other servers are waited for after one has said that it is the primary: a newer one may be among them. */
const OTHERS_WITHIN_MS = 300;
/** How often a later primary is looked for, while connections are open. */
const WATCH_EVERY_MS = 5_000;

/** The timeline grows with each promotion, so of two servers that both take writes the older one is an earlier primary. */
const WHO = `
  select case when pg_is_in_recovery() then 0
    else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

/** What a server says: the timeline it writes, 0 of a standby, or why it says nothing. */
type Said = { url: string; timeline: number } | { url: string; error: unknown };
export type Primary = { url: string; timeline: number };

/**
 * Finds the primary among several servers (docs/guide/production.md#fail-over-of-the-database). It never goes back to
 * a server that was the primary before a promotion that it has seen.
 */
export class PrimaryFinder {
  readonly #servers: readonly string[];
  /** Open connections, with their server. */
  readonly #open = new Map<ClientBase, { url: string; cut: () => void }>();
  #newest = 0;
  /** The server found last. */
  #current: string | undefined;
  #asked: Promise<Primary> | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  /** Callers at the same time share the answer. @throws DatabaseFailure that says why none is the primary */
  find(): Promise<Primary> {
    this.#asked ??= this.#find().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  /** Registers a connection, which is cut when another server is found to be the primary. */
  connected(client: ClientBase, { url }: Primary, cut: () => void): void {
    if (url !== this.#current) return cut();
    this.#open.set(client, { url, cut });
    this.#watch ??= setInterval(() => void this.find().catch(() => undefined), WATCH_EVERY_MS).unref();
    client.once('end', () => {
      this.#open.delete(client);
      if (this.#open.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    });
  }

  async #find(): Promise<Primary> {
    const said = await this.#askAll();
    const primary = said
      .filter((one): one is Primary => 'timeline' in one && one.timeline > 0)
      .toSorted((a, b) => b.timeline - a.timeline || this.#rank(a) - this.#rank(b))[0];
    if (primary === undefined || primary.timeline < this.#newest) throw this.#failure(said);
    this.#newest = primary.timeline;
    this.#current = primary.url;
    for (const { url, cut } of this.#open.values()) if (url !== primary.url) cut();
    return primary;
  }

  /** Two standbys that were promoted apart write the same timeline: the one in use, else the first of the list. */
  #rank({ url }: Primary): number {
    return url === this.#current ? -1 : this.#servers.indexOf(url);
  }

  /** Answers of all servers, or of those that answer soon after a primary has. */
  async #askAll(): Promise<Said[]> {
    const said: Said[] = [];
    return new Promise((resolve) => {
      const take = (one: Said): void => {
        said.push(one);
        if (said.length === this.#servers.length) resolve(said);
        else if ('timeline' in one && one.timeline > 0) setTimeout(() => resolve([...said]), OTHERS_WITHIN_MS);
      };
      for (const url of this.#servers) void ask(url).then(take);
    });
  }

  #failure(said: readonly Said[]): DatabaseFailure {
    const failures = said.flatMap((one) => ('error' in one ? [describeFailure(one.error, one.url)] : []));
    const wrong = failures.find(({ isTemporary }) => !isTemporary);
    if (wrong !== undefined && failures.length === this.#servers.length) return wrong;
    const standing = said.flatMap((one) => {
      if ('error' in one) return [];
      const what = one.timeline === 0 ? 'is a standby' : 'was the primary before a fail-over, and is not used again';
      return [`database ${placeOf(one.url)} ${what}`];
    });
    const why = [...standing, ...failures.map(({ message }) => message)].join('; ');
    return new DatabaseFailure(`no server takes writes: ${why}`, { isTemporary: true });
  }
}

/** One server's answer, over a connection of its own. */
async function ask(url: string): Promise<Said> {
  let client: Client | undefined;
  try {
    // The driver reads the address here, which may be none.
    client = new Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ timeline: number }>(WHO);
    return { url, timeline: rows[0]!.timeline };
  } catch (error) {
    return { url, error };
  } finally {
    if (client) end(client);
  }
}

/** A server that does not answer does not say goodbye either. */
function end(client: Client): void {
  const late = setTimeout(() => cut(client), ANSWER_WITHIN_MS);
  void client
    .end()
    .catch(() => undefined)
    .finally(() => clearTimeout(late));
}

const finders = new Map<string, PrimaryFinder>();

/** The finder of these servers in this thread: what one connection has seen, all others know. */
export function finderOf(servers: readonly string[]): PrimaryFinder {
  // Not the options of a session, which differ by role.
  const key = servers.map((url) => url.split('?', 1)[0]).join(',');
  const known = finders.get(key);
  if (known) return known;
  const finder = new PrimaryFinder(servers);
  finders.set(key, finder);
  return finder;
}
