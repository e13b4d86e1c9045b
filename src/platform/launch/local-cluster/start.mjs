import * as fs from 'node:fs';
import { join } from 'node:path';

import { bundleDashboard } from '../dashboard.mjs';
import { createDataDir } from '../database/data-dir.mjs';
import { DatabaseSupervisor } from '../database/database-supervisor.mjs';
import { startPostgres } from '../database/postgres.mjs';
import { refuseUnclearMode } from '../environment.mjs';
import { LaunchError } from '../launch-error.mjs';
import { takeLock } from '../process/lock.mjs';
import { following } from '../process/pause.mjs';
import { projectRoot } from '../project-root.mjs';
import { nodeCommand, requireInstalled } from '../runtimes.mjs';
import { Processes } from './leftovers.mjs';
import { nodeProgram } from './node.mjs';
import { planOf } from './options.mjs';
import { localRedis } from './redis.mjs';
import { readJson, sharedSecrets, writePrivate } from './secrets-file.mjs';
import { SupervisedProgram } from './supervised-program.mjs';

const issuerEndsWithinMs = 3_000;

/**
 * Starts a cluster on one machine: database, Redis, development issuer and the nodes; stops them in reverse order.
 * @param {import('../start.mjs').Launch & { args: string[], script?: string }} launch
 * @returns {Promise<number>} exit code
 */
export async function startCluster({ env, stop, log, args, script = 'src/main.ts' }) {
  if (env.NODE_ENV === 'production')
    throw new LaunchError(
      'this is a cluster for one machine; in production start each node by itself: see docs/guide/cluster.md',
    );
  refuseUnclearMode(env);
  const plan = planOf(args, env);
  requireInstalled(plan.runtime);
  const dataDir = env.DATA_DIR ? fs.realpathSync(made(env.DATA_DIR)) : made(join(projectRoot, '.data', 'cluster'));
  const lock = await takeLock(dataDir);
  if ('holder' in lock)
    throw new LaunchError(`process ${lock.holder} already runs on ${dataDir}: stop it, or set another DATA_DIR`);
  const cluster = new Cluster({ env, log, stop, plan, dataDir, script });
  try {
    await cluster.up();
    if (!stop.aborted) cluster.show();
    const alive = setInterval(() => {}, 60_000);
    const { signal } = following(stop, cluster.failed);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    clearInterval(alive);
    log('stopping');
    return stop.aborted ? 0 : 1;
  } finally {
    await cluster.down();
    lock.release();
  }
}

function made(dataDir) {
  createDataDir(dataDir);
  return dataDir;
}

/** The parts in starting order. */
class Cluster {
  #launch;
  #file;
  #processes;
  /** @type {SupervisedProgram[]} */
  #nodes = [];
  /**
   * Parts to end after the nodes.
   * @type {(() => Promise<void>)[]}
   */
  #ends = [];
  #urls = {};
  #isUp = false;
  #failed = new AbortController();

  constructor(launch) {
    this.#launch = launch;
    this.#file = join(launch.dataDir, 'cluster.json');
    this.#processes = new Processes(launch.dataDir);
  }

  /**
   * Aborts when the cluster cannot continue: its database cannot be restarted, or not on the port that the nodes use.
   */
  get failed() {
    return this.#failed.signal;
  }

  async up() {
    const { env, stop, log, plan, dataDir } = this.#launch;
    fs.rmSync(this.#file, { force: true });
    await this.#processes.endThoseBefore(log);
    const embedded = await this.#database();
    const redisUrl = env.REDIS_URL || (await this.#redis());
    const origins = originsOf(plan.nodes, env.CORS_ORIGINS);
    const all = { ...env, ...sharedSecrets(dataDir, env), REDIS_URL: redisUrl, CORS_ORIGINS: origins };
    const own = env.OIDC_ISSUER ? undefined : await this.#issuer(all);
    const issuer = own ?? env.OIDC_ISSUER;
    this.#urls = { databaseUrl: embedded ?? env.DATABASE_URL, redisUrl, issuer };
    if (stop.aborted) return;
    await bundleDashboard(join(dataDir, 'dashboard'));
    await this.#startNodes(
      { ...this.#launch, runtime: plan.runtime, env: { ...all, ...(own && { INNKEEPER_DEVELOPMENT_ISSUER: own }) } },
      embedded,
    );
    this.#isUp = true;
    this.#write();
  }

  /** All nodes at once, since no node is left to take over; then the parts that they depend on. */
  async down() {
    this.#isUp = false;
    fs.rmSync(this.#file, { force: true });
    await Promise.all(this.#nodes.map((node) => node.stop()));
    for (const end of this.#ends.toReversed()) await end();
  }

  show() {
    const { plan } = this.#launch;
    const lines = plan.nodes.map(
      ({ name, role, ports }) =>
        `  ${name} (${role})`.padEnd(20) +
        `dashboard ${url(ports.live)}/   rate ${url(ports.rate)}   reservation ${url(ports.reservation)}`,
    );
    const token = `DATA_DIR=${this.#launch.dataDir} OIDC_PORT=${plan.issuerPort} npm run token -- --role MANAGER`;
    const more = [`  token             ${token}`, `  for tools         ${this.#file}`];
    process.stdout.write(`Innkeeper is up, a cluster of ${plan.nodes.length}.\n${[...lines, ...more].join('\n')}\n`);
  }

  async #database() {
    const { env, dataDir, log, stop } = this.#launch;
    if (env.DATABASE_URL) return undefined;
    const onMoved = () => {
      log('the nodes do not know the new port of PostgreSQL: start the cluster again');
      this.#failed.abort();
    };
    const database = new DatabaseSupervisor(await startPostgres({ dataDir, log }), { log, stop, onMoved });
    database.failed.addEventListener('abort', () => this.#failed.abort(), { once: true });
    this.#ends.push(() => database.stop());
    return database.url;
  }

  async #redis() {
    const { url: redisUrl, program } = await localRedis(this.#launch.dataDir);
    await this.#keep(program);
    return redisUrl;
  }

  async #issuer(env) {
    const { dataDir, plan } = this.#launch;
    const file = join(dataDir, 'issuer.json');
    fs.rmSync(file, { force: true });
    await this.#keep({
      name: 'issuer',
      command: nodeCommand('src/commands/development-issuer.ts'),
      restart: true,
      env: {
        ...env,
        DATA_DIR: dataDir,
        OIDC_PORT: String(plan.issuerPort),
        LIVE_PORT: String(plan.nodes[0].ports.live),
      },
      logFile: join(dataDir, 'issuer.log'),
      endsWithinMs: issuerEndsWithinMs,
      ready: (pid) => readJson(file)?.pid === pid,
    });
    return url(plan.issuerPort);
  }

  async #keep(program) {
    const onProcess = (pid) => this.#processes.note(program.name, pid);
    const supervised = new SupervisedProgram({ ...program, onProcess }, this.#launch.log);
    this.#ends.push(() => supervised.stop());
    await supervised.start(this.#launch.stop);
  }

  /** The first node with actors migrates and seeds, before any other starts. */
  async #startNodes(shared, embeddedUrl) {
    const { plan, log, stop } = this.#launch;
    const programs = plan.nodes.map((node) =>
      nodeProgram(
        node,
        { ...shared, embeddedUrl },
        {
          demo: node.seeds,
          restart: plan.restart,
          onProcess: (pid) => this.#moved(node.name, pid),
        },
      ),
    );
    this.#nodes = programs.map((program) => new SupervisedProgram(program, log));
    const seeding = this.#nodes[plan.nodes.findIndex(({ seeds }) => seeds)];
    await seeding.start(stop);
    const others = this.#nodes.filter((node) => node !== seeding);
    if (!stop.aborted) await Promise.all(others.map((node) => node.start(stop)));
  }

  #moved(name, pid) {
    this.#processes.note(name, pid);
    if (this.#isUp) this.#write();
  }

  /** Writes a file for tools: all addresses, and tokens. */
  #write() {
    const { plan, dataDir } = this.#launch;
    const { tokens = {}, operatorToken = '' } = readJson(join(dataDir, 'issuer.json')) ?? {};
    const nodes = plan.nodes.map(({ name, role, ports }) => ({
      name,
      rateUrl: url(ports.rate),
      reservationUrl: url(ports.reservation),
      liveUrl: url(ports.live),
      pid: this.#processes.pidOf(name) ?? null,
      nodePort: ports.link,
      registryPort: ports.registry,
      role,
    }));
    writePrivate(this.#file, { nodes, tokens, operatorToken, ...this.#urls, pid: process.pid });
  }
}

const url = (port) => `http://127.0.0.1:${port}`;

/** Pages of every node may call every node. */
function originsOf(nodes, given) {
  const own = nodes.flatMap(({ ports }) => [`http://127.0.0.1:${ports.live}`, `http://localhost:${ports.live}`]);
  return [...(given ? [given] : []), ...own].join(',');
}
