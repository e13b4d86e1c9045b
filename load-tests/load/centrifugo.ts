import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { HttpClient } from '../client/http.ts';
import { CENTRIFUGO, findGoProgram } from '../go-programs/go-program.ts';

const READY_MS = 20_000;

/** Centrifugo as it comes, in memory, with a channel `feed` that everybody may follow: the baseline of a live server. */
export class Centrifugo implements AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #key: string;
  readonly #client = new HttpClient({ sockets: 8 });

  private constructor(child: ChildProcess, url: string, key: string) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.url = url;
    this.#key = key;
  }

  /** @returns undefined where it is not installed */
  static async start(folder: string): Promise<Centrifugo | undefined> {
    const program = findGoProgram(CENTRIFUGO);
    if (program === undefined) return undefined;
    const [port = 0] = await freePorts(1);
    const key = randomUUID();
    const settings = {
      http_server: { address: '127.0.0.1', port: String(port) },
      client: { insecure: true, allowed_origins: ['*'] },
      http_api: { key },
      log: { level: 'error' },
    };
    const file = join(folder, 'centrifugo.json');
    writeFileSync(file, JSON.stringify(settings));
    const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    const server = new Centrifugo(child, `http://127.0.0.1:${port}`, key);
    await until('Centrifugo listens', READY_MS, async () => {
      if (child.exitCode !== null) throw new Error(`Centrifugo ended with ${child.exitCode}`);
      return server.#call('info', {}).then(
        (status) => status === 200 || undefined,
        () => undefined,
      );
    });
    return server;
  }

  /** @param data JSON text that all followers are sent as it is */
  async publish(data: string): Promise<void> {
    const status = await this.#call('publish', `{"channel":"feed","data":${data}}`);
    if (status !== 200) throw new Error(`Centrifugo answered ${status}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
    this.#client[Symbol.dispose]();
  }

  async #call(method: string, body: object | string): Promise<number> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'x-api-key': this.#key };
    const answer = await this.#client.call({ method: 'POST', url: `${this.url}/api/${method}`, headers, body: text });
    return answer.status;
  }
}
