import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createClient } from 'redis';
import tap, { type Test, test } from 'tap';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { auditIsClean } from './audit.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { holds } from './groups/holds.ts';
import { live } from './groups/live.ts';
import { payments } from './groups/payments.ts';
import { repeats } from './groups/repeats.ts';
import { selling } from './groups/selling.ts';
import { Launched, trySignal } from './launched.ts';
import { type Frame, type LiveClient, openWs } from './live-client.ts';
import { BlackboxProperty } from './property.ts';
import { type ClusterNode, Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { pause, until } from './waiting.ts';

/** Leases of three nodes have to run out. */
tap.setTimeout(300_000);

const CLIENTS = 6;
/** What a person would wait for: an answer comes within it, or never. */
const PATIENCE_MS = 30_000;

/** Bookings that go on while nodes come and go: each under its key, at one node after the other until it is decided. */
class Bookers {
  readonly booked: Reservation[] = [];
  readonly unexpected: string[] = [];
  /** Answers of nodes that were not about to end, of 500 and more. */
  readonly faults: string[] = [];
  readonly #property: BlackboxProperty;
  readonly #nodes: () => ClusterNode[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[];

  constructor(property: BlackboxProperty, nodes: () => ClusterNode[]) {
    this.#property = property;
    this.#nodes = nodes;
    this.#running = Array.from({ length: CLIENTS }, (_, n) => this.#client(n));
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #client(first: number): Promise<void> {
    for (let n = first; !this.#stop.signal.aborted; n++) {
      const body = this.#property.wish({ from: 20 + (n % 40), nights: 1 + (n % 2) });
      const key = crypto.randomUUID();
      const end = performance.now() + PATIENCE_MS;
      while (!(await this.#decided(n, body, key))) {
        n += 1;
        if (performance.now() > end) return void this.unexpected.push(`nobody decided on ${key}`);
        await pause(15);
      }
    }
  }

  async #decided(n: number, body: unknown, key: string): Promise<boolean> {
    const nodes = this.#nodes();
    const url = `${nodes[n % nodes.length]!.reservationUrl}/api/v1/reservations`;
    const options = { role: 'STAFF', body, headers: { 'idempotency-key': key } } as const;
    const answer = await this.#property.service.call<Reservation>('POST', url, options).catch(() => undefined);
    if (answer === undefined) return false;
    if (answer.status === 201) this.booked.push(answer.json);
    else if (answer.status >= 500) this.faults.push(`${answer.status} ${answer.text}`);
    else if (answer.status !== 409) this.unexpected.push(`${answer.status} ${answer.text}`);
    return answer.status < 500 && !answer.text.includes('IDEMPOTENCY_IN_PROGRESS');
  }
}

/** A dashboard that has to see every number once. */
async function watch(
  service: Service,
  node: ClusterNode,
  property: BlackboxProperty,
  from?: object,
): Promise<LiveClient> {
  const client = await openWs(node.liveUrl);
  client.send({ t: 'auth', token: service.token('demo', 'MANAGER'), tenantId: 'demo' });
  const window = { start: property.day(0), days: 90 };
  client.send({
    t: 'subscribe',
    propertyId: property.propertyId,
    topics: ['grid', 'feed'],
    window,
    ...(from && { from }),
  });
  return client;
}

const position = ({ frames }: LiveClient): { generation: number; seq: number } | undefined => {
  const last = frames.findLast(({ t }) => t === 'snapshot' || t === 'delta');
  return last && { generation: last.generation!, seq: last.t === 'snapshot' ? last.seq! : last.to! };
};

const deltas = ({ frames }: LiveClient): Frame[] => frames.filter(({ t }) => t === 'delta');

/** Which node has a property in memory, as its answers say. */
async function ownerOf(service: Service, property: BlackboxProperty): Promise<ClusterNode> {
  const { nodes, dev } = service;
  const url = `${nodes[0]!.rateUrl}/api/v1/rates/current?propertyId=${property.propertyId}&checkIn=${property.day(20)}&checkOut=${property.day(21)}`;
  const { headers } = await service.call('GET', url, { role: 'MANAGER' });
  const cluster = await service.call<{ reports: { nodeId: string; address: string }[] }>(
    ...(['GET', `${nodes[0]!.reservationUrl}/ops/cluster`] as const),
    { authorization: `Bearer ${dev.operatorToken}`, tenantHeader: null },
  );
  const report = cluster.json.reports.find(({ nodeId }) => nodeId === headers['x-innkeeper-node'])!;
  return nodes.find(({ nodePort }) => report.address.endsWith(`:${nodePort}`))!;
}

async function membersAre(service: Service, node: ClusterNode, count: number): Promise<void> {
  await until(`a view of ${count} nodes`, PATIENCE_MS, async () => {
    const { json } = await service.call<{ reports: { view: { members: number } }[] }>(
      ...(['GET', `${node.reservationUrl}/ops/cluster`] as const),
      { authorization: `Bearer ${service.dev.operatorToken}`, tenantHeader: null },
    );
    return json.reports?.every(({ view }) => view.members === count) && json.reports.length === count
      ? true
      : undefined;
  });
}

/** Processes of PostgreSQL that serve somebody. */
async function backendsOf(service: Service): Promise<number[]> {
  const client = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await client.connect();
  try {
    const sql = 'select pid from pg_stat_activity where pid <> pg_backend_pid()';
    return (await client.query<{ pid: number }>(sql)).rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}

const found = servicesOrSkip(tap, ['redis']);
if (found) {
  const env = { INNKEEPER_NODES: '3', REDIS_URL: found.redis };
  const service = await Service.start(env);
  tap.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 12 }, pricedNights: 90 });
  /** A property of its own for each test that goes on booking: a fast machine sells any out. */
  const roomy = (): Promise<BlackboxProperty> =>
    BlackboxProperty.open(service, { rooms: { DLX: 500 }, pricedNights: 90 });

  const allThere = async (t: Test, property: BlackboxProperty, bookers: Bookers): Promise<void> => {
    const node = service.nodes[0]!;
    t.same(bookers.unexpected, []);
    t.ok(bookers.booked.length > 0, `${bookers.booked.length} bookings`);
    for (const { reservationId } of bookers.booked) {
      const url = `${node.reservationUrl}/api/v1/reservations/${reservationId}`;
      const { status } = await service.call('GET', url, { role: 'STAFF' });
      if (status !== 200) t.fail(`reservation ${reservationId} is lost: ${status}`);
    }
    await auditIsClean(t, property);
  };

  // Rates go to one node, reservations to another, dashboards to the third.
  void test('selling over three nodes', (t) => selling(t, service));
  void test('holds over three nodes', (t) => holds(t, service));
  void test('payments over three nodes', (t) => payments(t, service));
  void test('repeats over three nodes', (t) => repeats(t, service));
  void test('live over three nodes', (t) => live(t, service));

  void test('every node answers for every property, and says who did', async (t) => {
    const owner = await ownerOf(service, property);
    const answers = await Promise.all(
      service.nodes.map(({ reservationUrl }) =>
        service.call('GET', `${reservationUrl}/api/v1/tenants/demo/properties/${property.propertyId}`),
      ),
    );
    t.equal(new Set(answers.map(({ text }) => text)).size, 1);
    t.equal(new Set(answers.map(({ headers }) => headers['x-innkeeper-node'])).size, 1);
    t.ok(owner);
  });

  void test('the owner is killed: others take over, dashboards go on where they were', async (t) => {
    const property = await roomy();
    const owner = await ownerOf(service, property);
    const another = service.nodes.find(({ name }) => name !== owner.name)!;
    const clients = await Promise.all(service.nodes.map((node) => watch(service, node, property)));
    const atOwner = clients[service.nodes.findIndex(({ name }) => name === owner.name)]!;
    const others = clients.filter((client) => client !== atOwner);
    await until('snapshots', PATIENCE_MS, () => clients.every((client) => position(client)) || undefined);
    const bookers = new Bookers(property, () => service.nodes);
    await until('bookings', PATIENCE_MS, () => bookers.booked.length > 20 || undefined);
    trySignal(owner.pid, 'SIGKILL');
    const killed = performance.now();
    const before = bookers.booked.length;
    await until('bookings after it', PATIENCE_MS, () => bookers.booked.length > before + CLIENTS || undefined);
    t.comment(`bookings went on after ${Math.round(performance.now() - killed)} ms`);
    const resumed = await watch(service, another, property, position(atOwner));
    await pause(1_000);
    await bookers.end();
    const { seq } = position(others[0]!)!;
    for (const client of [...others, resumed]) {
      await until('the newest change', PATIENCE_MS, () => (position(client)?.seq ?? 0) >= seq || undefined);
      const numbers = deltas(client).flatMap(({ from, to }) =>
        Array.from({ length: to! - from! + 1 }, (_, n) => from! + n),
      );
      t.same(
        numbers,
        numbers.map((_, n) => numbers[0]! + n),
        'every number once, none missing',
      );
    }
    t.equal(resumed.frames.filter(({ t: kind }) => kind === 'snapshot').length, 0, 'no snapshot for who comes back');
    t.equal(deltas(resumed)[0]?.from, position(atOwner)!.seq + 1);
    for (const client of [...clients, resumed]) client.close();
    await until(
      'the node again',
      PATIENCE_MS * 4,
      () => service.nodes.every(({ pid }) => pid !== owner.pid) || undefined,
    );
    await membersAre(service, another, 3);
    await allThere(t, property, bookers);
  });

  void test('Redis is wiped: nobody notices, and who is there is known again', async (t) => {
    const property = await roomy();
    const bookers = new Bookers(property, () => service.nodes);
    const redis = await createClient({ url: found.redis }).connect();
    for (let n = 0; n < 3; n++) {
      await redis.flushAll();
      await pause(700);
    }
    redis.destroy();
    await bookers.end();
    t.same(bookers.faults, []);
    await membersAre(service, service.nodes[2]!, 3);
    await allThere(t, property, bookers);
  });

  void test('a database that hangs: reads go on and say that they may be old, until nobody may answer', async (t) => {
    // Activated where it is placed: one that still moves after the tests before has no owner while the database hangs.
    for (const node of service.nodes) await membersAre(service, node, 3);
    const property = await roomy();
    const { rateUrl } = await ownerOf(service, property);
    const nights = `checkIn=${property.day(20)}&checkOut=${property.day(21)}`;
    const url = `${rateUrl}/api/v1/rates/current?propertyId=${property.propertyId}&${nights}`;
    const read = async (): Promise<string> => {
      // No other request here is of a VIEWER: its membership was read just before, and is not read again while the
      // database hangs.
      const { status, headers } = await service.call('GET', url, { role: 'VIEWER' });
      return headers['warning'] ? `${status} stale` : String(status);
    };
    t.equal(await read(), '200');
    const backends = await backendsOf(service);
    const hungAt = performance.now();
    for (const pid of backends) trySignal(pid, 'SIGSTOP');
    const said: { at: number; what: string }[] = [];
    while (performance.now() - hungAt < 7_000) {
      const what = await Promise.race([read(), pause(1_000).then(() => 'nothing')]);
      said.push({ at: performance.now() - hungAt, what });
      await pause(50);
    }
    for (const pid of backends) trySignal(pid, 'SIGCONT');
    t.ok(
      said.some(({ what }) => what === '200 stale'),
      `they are marked: ${said.map(({ at, what }) => `${what} at ${Math.round(at)} ms`).join(', ')}`,
    );
    t.same(
      said.filter(({ at, what }) => at > 5_600 && what.startsWith('200')),
      [],
      'a lease that ran out answers nothing',
    );
    await until('reads again', PATIENCE_MS, async () => (await read()) === '200' || undefined);
    for (const node of service.nodes) await membersAre(service, node, 3);
    const { status } = await property.book({ from: 70 });
    t.equal(status, 201);
    await auditIsClean(t, property);
  });

  void test('a node that ends in order is missed by nobody', async (t) => {
    const property = await roomy();
    const owner = await ownerOf(service, property);
    let nodes = service.nodes;
    const bookers = new Bookers(property, () => nodes);
    const unaware = new Bookers(property, () => service.nodes);
    await pause(500);
    // As a proxy does that checks readiness: from now on it sends nothing there.
    nodes = nodes.filter(({ name }) => name !== owner.name);
    trySignal(owner.pid, 'SIGTERM');
    await pause(5_000);
    await Promise.all([bookers.end(), unaware.end()]);
    t.same(bookers.faults, []);
    t.same(unaware.faults, [], 'later requests are answered, or not connected');
    await until(
      'the node again',
      PATIENCE_MS * 4,
      () => service.nodes.every(({ pid }) => pid !== owner.pid) || undefined,
    );
    await membersAre(service, nodes[0]!, 3);
    await allThere(t, property, bookers);
    await allThere(t, property, unaware);
  });

  void test('a node that may not join gets the reason in one line', async (t) => {
    const secrets = {
      DATABASE_URL: embeddedDatabaseUrl(service.dataDir),
      REDIS_URL: found.redis,
      DEMO: '0',
      NODE_ENV: 'development',
    };
    const names = ['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT', 'OIDC_PORT', 'REGISTRY_PORT', 'NODE_PORT'];
    const ports = await freePorts(names.length);
    const listeners = Object.fromEntries(names.map((name, n) => [name, String(ports[n])]));
    const dataDir = mkdtempSync(join(tmpdir(), 'innkeeper-stranger-'));
    t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
    const stranger = new Launched({
      ...secrets,
      ...listeners,
      DATA_DIR: join(dataDir, 'one'),
      CLUSTER_SECRET: 'a secret that nobody else has',
    });
    t.equal(await stranger.exited, 1);
    t.match(stranger.output, /innkeeper: this node may not join the cluster: .*CLUSTER_SECRET/);
    mkdirSync(join(dataDir, 'two'));
    cpSync(join(service.dataDir, 'node-2', 'node-id'), join(dataDir, 'two', 'node-id'));
    const twin = new Launched({ ...secrets, ...listeners, DATA_DIR: join(dataDir, 'two') });
    t.equal(await twin.exited, 1);
    t.match(twin.output, /innkeeper: another Innkeeper runs as node/);
  });
}
