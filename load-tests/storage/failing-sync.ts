import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { processesOf } from '../../src/testing/fail-over/server-processes.ts';

/** What the kernel answers to a request to write through to the disk. */
type Injection = 'error=EIO' | `delay_enter=${number}`;

const CALLS = 'fsync,fdatasync';
/** strace has attached itself to all processes after this. */
const ATTACHED_MS = 500;

/** Makes `fsync` of a running server fail, or slow, by strace: the server itself is not changed. */
export class FailingSync implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Whether this machine and user can do that. */
  static get isPossible(): boolean {
    const { status } = spawnSync('strace', ['-e', `inject=fsync:error=EIO`, 'true'], { stdio: 'ignore' });
    return status === 0;
  }

  /** @param delay in microseconds, by the option of strace */
  static async begin(postmaster: number, injection: Injection): Promise<FailingSync> {
    const of = processesOf(postmaster).flatMap((pid) => ['-p', String(pid)]);
    const args = ['-f', '-q', '-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:${injection}`, ...of];
    const child = spawn('strace', args, { stdio: 'ignore' });
    await Promise.race([once(child, 'exit'), new Promise((done) => setTimeout(done, ATTACHED_MS))]);
    return new FailingSync(child);
  }

  /** Whether the server it was attached to is gone. */
  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isOver) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await gone;
  }
}
