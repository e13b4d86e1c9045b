import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Test } from 'tap';

import { alertRules, runbookPage, selectedIn } from './alert-rules.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import type { Answer } from './http.ts';
import type { CallOptions, Service } from './service.ts';
import { until } from './waiting.ts';

/** A command that is not answered by then shows that nobody answers; programs of npm start a runtime first. */
const SHELL_MS = 6_000;
const NPM_MS = 60_000;
const SHOWN_WITHIN_MS = 90_000;
const MARK_LENGTH = 300;
const BLOCKERS =
  'select pg_blocking_pids(pid), left(query, 80) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0';
const TERMINATE = 'select pg_terminate_backend(pid)';
/** Paths of the rate service; the others are those of the reservation service. */
const OF_RATES = /^\/api\/v1\/(rates|admin\/competitor-sync)/;

/** What an operator puts in place of `{id}`, `(pid)`, `:8085` and the like. */
export type Given = Readonly<Record<string, string | number>>;

/**
 * A page of ops/runbook beside a service that is broken in the way of its alert. Each command must stand in the page,
 * between backticks, as it is executed.
 */
export class RunbookPage {
  readonly #t: Test;
  readonly #service: Service;
  readonly #name: string;

  constructor(t: Test, service: Service, name: string) {
    this.#t = t;
    this.#service = service;
    this.#name = name;
  }

  get #databaseUrl(): string {
    return this.#service.env['DATABASE_URL'] ?? embeddedDatabaseUrl(this.#service.dataDir);
  }

  /** A command of the page, or a name that it has an operator look for. */
  command(command: string, given: Given = {}): string {
    this.#t.ok(runbookPage(this.#name).includes(`\`${command}\``), `${this.#name} has ${command}`);
    return Object.entries(given).reduce((text, [name, value]) => text.replaceAll(name, String(value)), command);
  }

  /** Runs a statement of the page, as the owner of the database. */
  async sql(command: string, given: Given = {}): Promise<string> {
    const text = this.command(command, given);
    const client = new Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      return JSON.stringify((await client.query(text)).rows);
    } finally {
      await client.end();
    }
  }

  /** Runs a shell command of the page, with the variables that the operator has. */
  async shell(command: string, given: Given = {}): Promise<string> {
    const { dataDir, dev, env: own } = this.#service;
    const { NODE_OPTIONS: _tap, TAP: _watched, ...inherited } = process.env;
    const env = { ...inherited, ...own, DATA_DIR: dataDir, RATE: dev.rateUrl, RESERVATION: dev.reservationUrl };
    const isNpm = command.startsWith('npm ');
    // Programs of ours look for the embedded database by themselves.
    const options = {
      env: isNpm ? env : { ...env, DATABASE_URL: this.#databaseUrl },
      timeout: isNpm ? NPM_MS : SHELL_MS,
    };
    return (await promisify(execFile)('sh', ['-c', this.command(command, given)], options)).stdout;
  }

  /** Sends a request of the page, such as `GET /api/v1/webhooks`. */
  request<T = unknown>(command: string, given: Given = {}, options: CallOptions = {}): Promise<Answer<T>> {
    const [method = '', path = ''] = this.command(command, given).split(' ');
    const { rateUrl, reservationUrl } = this.#service.dev;
    return this.#service.call<T>(method, (OF_RATES.test(path) ? rateUrl : reservationUrl) + path, options);
  }

  /** Greatest value of a metric that the page's alert looks at. */
  async figure(metric: string): Promise<number> {
    const rule = alertRules().find(({ alert }) => alert === this.#name);
    const isOfAlert = selectedIn(rule?.expr ?? '').some((one) => one.metric === metric);
    this.#t.ok(isOfAlert, `the alert ${this.#name} looks at ${metric}`);
    const { rateUrl, reservationUrl, liveUrl } = this.#service.dev;
    const open = { authorization: null, tenantHeader: null };
    const texts = [rateUrl, reservationUrl, liveUrl].map(
      async (url) => (await this.#service.call('GET', `${url}/actuator/prometheus`, open)).text,
    );
    const lines = (await Promise.all(texts)).join('\n').split('\n');
    const values = lines.flatMap((line) => {
      const [name = '', value] = line.split(/(?:\{.*\})? (?=\S+$)/);
      return name === metric && value !== undefined ? [Number(value)] : [];
    });
    return Math.max(...values);
  }

  /** Waits until the figure of the alert is as it is where the alert fires, or as where it does not. */
  async figureIs(metric: string, expected: (value: number) => boolean): Promise<number> {
    return until(`${this.#name}: ${metric}`, SHOWN_WITHIN_MS, async () => {
      const value = await this.figure(metric);
      return expected(value) ? value : undefined;
    });
  }

  /** Waits until a command of the page shows something. */
  async shows(what: RegExp, look: () => Promise<string>): Promise<string> {
    return until(`${this.#name} shows ${what}`, SHOWN_WITHIN_MS, async () => {
      const text = await look();
      return what.test(text) ? text : undefined;
    });
  }

  /** The end of the log as it is now, for {@link says}. */
  mark(): string {
    return this.#service.output.slice(-MARK_LENGTH);
  }

  /** Waits until the log says something after a mark; of a long log only the end is there. */
  says(what: RegExp, mark: string): Promise<string> {
    return this.shows(what, async () => {
      const { output } = this.#service;
      return output.slice(output.indexOf(mark) + mark.length);
    });
  }

  /** Finds the session that blocks another one, as the page says, and ends it. */
  async endBlocker(): Promise<void> {
    const pid = await until('who blocks is named', SHOWN_WITHIN_MS, async () => {
      const rows = JSON.parse(await this.sql(BLOCKERS)) as { pg_blocking_pids: number[] }[];
      return rows[0]?.pg_blocking_pids[0];
    });
    this.#t.match(await this.sql(TERMINATE, { '(pid)': `(${pid})` }), /true/);
  }
}
