import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';

import { type CloseCode, LIVE_LIMITS } from '../../../packages/client/src/live/live-limits.ts';
import type { ConnectionListener, LiveConnection, Outgoing } from '../connection.ts';

/** Path of the plain WebSocket (docs/reference/live-protocol.md#live-protocol). */
export const PLAIN_PATH = '/ws/v1';

/** Unanswered pings after which the peer counts as gone. */
const MISSED_PINGS = 2;

/** The live protocol over plain WebSocket: one JSON text per message. */
export class PlainSockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: LIVE_LIMITS.frameBytes,
    // A compressor stays with its socket once it was used, a quarter of a megabyte each.
    perMessageDeflate: false,
  });
  readonly #missed = new Map<WebSocket, number>();
  readonly #pings: NodeJS.Timeout;
  readonly #accept: (connection: LiveConnection) => ConnectionListener;

  constructor(pingMs: number, accept: (connection: LiveConnection) => ConnectionListener) {
    this.#accept = accept;
    this.#pings = setInterval(() => this.#ping(), pingMs);
  }

  /** @param address of the client, as it is counted */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    this.#server.handleUpgrade(request, socket, head, (client) =>
      this.#open(client, address, readsCompressed(request)),
    );
  }

  close(): void {
    clearInterval(this.#pings);
  }

  #open(client: WebSocket, address: string, isCompressed: boolean): void {
    const connection = new PlainConnection(client, address, isCompressed);
    this.#missed.set(client, 0);
    // Every error is followed by a close; an oversized frame by 1009.
    client.on('error', () => {});
    const listener = this.#accept(connection);
    client.on('pong', () => this.#missed.set(client, 0));
    client.on('message', (data, isBinary) => read(data, isBinary, listener));
    client.on('close', () => {
      this.#missed.delete(client);
      listener.closed();
    });
  }

  #ping(): void {
    for (const [client, missed] of this.#missed) {
      this.#missed.set(client, missed + 1);
      // A slow client has data to read before the ping: its own limit closes it.
      if (missed >= MISSED_PINGS && client.bufferedAmount === 0) client.terminate();
      else client.ping();
    }
  }
}

class PlainConnection implements LiveConnection {
  readonly id = crypto.randomUUID();
  readonly path = PLAIN_PATH;
  readonly address: string;
  readonly #client: WebSocket;
  readonly #isCompressed: boolean;

  constructor(client: WebSocket, address: string, isCompressed: boolean) {
    this.address = address;
    this.#client = client;
    this.#isCompressed = isCompressed;
  }

  send(frame: Outgoing): void {
    if (this.#client.readyState !== this.#client.OPEN) return;
    const compressed = this.#isCompressed ? frame.compressed : undefined;
    this.#client.send(compressed ?? frame.bytes, { binary: compressed !== undefined });
  }

  buffered(): number {
    return this.#client.bufferedAmount;
  }

  close(code: CloseCode, reason: string): void {
    this.#client.close(code, reason);
  }

  terminate(): void {
    this.#client.terminate();
  }
}

/** Whether the client takes large frames as the bytes of their compressed text. */
const readsCompressed = ({ url = '' }: IncomingMessage): boolean =>
  new URLSearchParams(url.split('?')[1]).get('compress') === 'deflate-raw';

function read(data: RawData, isBinary: boolean, listener: ConnectionListener): void {
  let frame: unknown;
  try {
    if (isBinary || !Buffer.isBuffer(data)) throw new SyntaxError('not text');
    frame = JSON.parse(data.toString());
  } catch {
    listener.unreadable();
    return;
  }
  listener.received(frame);
}
