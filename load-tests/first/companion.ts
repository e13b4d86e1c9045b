import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { SCRIPT } from '../../test/blackbox/launched.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { RUNTIME_COMMANDS } from '../runtime-command.ts';

const READY_MS = 20_000;

/** A baseline server beside the service, under the same runtime; says `ready` on standard output when it listens. */
export class Companion implements AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.pid = child.pid ?? 0;
  }

  /**
   * @param program path of the server below load-tests/
   * @param env its environment, beside its PORT
   */
  static async start(program: string, env: Record<string, string>): Promise<Companion> {
    const [port = 0] = await freePorts(1);
    const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
    const [command, ...args] = RUNTIME_COMMANDS[SCRIPT === 'start' ? 'deno' : 'node'];
    const child = spawn(command, [...args, path], {
      env: { ...process.env, ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let ready = false;
    // The output is read continuously: log lines of the server cost what they cost the service.
    child.stdout.on('data', (chunk: Buffer) => {
      ready ||= chunk.toString().includes('ready');
    });
    const companion = new Companion(child, port);
    await until(`${program} listens`, READY_MS, () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      return ready ? true : undefined;
    });
    return companion;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => {
      this.#child.once('exit', resolve);
    });
    this.#child.kill('SIGKILL');
    await ended;
  }
}
