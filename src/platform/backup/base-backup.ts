import { Client } from 'pg';

import { describeFailure } from '../database/failure.ts';
import { LaunchError } from '../launch/launch-error.mjs';
import { readLabel, segmentNames } from './wal.ts';

/**
 * Advisory lock: one backup of a database at a time, since each removes the remains of an interrupted one. ("inn" and
 * the purpose, 2.)
 */
const LOCK = [0x696e6e, 2] as const;

/** Result of a base backup. */
type Ended = {
  start: string;
  stop: string;
  /** Text of backup_label, without which the copied files are inconsistent. */
  label: string;
  tablespaceMap: string;
  /** Log files that make the copied files consistent. */
  segments: string[];
};

/**
 * PostgreSQL's low-level base backup, on one connection throughout: if it breaks, the backup is lost. A replication
 * slot of that session retains the log until it has been copied.
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
   * Writes a checkpoint; afterwards files may be copied.
   *
   * @param databaseUrl of a superuser
   * @throws LaunchError when another backup of this database runs
   */
  static async begin(databaseUrl: string): Promise<BaseBackup> {
    const client = new Client({ connectionString: databaseUrl, keepAlive: true });
    // The next query reports a broken connection.
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
      // Before the start: reserves the log from the last checkpoint on, which is older than that of the start.
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

  /** Ends the copying of files; the log that it names is retained until this is disposed of. */
  async end(): Promise<Ended> {
    const { rows } = await this.#client.query<{ stop: string; label: string; map: string | null }>(
      'select lsn as stop, labelfile as label, spcmapfile as map from pg_backup_stop(wait_for_archive => false)',
    );
    const { stop, label, map } = rows[0]!;
    const begun = readLabel(label);
    const segments = segmentNames(begun, stop, this.#segmentBytes);
    return { start: begun.start, stop, label, tablespaceMap: map ?? '', segments };
  }

  /** The server aborts a backup that was not ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
