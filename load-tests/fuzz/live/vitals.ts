import { readdirSync, readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

import { HttpClient } from '../../client/http.ts';

/** What a service holds at a moment. Heap and timers only where its inspector was opened: on Node. */
export type Vitals = {
  residentMb: number;
  descriptors: number;
  sockets: number;
  heapMb?: number;
  timers?: number;
};

const MB = 1_048_576;
const CALL_MS = 30_000;

/** @param metricsUrl its metrics for Prometheus */
export async function vitalsOf(pid: number, metricsUrl: string, inspector?: Inspector): Promise<Vitals> {
  const inside = await inspector?.look();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, sockets] = /^live_connections (\d+)/m.exec(await metricsText(metricsUrl)) ?? [];
  return {
    residentMb: Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]) / 1_024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    sockets: Number(sockets),
    ...inside,
  };
}

/** The metrics of a service for Prometheus. */
export async function metricsText(url: string): Promise<string> {
  using client = new HttpClient({ sockets: 1, timeoutMs: CALL_MS });
  return (await client.call({ method: 'GET', url })).text;
}

type Thrown = { exceptionDetails: unknown };

const LOOK = `JSON.stringify({
  heapMb: Math.round(process.memoryUsage().heapUsed / ${MB} * 10) / 10,
  timers: process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length,
})`;

/** The inspector of a service on Node, which collects its garbage and counts its timers. */
export class Inspector implements Disposable {
  /** Exceptions that nobody caught: with an inspector Node does not print what ends it. */
  readonly uncaught: string[] = [];
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const { method, params } = JSON.parse(String(data)) as { method?: string; params?: Thrown };
      if (method === 'Runtime.exceptionThrown') this.uncaught.push(JSON.stringify(params?.exceptionDetails));
    });
  }

  /** @param url as the process prints it after SIGUSR1 */
  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    const inspector = new Inspector(socket);
    await inspector.#call('Runtime.enable', {});
    return inspector;
  }

  async look(): Promise<{ heapMb: number; timers: number }> {
    await this.#call('HeapProfiler.collectGarbage', {});
    const { result } = (await this.#call('Runtime.evaluate', { expression: LOOK })) as { result: { value: string } };
    return JSON.parse(result.value) as { heapMb: number; timers: number };
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #call(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the inspector does not answer ${method}`)), CALL_MS);
      const take = (data: Buffer): void => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (answer.id !== id) return;
        clearTimeout(timer);
        this.#socket.off('message', take);
        resolve(answer.result);
      };
      this.#socket.on('message', take);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
