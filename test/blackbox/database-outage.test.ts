import { readdirSync } from 'node:fs';
import tap, { type Test, test } from 'tap';

import { lookUp } from '../../src/platform/launch/process/processes.mjs';
import { Line } from '../../src/testing/cluster/line.ts';
import { startDatabase, type TestDatabase } from '../../src/testing/database.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { send } from './http.ts';
import { trySignal } from './launched.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { pause, until } from './waiting.ts';

/** Outages of 25 and 60 s, over one node and over three. */
tap.setTimeout(600_000);

/** Longer than a main thread may be silent before it is taken for dead, and than any question's patience. */
const FROZEN_MS = 25_000;
const AWAY_MS = 60_000;
/** After any outage that ends, the first booking succeeds within this without a person. */
const BACK_WITHIN_MS = 30_000;
const ANSWER_MS = 8_000;

type Node = { rateUrl: string; reservationUrl: string };

/** An installation whose database is at the other end of a line, and what it has acknowledged. */
class Installation {
  readonly name: string;
  readonly service: Service;
  readonly property: BlackboxProperty;
  readonly line: Line;
  readonly acknowledged: string[] = [];
  #wishes = 0;

  private constructor(name: string, service: Service, property: BlackboxProperty, line: Line) {
    this.name = name;
    this.service = service;
    this.property = property;
    this.line = line;
  }

  static async open(name: string, databaseUrl: string, env: Record<string, string> = {}): Promise<Installation> {
    const { line, url } = await Line.to(databaseUrl);
    tap.teardown(() => line[Symbol.asyncDispose]());
    const service = await Service.start({ ...env, DATABASE_URL: url });
    tap.teardown(() => service.remove());
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 200 }, pricedNights: 90 });
    const installation = new Installation(name, service, property, line);
    for (const node of installation.nodes) await installation.books(node);
    return installation;
  }

  get nodes(): Node[] {
    return this.service.env['INNKEEPER_NODES'] === undefined ? [this.service.dev] : this.service.nodes;
  }

  /** Books through a node until it is decided. @returns milliseconds until it was */
  async books(node: Node): Promise<number> {
    const began = performance.now();
    const body = this.property.wish({ from: 10 + (this.#wishes++ % 60), nights: 1 });
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const url = `${node.reservationUrl}/api/v1/reservations`;
    await until(`${this.name} books again`, BACK_WITHIN_MS, async () => {
      const sent = this.service.call<Reservation>('POST', url, { role: 'STAFF', body, headers });
      const answer = await Promise.race([sent.catch(() => undefined), pause(ANSWER_MS)]);
      if (answer?.status !== 201) return undefined;
      this.acknowledged.push(answer.json.reservationId);
      return true;
    });
    return performance.now() - began;
  }

  /** Every node books again by itself, all called at once. */
  async comesBack(t: Test): Promise<void> {
    const waited = await Promise.all(this.nodes.map((node) => this.books(node)));
    const seconds = waited.map((ms) => (ms / 1_000).toFixed(1)).join(', ');
    t.pass(`${this.name}: first booking of each node after ${seconds} s`);
  }

  /** A start of the process would mend nothing, and health says what is missing. */
  async saysWhatIsMissing(t: Test): Promise<void> {
    for (const { reservationUrl } of this.nodes) {
      const ask = (path: string) =>
        send<{ status: string }>({ method: 'GET', url: `${reservationUrl}/actuator/health${path}`, headers: {} });
      t.match(await ask('/liveness'), { status: 200, json: { status: 'UP' } }, `${this.name} is alive`);
      t.match(await ask('/db'), { status: 503 });
      t.match(await ask('/availabilityService'), { status: 503, json: { details: { lease: false } } });
    }
  }

  async hasAll(t: Test): Promise<void> {
    const there = new Set((await this.property.reservations()).map(({ reservationId }) => reservationId));
    t.same(
      this.acknowledged.filter((id) => !there.has(id)),
      [],
      `${this.name}: all ${this.acknowledged.length} acknowledged bookings are there`,
    );
  }
}

/** Every process of a PostgreSQL server. */
async function serverProcesses({ admin }: TestDatabase): Promise<number[]> {
  const sql = "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid";
  const postmaster = (await admin.query<{ pid: number }>(sql)).rows[0]!.pid;
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => lookUp(pid)?.parent === postmaster);
  return [postmaster, ...children];
}

const found = servicesOrSkip(tap, ['redis']);
if (found) {
  const database = await startDatabase();
  tap.teardown(() => database[Symbol.asyncDispose]());
  const all = await Promise.all([
    Installation.open('one node', await database.createDatabase('single')),
    Installation.open('three nodes', database.url, { INNKEEPER_NODES: '3', REDIS_URL: found.redis }),
  ]);

  void test('a way to the database that is lost without a word: all are back on another one', async (t) => {
    for (const { line } of all) line.loseOpen();
    await Promise.all(all.map((one) => one.comesBack(t)));
  });

  void test('a database that stands still for 25 s: all are back by themselves', async (t) => {
    const pids = await serverProcesses(database);
    for (const pid of pids) trySignal(pid, 'SIGSTOP');
    try {
      await pause(FROZEN_MS);
      for (const one of all) await one.saysWhatIsMissing(t);
    } finally {
      for (const pid of pids) trySignal(pid, 'SIGCONT');
    }
    await Promise.all(all.map((one) => one.comesBack(t)));
  });

  void test('a database that is away for 60 s: all are back by themselves', async (t) => {
    for (const { line } of all) line.cut();
    await pause(AWAY_MS);
    for (const one of all) await one.saysWhatIsMissing(t);
    for (const { line } of all) line.mend();
    await Promise.all(all.map((one) => one.comesBack(t)));
  });

  void test('nothing that was acknowledged is missing', async (t) => {
    for (const one of all) await one.hasAll(t);
  });
}
