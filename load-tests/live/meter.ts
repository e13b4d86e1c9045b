import { WebSocket } from 'ws';

import type { SwarmOptions } from './swarm.ts';

/** socket.io around a frame, in packets of Engine.IO. */
const PREFIX = '42/live,["m",';
/** Characters of a frame that contain its numbers. */
const HEAD = 400;
/** Connections that are tried, and the pause between: a node takes so many handshakes at a time. */
const TRIES = 20;
const TRY_AGAIN_MS = 250;
/** What a meter speaks: the live protocol over either transport, or that of Centrifugo, with which it is compared. */
type MeterProtocol = 'plain' | 'socket.io' | 'centrifugo';
const PATHS: Readonly<Record<MeterProtocol, string>> = {
  plain: '/ws/v1',
  'socket.io': '/socket.io/?EIO=4&transport=websocket',
  centrifugo: '/connection/websocket',
};
const NUMBERS = /"from":(\d+),"to":(\d+),"ts":(\d+)/;

/**
 * Only counts and times the deltas of one socket, so that on shared cores the service is measured and not the client: a
 * frame's numbers are read from its first bytes. Speaks every protocol by hand for the same reason.
 */
export class Meter {
  latencies: number[] = [];
  seq = -1;
  gaps = 0;
  #socket: WebSocket;
  #isOpen = true;
  readonly #options: SwarmOptions;
  readonly #protocol: MeterProtocol;

  constructor(options: SwarmOptions, protocol: MeterProtocol) {
    this.#options = options;
    this.#protocol = protocol;
    this.#socket = this.#connect(TRIES);
  }

  get isLive(): boolean {
    return this.seq >= 0 && this.#isOpen;
  }

  #connect(tries: number): WebSocket {
    const url = this.#options.liveUrl.replace(/^http/, 'ws') + PATHS[this.#protocol];
    const socket = new WebSocket(url, { perMessageDeflate: false });
    if (this.#protocol === 'centrifugo') {
      socket.on('open', () => socket.send('{"id":1,"connect":{}}'));
      socket.on('message', (data: Buffer) => this.#heardOfCentrifugo(data));
    } else socket.on('message', (data: Buffer) => this.#heard(data.toString('latin1', 0, HEAD)));
    // Every error is followed by a close.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.seq >= 0 || tries === 1) this.#isOpen = false;
      else setTimeout(() => (this.#socket = this.#connect(tries - 1)), TRY_AGAIN_MS);
    });
    return socket;
  }

  /** Several replies may come as lines of one message. */
  #heardOfCentrifugo(data: Buffer): void {
    for (const line of data.toString('latin1').split('\n'))
      if (line.startsWith('{"id":1,')) this.#socket.send('{"id":2,"subscribe":{"channel":"feed"}}');
      else if (line.startsWith('{"id":2,')) this.seq = 0;
      else if (line === '{}') this.#socket.send('{}');
      else this.#heard(line.slice(0, HEAD));
  }

  #heard(head: string): void {
    const now = Date.now();
    const numbers = head.includes('"t":"delta"') ? NUMBERS.exec(head) : null;
    if (numbers) {
      const [from, to, ts] = numbers.slice(1).map(Number) as [number, number, number];
      if (from !== this.seq + 1) this.gaps += 1;
      this.seq = to;
      this.latencies.push(now - ts);
    } else if (head.includes('"t":"snapshot"')) this.seq = Number(/"seq":(\d+)/.exec(head)?.[1]);
    else if (head.includes('"t":"hello"')) this.#introduce();
    else if (this.#protocol === 'socket.io' && head.startsWith('0')) this.#socket.send('40/live,');
    else if (this.#protocol === 'socket.io' && head === '2') this.#socket.send('3');
  }

  #introduce(): void {
    const { token, tenantId, wanted } = this.#options;
    for (const frame of [
      { t: 'auth', token, tenantId },
      { t: 'subscribe', ...wanted },
    ]) {
      const text = JSON.stringify(frame);
      this.#socket.send(this.#protocol === 'plain' ? text : `${PREFIX}${text}]`);
    }
  }
}
