import { WebSocket } from 'ws';

import type { SwarmOptions } from './swarm.ts';

/** socket.io around a frame, in packets of Engine.IO. */
const PREFIX = '42/live,["m",';
/** Characters of a frame that contain its numbers. */
const HEAD = 400;
const NUMBERS = /"from":(\d+),"to":(\d+),"ts":(\d+)/;

/**
 * Only counts and times the deltas of one socket, so that on shared cores the service is measured and not the client: a
 * frame's numbers are read from its first bytes. Speaks socket.io by hand for the same reason.
 */
export class Meter {
  latencies: number[] = [];
  seq = -1;
  gaps = 0;
  readonly #socket: WebSocket;
  readonly #options: SwarmOptions;
  readonly #isPlain: boolean;

  constructor(options: SwarmOptions, isPlain: boolean) {
    this.#options = options;
    this.#isPlain = isPlain;
    const path = isPlain ? '/ws/v1' : '/socket.io/?EIO=4&transport=websocket';
    this.#socket = new WebSocket(options.liveUrl.replace(/^http/, 'ws') + path, { perMessageDeflate: false });
    this.#socket.on('message', (data: Buffer) => this.#heard(data));
  }

  get isLive(): boolean {
    return this.seq >= 0;
  }

  #heard(data: Buffer): void {
    const now = Date.now();
    const head = data.toString('latin1', 0, HEAD);
    const numbers = head.includes('"t":"delta"') ? NUMBERS.exec(head) : null;
    if (numbers) {
      const [from, to, ts] = numbers.slice(1).map(Number) as [number, number, number];
      if (from !== this.seq + 1) this.gaps += 1;
      this.seq = to;
      this.latencies.push(now - ts);
    } else if (head.includes('"t":"snapshot"')) this.seq = Number(/"seq":(\d+)/.exec(head)?.[1]);
    else if (head.includes('"t":"hello"')) this.#introduce();
    else if (!this.#isPlain && head.startsWith('0')) this.#socket.send('40/live,');
    else if (!this.#isPlain && head === '2') this.#socket.send('3');
  }

  #introduce(): void {
    const { token, tenantId, wanted } = this.#options;
    for (const frame of [
      { t: 'auth', token, tenantId },
      { t: 'subscribe', ...wanted },
    ]) {
      const text = JSON.stringify(frame);
      this.#socket.send(this.#isPlain ? text : `${PREFIX}${text}]`);
    }
  }
}
