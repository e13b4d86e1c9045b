import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '../../platform/database/migrator.ts';
import { until } from '../../platform/launch/process/until.mjs';
import { copyTemplate } from '../database-template.ts';
import { PairedServer } from './paired-server.ts';

const FOLLOWS_WITHIN_MS = 60_000;

/** Settings of both servers, whichever is the primary. */
const SETTINGS = {
  // Enough of the log for a standby that was copied a moment ago.
  wal_keep_size: '512MB',
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  // So that a promoted server does not wait for a slow checkpoint.
  checkpoint_timeout: '300s',
};

/** `synchronous`: an acknowledged commit is on the standby, and visible there. */
export type Replication = 'synchronous' | 'asynchronous';

/** A real primary with a real standby that follows it, and what a fail-over does with them. */
export class DatabasePair implements AsyncDisposable {
  readonly #folder: string;
  readonly #replication: Replication;
  readonly #servers: readonly [PairedServer, PairedServer];
  #primary: PairedServer;

  private constructor(folder: string, replication: Replication) {
    this.#folder = folder;
    this.#replication = replication;
    this.#servers = [new PairedServer('first', folder), new PairedServer('second', folder)];
    this.#primary = this.#servers[0];
  }

  /** Resolves when the standby has everything. */
  static async open(replication: Replication): Promise<DatabasePair> {
    const folder = fs.mkdtempSync(join(tmpdir(), 'innkeeper-pair-'));
    // Under root the servers run under another account, which needs access.
    fs.chmodSync(folder, 0o711);
    const pair = new DatabasePair(folder, replication);
    try {
      const { primary } = pair;
      fs.mkdirSync(primary.dataDir, { mode: 0o711 });
      await copyTemplate(primary.dataDir);
      await primary.start();
      await migrate(primary.url, () => {});
      for (const [name, value] of Object.entries(SETTINGS))
        await primary.ask(`alter system set ${name} = '${value}'`);
      await primary.ask('select pg_reload_conf()');
      await pair.rejoin();
      return pair;
    } catch (error) {
      await pair[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The server that was promoted last, or the first one. */
  get primary(): PairedServer {
    return this.#primary;
  }

  /** The other one: a standby, or an earlier primary. */
  get other(): PairedServer {
    return this.#servers.find((one) => one !== this.#primary)!;
  }

  /** The address that a service is given. */
  get url(): string {
    const { username, password, pathname } = new URL(this.#primary.url);
    const places = this.#servers.map(({ place }) => place).join(',');
    return `postgres://${username}:${password}@${places}${pathname}?target_session_attrs=read-write`;
  }

  /** Makes the standby the primary. @returns milliseconds until it takes writes */
  async promote(): Promise<number> {
    const began = performance.now();
    const standby = this.other;
    const [row] = await standby.ask<{ done: boolean }>('select pg_promote(true, 30) as done');
    if (row?.done !== true) throw new Error('the standby was not promoted');
    this.#primary = standby;
    return performance.now() - began;
  }

  /** Makes the other server a standby of the primary, with a fresh copy of its data. Resolves when it has everything. */
  async rejoin(): Promise<void> {
    const { primary, other } = this;
    await other.kill();
    await other.copyOf(primary);
    await other.start();
    const isSynchronous = this.#replication === 'synchronous';
    const settings = {
      synchronous_standby_names: isSynchronous ? '*' : '',
      synchronous_commit: isSynchronous ? 'remote_apply' : 'on',
    };
    for (const [name, value] of Object.entries(settings)) await primary.ask(`alter system set ${name} = '${value}'`);
    await primary.ask('select pg_reload_conf()');
    if (!(await until(() => this.#follows(), FOLLOWS_WITHIN_MS))) throw new Error('the standby does not follow');
  }

  /** The standby gets nothing any more, as over a line that is too slow: what is committed now is on one machine only. */
  async leaveBehind(): Promise<void> {
    await this.other.ask(`alter system set primary_conninfo = ''`);
    await this.other.ask('select pg_reload_conf()');
    const isAlone = async (): Promise<boolean> =>
      (await this.#primary.ask('select from pg_stat_replication')).length === 0;
    if (!(await until(isAlone, FOLLOWS_WITHIN_MS))) throw new Error('the standby still follows');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]();
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #follows(): Promise<true | undefined> {
    const wanted = this.#replication === 'synchronous' ? 'sync' : 'async';
    const rows = await this.#primary.ask(
      `select from pg_stat_replication where state = 'streaming' and sync_state = $1
         and pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) < 65536`,
      [wanted],
    );
    return rows.length > 0 ? true : undefined;
  }
}
