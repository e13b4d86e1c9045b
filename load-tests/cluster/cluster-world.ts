import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../src/platform/launch/process/until.mjs';
import { nodeCommand, type Runtime } from '../../src/platform/launch/runtimes.mjs';
import { startDatabase, type TestDatabase } from '../../src/testing/database.ts';
import { freePorts } from '../../src/testing/launch/free-ports.ts';
import type { Redis } from '../../test/services/redis.ts';
import { type Services, startServices } from '../../test/services/start.ts';
import { connected } from '../client/connected.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { ClusterNode } from './cluster-node.ts';
import { DatabaseLine } from './database-line.ts';
import { LinkProxy } from './link-proxy.ts';
import { RedisLine } from './redis-line.ts';
import type { SmallDisk } from './small-disk.ts';

export type Role = 'OWNER' | 'ADMIN' | 'MANAGER' | 'STAFF' | 'VIEWER';
type Minted = { issuer: string; tokens: Record<string, Record<Role, string>>; operatorToken: string };

export type WorldOptions = {
  runtime: Runtime;
  nodes: number;
  /** Proxies between the nodes, and to Redis. */
  proxies: boolean;
  /** Nodes, counted from 0, that start with the other Redis; with `proxies` only. */
  atOtherRedis?: readonly number[];
  /** Folder of the database's files; a temporary one by default. */
  smallDisk?: SmallDisk;
  /** Additional environment of all nodes: other services that they use. */
  env?: Readonly<Record<string, string>>;
  /** Called with the migrated database before any node starts. */
  prepare?: (database: TestDatabase) => Promise<void>;
  /** Folder of the sources of a release: nodes start as that, on an empty database that the first of them migrates. */
  release?: string;
};

const PORTS = ['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT', 'REGISTRY_PORT', 'NODE_PORT'] as const;
const ISSUER_MS = 30_000;

// A listener for each part: more than Node's default limit.
process.setMaxListeners(100);
/** Every part ends on 'exit', which signals alone do not emit. */
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

/** Real nodes, a real PostgreSQL and a real Redis, with connections between them that can be cut. */
export class ClusterWorld implements AsyncDisposable {
  readonly nodes: ClusterNode[] = [];
  readonly proxies: LinkProxy[] = [];
  readonly databaseLines: DatabaseLine[] = [];
  readonly database: TestDatabase;
  readonly services: Services;
  readonly redisLines: RedisLine[] = [];
  readonly folder: string;
  readonly options: WorldOptions;
  readonly secretKeys = `test1:${randomBytes(32).toString('base64')}`;
  #issuer: ChildProcess | undefined;
  #minted: Minted | undefined;

  #otherServices: Services | undefined;

  private constructor(options: WorldOptions, database: TestDatabase, services: Services) {
    this.options = options;
    this.database = database;
    this.services = services;
    this.folder = mkdtempSync(join(tmpdir(), 'innkeeper-nodes-'));
    chmodSync(this.folder, 0o755);
  }

  /** Resolves when everything is ready, and the first node has seeded tenants and users. */
  static async open(options: WorldOptions): Promise<ClusterWorld> {
    const server = await startDatabase(options.smallDisk?.folder);
    const database = options.release === undefined ? server : await emptyOn(server);
    const services = await startServices({ only: ['redis'] });
    await options.prepare?.(database);
    const world = new ClusterWorld(options, database, services);
    try {
      await world.#start();
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  token(role: Role, tenant = 'demo'): string {
    return this.#minted!.tokens[tenant]![role];
  }

  get operatorToken(): string {
    return this.#minted!.operatorToken;
  }

  get tenantId(): string {
    return 'demo';
  }

  /** Process id of the server. */
  async postgresPid(): Promise<number> {
    const sql = "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid";
    return (await this.query<{ pid: number }>(sql))[0]!.pid;
  }

  get smallDisk(): SmallDisk | undefined {
    return this.options.smallDisk;
  }

  get redisPid(): number {
    return this.services.redis!.pid;
  }

  /** A second Redis, which knows nothing of the first; started at its first use. */
  async otherRedis(): Promise<Redis> {
    this.#otherServices ??= await startServices({ only: ['redis'] });
    return this.#otherServices.redis!;
  }

  redisLineOf(node: ClusterNode): RedisLine {
    return this.redisLines[this.nodes.indexOf(node)]!;
  }

  /** Crashes PostgreSQL; nodes find no server at its address. */
  crashDatabase(): Promise<void> {
    return this.database.crash();
  }

  /** Resolves when it accepts connections, at the same address. */
  async restartDatabase(): Promise<void> {
    await this.database.restart();
    for (const line of this.databaseLines) line.leadTo(this.database.url);
  }

  /** Proxy before the port of a node that others call. */
  proxyOf(node: ClusterNode): LinkProxy {
    return this.proxies[this.nodes.indexOf(node)]!;
  }

  databaseLineOf(node: ClusterNode): DatabaseLine {
    return this.databaseLines[this.nodes.indexOf(node)]!;
  }

  /** Owner of a property in the database. */
  async ownerOf(propertyId: string): Promise<ClusterNode | undefined> {
    const [row] = await this.query<{ node: string | null }>(
      'select owner_node as node from property_actor where tenant_id = $1 and property_id = $2',
      [this.tenantId, propertyId],
    );
    return this.nodes.find((one) => one.nodeId === row?.node);
  }

  /** Rows of a statement outside row security, in a session of its own: faults end sessions. */
  async query<T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const admin = await connected(this.database.url);
    try {
      return (await admin.query<T>(sql, [...values])).rows;
    } finally {
      await admin.end();
    }
  }

  /** Copies the nodes' logs to a folder that outlives them. */
  keepLogs(into: string): void {
    for (const { name, logFile } of this.nodes)
      if (existsSync(logFile)) copyFileSync(logFile, join(into, `${name}.log`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.nodes) node.signal('SIGCONT');
    await Promise.all(this.nodes.filter(({ isUp }) => isUp).map((node) => node.killHard()));
    this.#issuer?.kill('SIGTERM');
    for (const line of [...this.proxies, ...this.databaseLines, ...this.redisLines])
      await line[Symbol.asyncDispose]();
    await this.#otherServices?.[Symbol.asyncDispose]();
    await this.services[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  async #start(): Promise<void> {
    const { nodes, runtime, proxies } = this.options;
    const [issuerPort] = (await freePorts(1)) as [number];
    this.#minted = await this.#startIssuer(issuerPort);
    const shared = this.#shared(this.#minted.issuer);
    for (let n = 0; n < nodes; n++) {
      const ports = await freePorts(PORTS.length);
      const env: Record<string, string> = Object.fromEntries(PORTS.map((name, at) => [name, String(ports[at])]));
      if (proxies) {
        const proxy = await LinkProxy.before(ports[4]!, () => this.nodes.map(({ pid }) => pid));
        this.proxies.push(proxy);
        env['NODE_ADVERTISE'] = `127.0.0.1:${proxy.port}`;
        const { line, url } = await DatabaseLine.to(this.database.url);
        this.databaseLines.push(line);
        env['DATABASE_URL'] = url;
        const isOdd = this.options.atOtherRedis?.includes(n) === true;
        const redisLine = await RedisLine.to((isOdd ? await this.otherRedis() : this.services.redis!).url);
        this.redisLines.push(redisLine);
        env['REDIS_URL'] = redisLine.url;
      }
      const own = { ...shared, ...env, ...(n > 0 && { DEMO: '0' }) };
      const dataDir = join(this.folder, `node-${n + 1}`);
      const node = new ClusterNode({ name: `node-${n + 1}`, runtime, dataDir, env: own });
      node.sources = this.options.release;
      this.nodes.push(node);
    }
    const [first, ...others] = this.nodes;
    await first!.start();
    await Promise.all(others.map((node) => node.start()));
  }

  #shared(issuer: string): Record<string, string> {
    return {
      ...NO_LIMITS,
      DATABASE_URL: this.database.url,
      REDIS_URL: this.services.redis!.url,
      NODE_ENV: 'development',
      INNKEEPER_DEVELOPMENT_ISSUER: issuer,
      SECRET_KEYS: this.secretKeys,
      CLUSTER_SECRET: randomBytes(24).toString('base64'),
      NODE_HOST: '127.0.0.1',
      PAYMENT_LEDGER: join(this.folder, 'payments.jsonl'),
      LOG_LEVEL: 'info',
      ...this.options.env,
    };
  }

  async #startIssuer(port: number): Promise<Minted> {
    const [program, ...args] = nodeCommand('src/commands/development-issuer.ts');
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: this.folder, OIDC_PORT: String(port) };
    const issuer = spawn(program!, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    process.once('exit', () => issuer.kill('SIGKILL'));
    this.#issuer = issuer;
    const file = join(this.folder, 'issuer.json');
    if (!(await until(() => existsSync(file), ISSUER_MS))) throw new Error('the development issuer does not start');
    return JSON.parse(readFileSync(file, 'utf8')) as Minted;
  }
}

/** An empty database on a server, in the place of its migrated one. */
async function emptyOn(server: TestDatabase): Promise<TestDatabase> {
  const url = await server.createDatabase('release');
  return Object.create(server, { url: { value: url } }) as TestDatabase;
}
