import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

import type { EmbeddedPostgres } from '../../platform/launch/database/postgres.d.mts';
import { startPostgres } from '../../platform/launch/database/postgres.mjs';
import { isRunning } from '../../platform/launch/process/processes.mjs';
import { until } from '../../platform/launch/process/until.mjs';
import { Line } from '../cluster/line.ts';
import { signalServer } from './server-processes.ts';

const GONE_WITHIN_MS = 10_000;
const QUERY_WITHIN_MS = 20_000;
/** Parts of a data folder that belong to the server it was copied from. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label'];
/** Folders whose content does. The log comes over the connection to the primary. */
const EMPTIED = ['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify', 'pg_subtrans', 'pg_dynshmem'];

/** One server of a pair: a real PostgreSQL, behind a line that the service and the other server reach it over. */
export class PairedServer implements AsyncDisposable {
  readonly name: string;
  readonly #dataDir: string;
  #server: EmbeddedPostgres | undefined;
  #way: { line: Line; url: string } | undefined;
  readonly #onExit = (): void => this.signal('SIGKILL');

  constructor(name: string, folder: string) {
    this.name = name;
    this.#dataDir = join(folder, name);
    process.once('exit', this.#onExit);
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  /** Address of the server itself, which no fault touches. */
  get url(): string {
    return this.#server!.url;
  }

  /** Host and port that the service and the other server are given. */
  get place(): string {
    return `127.0.0.1:${new URL(this.#way!.url).port}`;
  }

  /** Way of the service and of the other server. */
  get line(): Line {
    return this.#way!.line;
  }

  /** Resolves when it answers; on the port that it had. */
  async start(): Promise<void> {
    if (this.#server === undefined) {
      this.#server = await startPostgres({ dataDir: this.#dataDir });
      this.#way = await Line.to(this.#server.url);
      return;
    }
    const { port } = this.#server;
    await this.#server.startAgain(new AbortController().signal);
    if (this.#server.port !== port) throw new Error(`another program has taken the port of ${this.name}`);
  }

  /** Rows of a statement of the superuser, in a session of its own. */
  async ask<T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.url, query_timeout: QUERY_WITHIN_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(sql, [...values])).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Sends a signal to all its processes. */
  signal(signal: NodeJS.Signals): void {
    if (this.#server !== undefined && isRunning(this.#server.pid)) signalServer(this.#server.pid, signal);
  }

  /** Ends at once, like a machine that loses its power. */
  async kill(): Promise<void> {
    const pid = this.#server?.pid;
    this.signal('SIGKILL');
    if (pid !== undefined) await until(() => !isRunning(pid) || undefined, GONE_WITHIN_MS);
  }

  /** Takes the data of a running server, and will follow it from its next start. */
  async copyOf(primary: PairedServer): Promise<void> {
    const from = fs.realpathSync(join(primary.dataDir, 'postgres'));
    const to = join(this.#dataDir, 'postgres');
    fs.rmSync(to, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    fs.mkdirSync(this.#dataDir, { recursive: true });
    fs.chmodSync(this.#dataDir, 0o711);
    const session = new Client({ connectionString: primary.url });
    await session.connect();
    try {
      await session.query(`select pg_backup_start('pair', true)`);
      await copy(from, to);
      const { rows } = await session.query<{ label: string }>(
        'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
      );
      for (const name of NOT_COPIED) fs.rmSync(join(to, name), { force: true });
      for (const name of EMPTIED)
        for (const one of fs.readdirSync(join(to, name))) fs.rmSync(join(to, name, one), { recursive: true });
      this.#write('backup_label', rows[0]!.label);
      this.#write('standby.signal', '');
    } finally {
      await session.end();
    }
    const { password } = new URL(primary.url);
    const [host, port] = primary.place.split(':');
    const settings = {
      primary_conninfo: `host=${host} port=${port} user=postgres password=${password} application_name=${this.name}`,
      synchronous_standby_names: '',
      wal_retrieve_retry_interval: '200ms',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    fs.appendFileSync(join(to, 'postgresql.auto.conf'), lines.join(''));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#onExit);
    await this.kill();
    await this.#way?.line[Symbol.asyncDispose]();
  }

  /** A file of the data folder, which its account owns. */
  #write(name: string, text: string): void {
    const folder = join(this.#dataDir, 'postgres');
    const { uid, gid } = fs.statSync(folder);
    fs.writeFileSync(join(folder, name), text, { mode: 0o600 });
    fs.chownSync(join(folder, name), uid, gid);
  }
}

/** With owners and permissions. Files that the server removes meanwhile may be missing: its log has what they had. */
async function copy(from: string, to: string): Promise<void> {
  await new Promise<void>((done, failed) => {
    const child = spawn('cp', ['-a', from, to], { stdio: 'ignore' });
    child.once('error', failed);
    child.once('exit', () => done());
  });
  for (const name of ['PG_VERSION', 'global/pg_control'])
    if (!fs.existsSync(join(to, name))) throw new Error(`the data of a server was not copied: ${name} is missing`);
}
