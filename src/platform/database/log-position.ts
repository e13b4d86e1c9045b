import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { z } from 'zod';

import type { Log } from '../../kernel/ports.ts';

/** In DATA_DIR; created again by each start. */
export const LOG_POSITION = 'log-position.json';
/** What was written until so long before a crash is compared, in milliseconds. */
const NOTE_EVERY_MS = 500;

const noted = z.object({
  /** Identity of the database; that of another says nothing. */
  database: z.string(),
  timeline: z.int(),
  /** Start of the server that has written it. */
  started: z.string(),
  /** Highest generation of a property then. */
  generation: z.int(),
  /** A position of the log that was on disk. */
  position: z.string(),
});
type Noted = z.infer<typeof noted>;

const NOW = `
  select system_identifier::text || ':' || current_database() as database, pg_postmaster_start_time()::text as started,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
    pg_current_wal_insert_lsn()::text as position, pg_current_wal_flush_lsn() >= $1::pg_lsn as "isOnDisk"
  from pg_control_system()`;
const HIGHEST = 'select coalesce(max(generation), 1) as generation from property_actor';

/**
 * Bytes of the log that were on disk and are gone. After a crash the log ends where the checkpoint of the recovery
 * begins: PostgreSQL takes the first record that it cannot read for the end, whatever was behind it. A server on a new
 * timeline may have no checkpoint of its own yet.
 */
const MISSING = `
  select pg_wal_lsn_diff($1::pg_lsn, case
      when pg_postmaster_start_time() <> $2::timestamptz
        and ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int = $3
      then least(redo_lsn, pg_current_wal_insert_lsn()) else pg_current_wal_insert_lsn() end)::float8 as bytes
  from pg_control_checkpoint()`;

/** Every property goes on in a generation that nobody has seen; running owners are fenced off. */
const REWIND = `
  select r.changed as properties, r.next as generation
  from (select coalesce(string_agg(distinct tenant_id, ','), '') as tenants, coalesce(max(generation), 1) as highest
    from property_actor) a,
    system.rewind_tenants_v1(a.tenants, greatest(a.highest, $1)) r`;

/** What was found missing. */
type LostLog = { text: string; properties: number };

/**
 * Compares the log of the database with the position that this node has noted in DATA_DIR. When it ends earlier, what
 * was acknowledged is lost, and every property goes on in a new generation, as after a restore
 * (docs/concepts/commit-and-fence.md#rewound-history). To be called before the first property is activated.
 * @returns what is wrong, for health, and how many properties have a new generation
 */
export async function checkLogPosition(client: Client, dataDir: string, log: Log): Promise<LostLog | undefined> {
  const before = await readNoted(dataDir);
  if (!before) return undefined;
  const now = await look(client);
  if (now.database !== before.database) return undefined;
  const values = [before.position, before.started, before.timeline];
  const missing = (await client.query<{ bytes: number }>(MISSING, values)).rows[0]!.bytes;
  if (missing <= 0) return undefined;
  const { rows } = await client.query<{ properties: number; generation: number }>(REWIND, [before.generation]);
  const text = `history was rewound: the log of the database ends ${missing} bytes before what it had confirmed`;
  log.error({ missingBytes: missing, noted: before.position, ...rows[0] }, `${text}, so committed changes are lost`);
  return { text, properties: rows[0]!.properties };
}

/** Notes the position of the log in DATA_DIR, as long as it is not disposed of. */
export class LogPosition implements AsyncDisposable {
  readonly #client: () => Promise<Client>;
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #last: Omit<Noted, 'generation'> | undefined;
  #generation = 0;
  #written = '';
  #running: Promise<void> | undefined;

  constructor(client: () => Promise<Client>, dataDir: string) {
    this.#client = client;
    this.#file = join(dataDir, LOG_POSITION);
    this.#timer = setInterval(() => {
      // A database or a disk that is away: the position before it stays, and is true.
      this.#running ??= this.#note()
        .catch(() => undefined)
        .finally(() => (this.#running = undefined));
    }, NOTE_EVERY_MS);
    this.#timer.unref();
  }

  async #note(): Promise<void> {
    const last = this.#last;
    const client = await this.#client();
    const { isOnDisk, ...now } = await look(client, last?.position);
    if (last?.started !== now.started) this.#generation = await highest(client);
    this.#last = now;
    // An insert position is the end of a record; that of the last time should have reached the disk by now.
    if (!isOnDisk || last?.started !== now.started || last.position === this.#written) return;
    await using file = await open(`${this.#file}.new`, 'w', 0o600);
    await file.writeFile(`${JSON.stringify({ ...last, generation: this.#generation })}\n`);
    await file.datasync();
    await rename(`${this.#file}.new`, this.#file);
    this.#written = last.position;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}

type Seen = Omit<Noted, 'generation'> & { isOnDisk: boolean | null };

/** @param position whether it is on disk */
const look = async (client: Client, position?: string): Promise<Seen> =>
  (await client.query<Seen>(NOW, [position])).rows[0]!;

const highest = async (client: Client): Promise<number> =>
  (await client.query<{ generation: number }>(HIGHEST)).rows[0]!.generation;

/** A file that a crash cut off says nothing. */
async function readNoted(dataDir: string): Promise<Noted | undefined> {
  try {
    return noted.parse(JSON.parse(await readFile(join(dataDir, LOG_POSITION), 'utf8')));
  } catch {
    return undefined;
  }
}
