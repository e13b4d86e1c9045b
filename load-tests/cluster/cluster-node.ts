import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { until } from '../../src/platform/launch/process/until.mjs';
import { denoEnv, type Runtime, serviceCommand } from '../../src/platform/launch/runtimes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 90_000;
const LOG_TAIL = 2_000;

export type NodeOptions = {
  name: string;
  runtime: Runtime;
  /** Folder of its own. */
  dataDir: string;
  env: Record<string, string>;
};

/** One node as a real process, which can be stopped in every way and restarted on the same folder and ports. */
export class ClusterNode {
  readonly #options: NodeOptions;
  /** Folder of the sources that it starts next: those of a release, on Node, or of this checkout. */
  sources: string | undefined;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();

  constructor(options: NodeOptions) {
    this.#options = options;
    mkdirSync(options.dataDir, { recursive: true });
    // An interrupted run leaves no nodes behind.
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  get name(): string {
    return this.#options.name;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isUp(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get logFile(): string {
    return join(this.#options.dataDir, 'service.log');
  }

  /** Its id in the database, once it has started. */
  get nodeId(): string {
    return readFileSync(join(this.#options.dataDir, 'node-id'), 'utf8').trim();
  }

  url(service: 'RATE' | 'RESERVATION' | 'LIVE'): string {
    return `http://127.0.0.1:${this.#options.env[`${service}_PORT`]}`;
  }

  /** Resolves when it reports that it is ready. @throws Error with the end of its log */
  async start(): Promise<void> {
    const { dataDir, env, name } = this.#options;
    const { sources = ROOT } = this;
    const runtime = sources === ROOT ? this.#options.runtime : 'node';
    const devFile = join(dataDir, 'dev.json');
    rmSync(devFile, { force: true });
    // Releases before know no hotels that stay empty.
    const demo = sources === ROOT ? 'empty' : '1';
    const all = { ...basics(), DEMO: demo, ...env, DATA_DIR: dataDir };
    const own = runtime === 'deno' ? { ...all, ...denoEnv(all) } : all;
    const [program, ...args] =
      sources === ROOT ? serviceCommand(runtime, 'src/main.ts', { env: own }) : commandOf(sources);
    const log = openSync(this.logFile, 'a');
    const child = spawn(program!, args, { cwd: sources, env: own, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#exited = new Promise((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
    const ready = await until(() => (this.isUp ? existsSync(devFile) : 'ended'), READY_MS);
    if (ready === undefined) await this.killHard();
    if (ready !== true) throw new Error(`${name} does not get ready:\n${this.#tail()}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Sends kill -9, and restarts at once. */
  async killHard(): Promise<void> {
    this.signal('SIGKILL');
    await this.#exited;
  }

  /** Terminates it gracefully. @returns duration in milliseconds */
  async terminate(): Promise<number> {
    const began = performance.now();
    this.signal('SIGTERM');
    await this.#exited;
    return performance.now() - began;
  }

  #tail(): string {
    return readFileSync(this.logFile, 'utf8').slice(-LOG_TAIL);
  }
}

/** The service of a release, which has its packages and its own way to read types. */
function commandOf(sources: string): string[] {
  const types = pathToFileURL(join(sources, 'src/platform/launch/strip-types.mjs')).href;
  return [join(sources, 'node_modules/.bin/node'), '--import', types, 'src/main.ts'];
}

/** Environment that a program needs to be found and to write its cache. */
function basics(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
