import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyTemplate } from '../../src/testing/database-template.ts';
import { freePorts, portsInARow } from '../../src/testing/launch/free-ports.ts';
import { isNightly } from '../loop/nightly.ts';
import { CanaryWatch } from './canary-watch.ts';
import { copyDemo } from './demo-template.ts';
import { type Answer, hangUp, send } from './http.ts';
import { isAlive, Launched, type LaunchOptions, postgresPid, SCRIPT, stopPostgres, trySignal } from './launched.ts';
import { pause, until } from './waiting.ts';

export type Role = 'OWNER' | 'ADMIN' | 'MANAGER' | 'STAFF' | 'VIEWER';

/** `DATA_DIR/dev.json` (docs/operations/process.md#start). */
export type DevFile = {
  rateUrl: string;
  reservationUrl: string;
  liveUrl: string;
  issuer: string;
  tokens: Record<string, Record<Role, string>>;
  operatorToken: string;
  basic: { user: string; password: string };
  pid: number;
};

/** What differs from an ordinary request of a member of the tenant `demo`. */
export type CallOptions = {
  body?: unknown;
  /** Sent as it is instead of `body`. */
  raw?: string;
  role?: Role;
  /** Whose token is sent; also the tenant header unless `tenantHeader` says otherwise. */
  tenant?: string;
  /** `null` sends none, two values send the header twice. */
  tenantHeader?: string | string[] | null;
  /** Whole value of `Authorization`; `null` sends none. */
  authorization?: string | null;
  headers?: OutgoingHttpHeaders;
  /** A request without a valid token takes 429 for an answer; others retry after `Retry-After`. */
  insistent?: boolean;
};

const PORTS_OF_A_NODE = 10;
const PORTS = ['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT', 'OIDC_PORT', 'REGISTRY_PORT'];
/** tap says so to every test. Benchmarks start services with this harness too, and are not watched. */
const IS_TEST = process.env.TAP === '1';
const READY_MS = 100_000;
/** The contract gives 10 s; the rest is for npm. */
const DRAIN_MS = 12_000;

const onTerm = (): never => process.exit(143);

/** The service from the checkout, on free ports and with a data directory of its own, as a stranger sees it. */
export class Service {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'innkeeper-test-'));
  readonly env: Record<string, string>;
  readyMs = 0;
  /** For the next start of one service, no cluster. */
  launchOptions: LaunchOptions = {};
  #launched: Launched | undefined;
  #dev: DevFile | undefined;
  #watch: CanaryWatch | undefined;
  readonly #onExit = (): void => this.abandon();

  private constructor(env: Record<string, string>) {
    this.env = env;
    // The account that PostgreSQL runs under for root must be able to pass.
    chmodSync(this.dataDir, 0o755);
  }

  /** Ports are chosen, nothing runs yet. */
  static async prepare(env: Record<string, string> = {}): Promise<Service> {
    const nodes = env.INNKEEPER_NODES ?? process.env.INNKEEPER_NODES;
    const ports = await freePorts(PORTS.length);
    const given: Record<string, string> = Object.fromEntries(
      PORTS.map((name, index) => [name, String(ports[index])]),
    );
    // The nodes of a cluster have theirs in a row.
    if (nodes !== undefined) given.RATE_PORT = String(await portsInARow(Number(nodes) * PORTS_OF_A_NODE));
    // What is not embedded may be real, so somebody has to say that it is not.
    if (env.DATABASE_URL !== undefined || env.OIDC_ISSUER !== undefined) given.NODE_ENV = 'development';
    const service = new Service({ ...given, ...env });
    process.once('exit', service.#onExit);
    process.once('SIGTERM', onTerm);
    return service;
  }

  /**
   * Prepared and up, and watched at night, or where a file says so. Its database is a copy of one that another start of
   * the run has left with the hotels of the demo (demo-template.ts), or of a migrated one, where a test of this day has
   * left one behind; the first start on an empty folder is what `prepare` and `up` give (survival.test.ts,
   * starting.test.ts, cluster.test.ts).
   */
  static async start(env: Record<string, string> = {}, options: LaunchOptions = {}): Promise<Service> {
    const service = await Service.prepare(env);
    service.launchOptions = options;
    try {
      if (IS_TEST && env.DATABASE_URL === undefined) await service.#copyDatabase(env);
      return await service.up();
    } catch (error) {
      // What still runs would keep the process of the test alive for ever.
      await service.#clear(true);
      throw error;
    }
  }

  async #copyDatabase(env: Readonly<Record<string, string>>): Promise<void> {
    const isAnother = this.#count !== undefined || this.launchOptions.checkout !== undefined;
    if (isAnother || !(await copyDemo(this.dataDir, env, () => Service.prepare()))) await copyTemplate(this.dataDir);
  }

  /** @throws Error with the last output when it does not get ready */
  async up(): Promise<this> {
    const started = performance.now();
    rmSync(join(this.dataDir, 'dev.json'), { force: true });
    const launched = this.launch();
    this.#dev = await until('the service gets ready', READY_MS, async () => {
      if (launched.over) throw new Error(`the service ended: ${launched.output.slice(-2000)}`);
      return this.#ready();
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${launched.output.slice(-2000)}`, { cause: error });
    });
    this.readyMs = Math.round(performance.now() - started);
    const { isWatched = isNightly() } = this.launchOptions;
    if (IS_TEST && isWatched) this.#watch ??= await CanaryWatch.begin(this);
    return this;
  }

  /** Waits for a service that was started again by its launcher, after the process with this id. */
  async back(pid: number): Promise<void> {
    this.#dev = await until('the service is back', READY_MS, async () => {
      if (this.#launched?.over) throw new Error(`the service ended: ${this.output.slice(-2000)}`);
      const dev = await this.#ready();
      return dev?.pid === pid ? undefined : dev;
    });
  }

  /** Begins to read what it says, where `launchOptions` said otherwise. */
  read(): void {
    this.#launched?.read();
  }

  /** Starts the process without waiting for anything. */
  launch(): Launched {
    const own = { ...this.env, DATA_DIR: this.dataDir };
    const count = this.#count;
    this.#launched =
      count === undefined
        ? new Launched(own, this.launchOptions.script ?? SCRIPT, [], this.launchOptions)
        : new Launched(...clusterOf(own, count));
    return this.#launched;
  }

  get dev(): DevFile {
    if (!this.#dev) throw new Error('the service is not up');
    return this.#dev;
  }

  /** The nodes, where there are more than one: their listeners are then those of different nodes. */
  get nodes(): ClusterNode[] {
    return readCluster(this.dataDir).nodes;
  }

  /** How many nodes it is to have; one service with nothing about it where nobody says so. */
  get #count(): string | undefined {
    return this.env.INNKEEPER_NODES ?? process.env.INNKEEPER_NODES;
  }

  get output(): string {
    return this.#launched?.output ?? '';
  }

  async #ready(): Promise<DevFile | undefined> {
    try {
      const dev = this.#count === undefined ? readDev(this.dataDir) : spreadDev(this.dataDir);
      const healths = [dev.rateUrl, dev.reservationUrl].map((url) =>
        send({ method: 'GET', url: `${url}/actuator/health`, headers: {} }),
      );
      return (await Promise.all(healths)).every(({ status }) => status === 200) ? dev : undefined;
    } catch {
      return undefined;
    }
  }

  /** Everything of ours dies at once, as in a power cut of the process; the database may go on. */
  async killHard(): Promise<void> {
    this.#launched?.signalGroup('SIGKILL');
    await this.#launched?.exited;
    hangUp();
  }

  /**
   * SIGTERM to the service itself.
   * @returns the exit code of npm, and how long the service took
   * @throws Error when it is still there after 12 s
   */
  async terminate(): Promise<{ code: number | string | null; ms: number }> {
    const { pid } = this.dev;
    const started = performance.now();
    trySignal(pid, 'SIGTERM');
    await until('the service drains', DRAIN_MS, () => (isAlive(pid) ? undefined : true));
    const ms = Math.round(performance.now() - started);
    const code =
      (await Promise.race([this.#launched?.exited, pause(5_000).then(() => 'npm is still there')])) ?? null;
    hangUp();
    return { code, ms };
  }

  /**
   * Stops whatever still runs and removes the data directory.
   * @throws Error when another tenant's data was shown to anybody
   */
  async remove(): Promise<void> {
    const isUp = this.#launched !== undefined && !this.#launched.over && this.#dev !== undefined;
    try {
      if (isUp) await this.#watch?.sweep();
      this.#watch?.end();
    } finally {
      await this.#clear(isUp);
    }
  }

  async #clear(isUp: boolean): Promise<void> {
    if (isUp) await this.terminate().catch(() => undefined);
    this.#launched?.signalGroup('SIGKILL');
    await stopPostgres(this.dataDir);
    hangUp();
    process.off('exit', this.#onExit);
    process.off('SIGTERM', onTerm);
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** The same without waiting, for a test process that is about to end. */
  abandon(): void {
    if (this.#launched && !this.#launched.over) this.#launched.signalGroup('SIGKILL');
    const database = postgresPid(this.dataDir);
    if (database !== undefined) trySignal(database, 'SIGQUIT');
  }

  /**
   * Any request; the answer is what the contract says for the path, which `T` names. All tests share one address and
   * its share of requests without a valid token, so such a request waits when the test before has used it up.
   */
  async call<T = unknown>(method: string, url: string, options: CallOptions = {}): Promise<Answer<T>> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#callOnce<T>(method, url, options);
      const isLimited = answer.status === 429 && options.authorization !== undefined && !options.insistent;
      if (!isLimited || attempt === 5) return answer;
      await pause(1_000 * Number(answer.headers['retry-after'] ?? 1));
    }
  }

  #callOnce<T>(method: string, url: string, options: CallOptions): Promise<Answer<T>> {
    const { role = 'ADMIN', tenant = 'demo', tenantHeader = tenant, body, raw } = options;
    const authorization =
      options.authorization === undefined ? `Bearer ${this.token(tenant, role)}` : options.authorization;
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return send<T>({
      method,
      url,
      body: content,
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(tenantHeader === null ? {} : { 'x-tenant-id': tenantHeader }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
    });
  }

  token(tenant: string, role: Role): string {
    const token = this.dev.tokens[tenant]?.[role];
    if (token === undefined) throw new Error(`dev.json has no token for ${role} of ${tenant}`);
    return token;
  }

  /** Below `/api/v1/rates`, as MANAGER unless said otherwise. */
  rates<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>(method, `${this.dev.rateUrl}/api/v1/rates${path}`, { role: 'MANAGER', ...options });
  }

  /** Administration of the rate service, as ADMIN unless said otherwise. */
  admin<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>(method, `${this.dev.rateUrl}/api/v1/admin${path}`, { role: 'ADMIN', ...options });
  }

  /** Below `/api/v1/reservations`, as STAFF unless said otherwise. */
  reservations<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>(method, `${this.dev.reservationUrl}/api/v1/reservations${path}`, {
      role: 'STAFF',
      ...options,
    });
  }

  /** Below `/api/v1/bookings`, as STAFF unless said otherwise. */
  bookings<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>(method, `${this.dev.reservationUrl}/api/v1/bookings${path}`, { role: 'STAFF', ...options });
  }

  /** Below `/api/v1/tenants/{tenant}`, as ADMIN unless said otherwise. */
  tenants<T = unknown>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const { tenant = 'demo' } = options;
    return this.call<T>(method, `${this.dev.reservationUrl}/api/v1/tenants/${tenant}${path}`, options);
  }
}

function readDev(dataDir: string): DevFile {
  return JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile;
}

/** The arguments of `Launched` for a cluster instead of one service; the ports of its nodes lie side by side. */
function clusterOf(env: Record<string, string>, nodes: string): ConstructorParameters<typeof Launched> {
  const runtime = SCRIPT === 'start:node' ? 'node' : 'deno';
  const args = ['--', '--nodes', nodes, '--runtime', runtime, '--port', env.RATE_PORT!];
  const { REDIS_URL } = process.env;
  return [{ ...env, ...(REDIS_URL && { REDIS_URL }) }, 'cluster', args];
}

/** A node as `cluster.json` names it. */
export type ClusterNode = Pick<DevFile, 'rateUrl' | 'reservationUrl' | 'liveUrl' | 'pid'> & {
  name: string;
  nodePort: number;
};
type ClusterFile = { nodes: ClusterNode[] } & Pick<DevFile, 'tokens' | 'operatorToken' | 'issuer'>;

function readCluster(dataDir: string): ClusterFile {
  return JSON.parse(readFileSync(join(dataDir, 'cluster.json'), 'utf8')) as ClusterFile;
}

/** What `cluster.json` says, as if the listeners of three nodes were those of one service. */
function spreadDev(dataDir: string): DevFile {
  const { nodes, ...rest } = readCluster(dataDir);
  const first = nodes[0]!;
  const second = nodes.at(1) ?? nodes[0]!;
  const third = nodes.at(-1)!;
  return {
    ...readDev(join(dataDir, 'node-1')),
    ...rest,
    pid: first.pid,
    rateUrl: first.rateUrl,
    reservationUrl: second.reservationUrl,
    liveUrl: third.liveUrl,
  };
}
