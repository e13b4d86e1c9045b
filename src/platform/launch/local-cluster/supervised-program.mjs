import { spawn } from 'node:child_process';
import * as fs from 'node:fs';

import { LaunchError } from '../launch-error.mjs';
import { until } from '../process/until.mjs';
import { projectRoot } from '../project-root.mjs';

const readyWithinMs = 60_000;
/** The first pause before a restart; each following one is twice as long. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** Uptime after which a failure is not one of the start. */
const aliveMs = 30_000;
const maxLogBytes = 20_000_000;
const tailBytes = 1_500;

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string[]} command
 * @property {import('../environment.mjs').Env} env
 * @property {string} logFile what it says goes here; one earlier file is kept when it has grown large
 * @property {(pid: number) => unknown} ready asked again and again until it is truthy
 * @property {number} endsWithinMs from SIGTERM to SIGKILL
 * @property {boolean} [restart] whether it is started again when it ends by itself
 * @property {(pid?: number) => void} [onProcess] told of each new process, and of its end
 */

/** A program that is restarted when it ends, until it is stopped. */
export class SupervisedProgram {
  #program;
  #log;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #stopping = false;
  #pauseMs = firstPauseMs;
  #startedAt = 0;
  #again;
  #ended = Promise.resolve();

  /**
   * @param {Program} program
   * @param {(line: string) => void} log
   */
  constructor(program, log) {
    this.#program = program;
    this.#log = log;
  }

  get name() {
    return this.#program.name;
  }

  /**
   * @param {AbortSignal} [stop]
   * @throws {LaunchError} with its last output when it does not become ready
   */
  async start(stop) {
    const { name, logFile } = this.#program;
    const child = this.#spawn();
    const over = () => child.exitCode !== null || child.signalCode !== null || stop?.aborted;
    const ready = await until(async () => over() || (await this.#isReady(child)), readyWithinMs);
    if (ready && !over()) return;
    this.#stopping = true;
    if (stop?.aborted) return;
    throw new LaunchError(`${name} does not get ready (${logFile}):\n${tailOf(logFile)}`);
  }

  /** SIGTERM, and SIGKILL when that takes too long. */
  async stop() {
    this.#stopping = true;
    clearTimeout(this.#again);
    const child = this.#child;
    if (!child) return;
    child.kill('SIGTERM');
    // A process stopped by SIGSTOP would handle signals only after it continues.
    child.kill('SIGCONT');
    const late = setTimeout(() => child.kill('SIGKILL'), this.#program.endsWithinMs);
    await this.#ended;
    clearTimeout(late);
  }

  async #isReady(child) {
    return child.pid !== undefined && (await this.#program.ready(child.pid));
  }

  #spawn() {
    const { command, env, logFile, onProcess } = this.#program;
    const [program, ...args] = command;
    if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes)
      fs.renameSync(logFile, `${logFile}.1`);
    // A file instead of a pipe: when the launcher is killed, programs can still write.
    const out = fs.openSync(logFile, 'a', 0o600);
    const child = spawn(program, args, { env, cwd: projectRoot, stdio: ['ignore', out, out] });
    fs.closeSync(out);
    this.#child = child;
    this.#startedAt = Date.now();
    this.#ended = new Promise((resolve) => {
      child.once('spawn', () => onProcess?.(child.pid));
      child.once('error', (error) => resolve(this.#log(`${program} does not start: ${error.message}`)));
      child.once('exit', (code, signal) => resolve(this.#over(child.pid, signal ?? `code ${code}`)));
    });
    return child;
  }

  #over(pid, how) {
    const { name, restart, onProcess, logFile } = this.#program;
    this.#child = undefined;
    onProcess?.(undefined);
    if (this.#stopping) return;
    if (!restart) {
      this.#log(`${name} (process ${pid}) ended with ${how}: ${logFile}`);
      return;
    }
    if (Date.now() - this.#startedAt > aliveMs) this.#pauseMs = firstPauseMs;
    this.#log(`${name} (process ${pid}) ended with ${how}; it is started again in ${this.#pauseMs / 1000} s`);
    this.#again = setTimeout(() => void this.#startAgain(), this.#pauseMs);
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
  }

  async #startAgain() {
    const child = this.#spawn();
    const ready = await until(async () => this.#child !== child || (await this.#isReady(child)), readyWithinMs);
    if (ready && this.#child === child && !this.#stopping) this.#log(`${this.name} is back (process ${child.pid})`);
  }
}

/** The last output of a program. */
function tailOf(file) {
  try {
    return fs.readFileSync(file, 'utf8').slice(-tailBytes).trim();
  } catch {
    return '';
  }
}
