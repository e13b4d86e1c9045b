import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { portsInARow } from '../../src/testing/launch/free-ports.ts';
import { findProgram } from '../services/debian.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { AgentClient, SCOPE } from './agent-client.ts';
import { type Answer, hangUp, send } from './http.ts';
import { isAlive, Launched, postgresPid, SCRIPT, stopPostgres, trySignal } from './launched.ts';
import { signedToken } from './signed-token.ts';
import { pause, until } from './waiting.ts';

/** Starts several clusters. */
tap.setTimeout(300_000);

/** `DATA_DIR/cluster.json`, as tools read it. */
type ClusterFile = {
  nodes: { name: string; rateUrl: string; reservationUrl: string; liveUrl: string; pid: number; nodePort: number }[];
  tokens: Record<string, Record<string, string>>;
  operatorToken: string;
  issuer: string;
  pid: number;
};

const READY_MS = 240_000;
/** Ports of two nodes: ten apart, the last one is the fifth after the second's first. */
const PORTS = 16;
const PER_SECOND = 200;

/** `npm run cluster` brings a Redis where there is a program for it; what it brings is what is tested then. */
const redis = findProgram('redis-server') === undefined ? servicesOrSkip(tap, ['redis'])?.redis : '';
if (redis !== undefined) {
  const dataDir = mkdtempSync(join(tmpdir(), 'innkeeper-cluster-'));
  chmodSync(dataDir, 0o755);
  const file = join(dataDir, 'cluster.json');
  const port = await portsInARow(PORTS);
  let launched: Launched | undefined;
  /** What a test that is cut off leaves running would keep the ports. */
  const abandon = (): void => {
    if (launched && !launched.over) launched.signalGroup('SIGKILL');
    const database = postgresPid(dataDir);
    if (database !== undefined) trySignal(database, 'SIGQUIT');
  };
  process.once('exit', abandon);
  process.once('SIGTERM', () => process.exit(143));
  tap.teardown(async () => {
    if (launched && !launched.over) launched.signalGroup('SIGKILL');
    await stopPostgres(dataDir);
    hangUp();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const read = (): ClusterFile | undefined =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ClusterFile) : undefined;
  const start = async (): Promise<ClusterFile> => {
    const args = ['--', '--nodes', '2', '--port', String(port), '--runtime', SCRIPT === 'start' ? 'deno' : 'node'];
    const before = read()?.pid;
    const limits = { RATE_LIMIT_TENANT: String(PER_SECOND), RATE_LIMIT_SUBJECT: '0' };
    const one = new Launched({ DATA_DIR: dataDir, ...limits, ...(redis && { REDIS_URL: redis }) }, 'cluster', args);
    launched = one;
    return until('the cluster gets ready', READY_MS, () => {
      if (one.over) throw new Error(`the cluster ended: ${one.output.slice(-2_000)}`);
      const now = read();
      // That of a launcher that was killed lies there until the next one removes it.
      return now?.pid === before ? undefined : now;
    });
  };
  const call = <T>(cluster: ClusterFile, method: string, url: string, body?: unknown): Promise<Answer<T>> =>
    send<T>({
      method,
      url,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${cluster.tokens['demo']?.['ADMIN']}`,
        'x-tenant-id': 'demo',
        'content-type': 'application/json',
      },
    });
  const properties = (cluster: ClusterFile, node: number) =>
    call<{ items: unknown[] }>(
      cluster,
      'GET',
      `${cluster.nodes[node]?.reservationUrl}/api/v1/tenants/demo/properties`,
    );

  void test('two nodes share what they know, and tools learn where they are', async (t) => {
    const cluster = await start();
    t.equal(statSync(file).mode & 0o777, 0o600);
    t.match(cluster.nodes, [
      { name: 'node-1', pid: Number },
      { name: 'node-2', pid: Number },
    ]);
    const one = await properties(cluster, 0);
    const other = await properties(cluster, 1);
    t.equal(one.status, 200);
    t.equal(one.json.items.length, 2, 'seeded by the first');
    t.same(other.json, one.json);
    for (const { liveUrl } of cluster.nodes)
      t.match(await send({ method: 'GET', url: `${liveUrl}/`, headers: {} }), {
        status: 200,
        text: /<!doctype html>/i,
      });
    t.match(launched?.output, /a cluster of 2/);
  });

  void test('the doctor finds the cluster as it runs, and a backup has the keys of its guests', async (t) => {
    const given = { DATA_DIR: dataDir, ...(redis && { REDIS_URL: redis }) };
    const doctor = new Launched(given, 'doctor');
    t.equal(await doctor.exited, 0, doctor.output);
    t.match(doctor.output, new RegExp(`^ok +ports +${port}, .* used by the running service$`, 'm'));
    for (const check of ['database', 'keys', 'redis']) t.match(doctor.output, new RegExp(`^ok +${check} `, 'm'));
    const to = join(dataDir, 'copy');
    const backup = new Launched(given, 'backup', ['--', '--to', to]);
    t.equal(await backup.exited, 0, backup.output);
    t.notMatch(backup.output, /SECRET_KEYS/);
    const keys = (folder: string): string => readFileSync(join(folder, 'secrets.json'), 'utf8');
    t.equal(keys(to), keys(dataDir));
  });

  void test('an agent is answered by any node, whichever owns the property', async (t) => {
    const cluster = read()!;
    const claims = { scope: SCOPE };
    const token = await signedToken(dataDir, cluster.tokens['demo']!['STAFF']!, { claims });
    const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const stay = { checkIn: inDays(40), checkOut: inDays(42), adults: 2, roomType: 'STD', rateCode: 'BAR' };
    for (const { reservationUrl } of cluster.nodes) {
      await using agent = await AgentClient.open(`${reservationUrl}/mcp`, token);
      for (const propertyId of ['harbor-hotel', 'mountain-resort'])
        t.match(await agent.call('quote_stay', { ...stay, propertyId }), { isError: false, json: { propertyId } });
    }
    const agents = await Promise.all(
      cluster.nodes.map(({ reservationUrl }) => AgentClient.open(`${reservationUrl}/mcp`, token)),
    );
    const asked = ['harbor-hotel', 'mountain-resort'].flatMap((propertyId) =>
      agents.flatMap((agent) => [agent, agent].map((one) => ({ one, propertyId }))),
    );
    const hold = { ...stay, maxTotal: 5_000 };
    const held = await Promise.all(
      asked.map(({ one, propertyId }) => one.call('hold_room', { ...hold, propertyId })),
    );
    t.equal(held.filter(({ isError }) => !isError).length, 3, 'its limit holds over all nodes at the same moment');
    for (const agent of agents) await agent[Symbol.asyncDispose]();
  });

  void test('what one node has let through is missing on the other', async (t) => {
    const cluster = read()!;
    const left = async (node: number): Promise<number> =>
      Number((await properties(cluster, node)).headers['ratelimit-remaining']);
    const seen = await until('a limit that others have used', 60_000, async () => {
      await Promise.all(Array.from({ length: 60 }, () => left(0)));
      await left(1);
      // Nodes announce themselves twenty times a second; a second is what there is to see it in.
      await pause(120);
      const now = await left(1);
      return now < PER_SECOND - 30 ? now : undefined;
    });
    t.comment(`${seen} of ${PER_SECOND} left after two requests of its own`);
  });

  void test('a node that was killed is said to be, and comes back; nobody else notices', async (t) => {
    const before = read()!;
    trySignal(before.nodes[1]!.pid, 'SIGKILL');
    t.equal((await properties(before, 0)).status, 200);
    const after = await until('another process of the node', READY_MS, () => {
      const now = read();
      const pid = now?.nodes[1]?.pid;
      return pid !== undefined && pid !== null && pid !== before.nodes[1]!.pid ? now : undefined;
    });
    t.equal(after.nodes[0]!.pid, before.nodes[0]!.pid);
    await until('the node answers', READY_MS, async () => {
      const answer = await properties(after, 1).catch(() => undefined);
      return answer?.status === 200 || undefined;
    });
    t.match(launched?.output, /node-2 \(process \d+\) ended with SIGKILL; it is started again/);
  });

  void test('without its launcher a cluster is ended by the next start, with the same tokens and data', async (t) => {
    const before = read()!;
    trySignal(before.pid, 'SIGKILL');
    await until('the launcher is gone', 10_000, () => !isAlive(before.pid) || undefined);
    const after = await start();
    t.match(launched?.output, /stopping node-1 of an earlier start/);
    for (const { pid } of before.nodes) t.notOk(isAlive(pid));
    t.equal((await properties({ ...after, tokens: before.tokens }, 1)).status, 200, 'an old token still opens');
  });

  void test('SIGTERM ends all of it in order', async (t) => {
    const { nodes, pid } = read()!;
    hangUp();
    trySignal(pid, 'SIGTERM');
    t.equal(await launched?.exited, 0, launched?.output ?? '');
    for (const node of nodes) t.notOk(isAlive(node.pid));
    t.equal(postgresPid(dataDir), undefined);
    t.notOk(existsSync(file));
  });
}
