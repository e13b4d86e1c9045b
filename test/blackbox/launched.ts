import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { overhear } from './overheard.ts';
import { until } from './waiting.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** `start` or `start:node`: the suite is the same for both runtimes (docs/guide/production.md#deno-or-node). */
export const SCRIPT = process.env.INNKEEPER_SCRIPT ?? 'start';

/** How much of the output is retained for error messages. */
const SAVED_OUTPUT = 20_000;

/** What a stranger's shell would have: tap's own NODE_OPTIONS must not reach the service. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ', 'TMPDIR', 'SHELL'];

export type LaunchOptions = {
  /** What a shell does before it becomes npm, such as `ulimit -n 256`. */
  before?: string;
  /** Nobody reads what it says before `read()`. */
  unread?: boolean;
  /** The sources of another release instead of this checkout. */
  checkout?: string;
  /**
   * Whether it is watched for what it shows of other tenants (canary-watch.ts), which costs half as much as its start.
   * In CI those are that show most: all routes, frames, events and mails. At night all are, unless they say otherwise.
   */
  isWatched?: boolean;
  /** The npm script that starts the service; that of the run when absent. */
  script?: string;
};

/** Nothing happens by itself where a test does not ask for it; releases before know no such value. */
const NOBODY_COMES = { DEMO: 'empty' };

/** The npm script as a process group of its own. */
export class Launched {
  readonly exited: Promise<number | string | null>;
  output = '';
  over = false;
  readonly #child: ChildProcess;

  readonly #script: string;

  /** @param args as they would follow `npm run`, the `--` included */
  constructor(
    env: Record<string, string>,
    script = SCRIPT,
    args: readonly string[] = [],
    { before, unread = false, checkout = CHECKOUT }: LaunchOptions = {},
  ) {
    this.#script = script;
    const words = ['npm', 'run', '-s', script, ...args];
    const [program, ...rest] = before === undefined ? words : ['sh', '-c', `${before}; exec "$@"`, 'sh', ...words];
    const inherited = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
    this.#child = spawn(program!, rest, {
      cwd: checkout,
      env: { ...Object.fromEntries(inherited), ...(checkout === CHECKOUT && NOBODY_COMES), ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (!unread) this.read();
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        this.over = true;
        resolve(code ?? signal);
      });
    });
  }

  /** Begins to read what it says. */
  read(): void {
    const keep = (chunk: Buffer): void => {
      overhear({ what: `the output of npm run ${this.#script}`, text: chunk.toString() });
      this.output = (this.output + chunk.toString()).slice(-SAVED_OUTPUT);
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
  }

  /** Signals npm, the launcher and the service; the embedded database is not of their group. */
  signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid !== undefined) trySignal(-pid, signal);
  }
}

/** Whether a process is there; a zombie counts as gone, since all it can do is be waited for. */
export function isAlive(pid: number): boolean {
  if (!trySignal(pid, 0)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Process id of the embedded PostgreSQL of a data directory, while it has one. */
export function postgresPid(dataDir: string): number | undefined {
  try {
    const folder = realpathSync(join(dataDir, 'postgres'));
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isSafeInteger(pid) && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Ends an embedded PostgreSQL that nobody looks after any more. */
export async function stopPostgres(dataDir: string): Promise<void> {
  const pid = postgresPid(dataDir);
  if (pid === undefined) return;
  trySignal(pid, 'SIGQUIT');
  await until('the embedded PostgreSQL ends', 60_000, () => (isAlive(pid) ? undefined : true)).catch(() => false);
}

/** @returns whether the process was there */
export function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
