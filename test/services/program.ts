import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { endProcess } from '../../src/platform/launch/process/end-process.mjs';
import { isRunning } from '../../src/platform/launch/process/processes.mjs';
import { until } from '../../src/platform/launch/process/until.mjs';
import type { Ledger } from './ledger.ts';

/** How a program of somebody else's is run. */
export type Command = {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Whether it can be used now. */
  readonly ready: () => Promise<boolean>;
};

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;
const SHOWN_LOG_CHARACTERS = 2_000;

/** A part that runs as a process of its own, and that a test may end and start again on the same data and port. */
export class Program {
  readonly #ledger: Ledger;
  readonly #command: Command;
  #pid: number | undefined;

  constructor(ledger: Ledger, command: Command) {
    this.#ledger = ledger;
    this.#command = command;
  }

  get running(): boolean {
    return this.#pid !== undefined && isRunning(this.#pid);
  }

  /** Of its process, once it was started. */
  get pid(): number {
    return this.#pid!;
  }

  /** Resolves once it can be used. @throws Error with the end of its log */
  async start(): Promise<void> {
    if (this.running) return;
    const { name, command, cwd, env, ready } = this.#command;
    const [program, ...args] = command;
    const log = openSync(this.logFile, 'a');
    // A group of its own: Ctrl-C at the terminal is for us, who end it in order.
    const child = spawn(program, args, {
      cwd: cwd ?? this.#ledger.folder,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    const pid = (this.#pid = child.pid!);
    this.#ledger.note(pid);
    const outcome = await until(
      async () => ((await ready()) ? 'ready' : isRunning(pid) ? undefined : 'ended'),
      READY_WITHIN_MS,
      50,
    );
    if (outcome === 'ready') return;
    await this.kill();
    const end = readFileSync(this.logFile, 'utf8').slice(-SHOWN_LOG_CHARACTERS);
    throw new Error(`${name} ${outcome === 'ended' ? 'ended' : 'is not ready'}; its log ends with:\n${end}`);
  }

  /** In order, as an operator would. */
  stop(): Promise<void> {
    return this.#end([
      ['SIGTERM', STOP_WITHIN_MS],
      ['SIGKILL', STOP_WITHIN_MS],
    ]);
  }

  /** kill -9. */
  kill(): Promise<void> {
    return this.#end([['SIGKILL', STOP_WITHIN_MS]]);
  }

  /** On the same data and port, in order where it still runs. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Nothing of it answers until `resume`; connections stay. */
  pause(): void {
    process.kill(this.#pid!, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#pid!, 'SIGCONT');
  }

  get logFile(): string {
    return join(this.#ledger.folder, `${this.#command.name}.log`);
  }

  async #end(steps: [NodeJS.Signals, number][]): Promise<void> {
    if (this.#pid !== undefined) await endProcess(this.#pid, steps);
    this.#pid = undefined;
  }
}
