import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { STRIP_TYPES } from '../runtime-command.ts';

/** A value of a channel message when it arrived. */
export type Arrival = { propertyId: string; channel: string; from: string; to: string; at: number };
type Said = { port: number } | { arrivals: Arrival[]; hooks: number };

/** Takes messages of webhooks (`/hook`) and channels (`/channel/{name}`) at once, in a process of its own. */
export class Taker implements AsyncDisposable {
  readonly arrivals: Arrival[] = [];
  hooks = 0;
  readonly #child: ChildProcess;
  readonly base: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.base = `http://127.0.0.1:${port}`;
    child.on('message', (said: Said) => {
      if ('port' in said) return;
      this.arrivals.push(...said.arrivals);
      this.hooks = said.hooks;
    });
  }

  static async open(): Promise<Taker> {
    const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', STRIP_TYPES] });
    const { port } = await new Promise<{ port: number }>((done) =>
      child.once('message', (said) => done(said as never)),
    );
    return new Taker(child, port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const over = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill();
    await over;
  }
}

const REPORT_MS = 100;

async function take(): Promise<void> {
  let hooks = 0;
  let arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = Date.now();
      const [, kind, channel = ''] = (request.url ?? '').split('/');
      if (request.method === 'GET') response.writeHead(404).end();
      else response.writeHead(204).end();
      if (kind === 'hook') hooks += 1;
      if (kind !== 'channel' || request.method === 'GET') return;
      const { propertyId, values } = JSON.parse(Buffer.concat(chunks).toString()) as {
        propertyId: string;
        values: { from: string; to: string }[];
      };
      for (const { from, to } of values) arrivals.push({ propertyId, channel, from, to, at });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  process.send!({ port: (server.address() as AddressInfo).port });
  setInterval(() => {
    process.send!({ arrivals, hooks });
    arrivals = [];
  }, REPORT_MS);
}

if (process.argv[1] === import.meta.filename) await take();
