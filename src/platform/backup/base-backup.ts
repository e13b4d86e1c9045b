import { Client } from 'pg';

import { describeFailure } from '../database/failure.ts';
import { LaunchError } from '../launch/launch-error.mjs';
import { readLabel, segmentNames } from './wal.ts';

/** One backup of a database at a time ("inn" and the purpose, 2): each removes what one that was cut off left. */
const LOCK = [0x696e6e, 2] as const;

/** Where everything is and how it ended. */
type Ended = {
  start: string;
  stop: string;
  /** Text of backup_label, without which the copied files are not what they seem. */
  label: string;
  tablespaceMap: string;
  /** Files of the log that turn the copied files into one moment. */
  segments: string[];
};

/**
 * PostgreSQL's low-level base backup, on one connection from begin to end: when that breaks, there is no backup.
 * A replication slot of that session keeps the log from being recycled until it has been copied too.
 */
export class BaseBackup implements AsyncDisposable {
  readonly #client: Client;
  /** The server's data directory. */
  readonly cluster: string;
  /** Major version of the server. */
  readonly version: string;
  readonly #segmentBytes: number;

  private constructor(client: Client, facts: { cluster: string; version: string; segmentBytes: number }) {
    this.#client = client;
    this.cluster = facts.cluster;
    this.version = facts.version;
    this.#segmentBytes = facts.segmentBytes;
  }

  /**
   * Writes a checkpoint at once; from then on files may be copied.
   *
   * @param databaseUrl of a superuser
   * @throws LaunchError when another backup of this database runs
   */
  static async begin(databaseUrl: string): Promise<BaseBackup> {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true });
    // The next query reports a connection that broke.
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ alone: boolean; cluster: string; version: string; segment: string }>(
        `select pg_try_advisory_lock($1, $2) as alone, current_setting('data_directory') as cluster,
           (current_setting('server_version_num')::int / 10000)::text as version,
           (select setting from pg_settings where name = 'wal_segment_size') as segment`,
        [...LOCK],
      );
      const { alone, cluster, version, segment } = rows[0]!;
      if (!alone) throw new LaunchError('another backup of this database runs: wait for it');
      // Before the start: reserved from the last checkpoint on, which is older than the one that the start writes.
      await client.query(
        `select pg_create_physical_replication_slot('innkeeper_backup_' || pg_backend_pid(), true, true)`,
      );
      await client.query(`select pg_backup_start('innkeeper', fast => true)`);
      return new BaseBackup(client, { cluster, version, segmentBytes: Number(segment) });
    } catch (error) {
      await client.end().catch(() => {});
      throw error instanceof LaunchError ? error : describeFailure(error, databaseUrl);
    }
  }

  /** Ends the copying of files; the log that it names stays until this is disposed of. */
  async end(): Promise<Ended> {
    const { rows } = await this.#client.query<{ stop: string; label: string; map: string | null }>(
      'select lsn as stop, labelfile as label, spcmapfile as map from pg_backup_stop(wait_for_archive => false)',
    );
    const { stop, label, map } = rows[0]!;
    const begun = readLabel(label);
    const segments = segmentNames(begun, stop, this.#segmentBytes);
    return { start: begun.start, stop, label, tablespaceMap: map ?? '', segments };
  }

  /** A backup that was not ended is given up by the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
