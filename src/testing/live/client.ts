import { io, type Socket } from 'socket.io-client';
import { WebSocket } from 'ws';

import { type ClientFrame, type ServerFrame, serverFrame } from '../../live/contracts/live.ts';
import { untilTime } from '../fake-clock.ts';

/** Less than tap's limit of a file, so that the test reports what it waited for. */
const FRAME_MS = 60_000;

export const CLIENT_TRANSPORTS = ['ws', 'socket.io'] as const;
type ClientTransport = (typeof CLIENT_TRANSPORTS)[number];

type Kind = ServerFrame['t'];
type FrameOf<T extends Kind> = Extract<ServerFrame, { t: T }>;

/** A client of the live protocol that keeps every frame, validated against the contract, until a test takes it. */
export class TestClient implements AsyncDisposable {
  readonly #frames: ServerFrame[] = [];
  readonly #wake = new Set<() => void>();
  readonly #send: (frame: unknown) => void;
  readonly #disconnect: () => void;
  readonly #hold: (reading: boolean) => void;
  /** Close code and reason, once the connection has ended. */
  closed: { code: number } | undefined;
  /** Number of snapshots received, taken or not. */
  snapshots = 0;
  deltas = 0;
  /** Called with each message as received; plain WebSocket only. */
  onText: (text: string) => void = () => {};

  private constructor(connect: (client: TestClient) => Wires) {
    ({ send: this.#send, disconnect: this.#disconnect, hold: this.#hold } = connect(this));
  }

  static connect(url: string, transport: ClientTransport, headers: Record<string, string> = {}): TestClient {
    return new TestClient((client) =>
      transport === 'ws' ? plain(client, url, headers) : viaSocketIo(client, url, ['websocket'], headers),
    );
  }

  /** socket.io over HTTP long polling, without an upgrade. */
  static poll(url: string): TestClient {
    return new TestClient((client) => viaSocketIo(client, url, ['polling'], {}));
  }

  send(...frames: (ClientFrame | Record<string, unknown>)[]): void {
    for (const frame of frames) this.#send(frame);
  }

  sendText(text: string): void {
    this.#send(text);
  }

  /** Stops reading from the network, like a client with too much to do. */
  stopReading(): void {
    this.#hold(false);
  }

  readAgain(): void {
    this.#hold(true);
  }

  /** Takes the next frame of any kind. */
  async next(): Promise<ServerFrame> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) return frame;
      if (this.closed) throw new Error(`closed with ${this.closed.code} while a frame was awaited`);
      await this.#change();
    }
  }

  /** Takes the next frame, which has to be of this kind; heartbeats are skipped unless one is requested. */
  async take<T extends Kind>(t: T): Promise<FrameOf<T>> {
    for (const end = performance.now() + FRAME_MS; ;) {
      const frame = await this.next();
      if (isOf(frame, t)) return frame;
      if (performance.now() > end) throw new Error(`no ${t} in ${FRAME_MS} ms`);
      if (frame.t !== 'heartbeat') throw new Error(`expected ${t}, got ${JSON.stringify(frame)}`);
    }
  }

  /** Waits for the end of the connection. */
  async closing(): Promise<number> {
    await untilTime(() => this.closed !== undefined, 'the end of the connection');
    return this.closed!.code;
  }

  /** Received frames that were not taken. */
  get waiting(): readonly ServerFrame[] {
    return this.#frames;
  }

  heard(input: unknown): void {
    const frame = serverFrame.parse(input);
    if (frame.t === 'snapshot') this.snapshots += 1;
    if (frame.t === 'delta') this.deltas += 1;
    this.#frames.push(frame);
    this.#notify();
  }

  ended(code: number): void {
    this.closed ??= { code };
    this.#notify();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disconnect();
    return Promise.resolve();
  }

  async #change(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#wake.add(resolve);
    const late = setTimeout(() => reject(new Error(`nothing came in ${FRAME_MS} ms`)), FRAME_MS);
    await promise.finally(() => clearTimeout(late));
  }

  #notify(): void {
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }
}

function isOf<T extends Kind>(frame: ServerFrame, t: T): frame is FrameOf<T> {
  return frame.t === t;
}

type Wires = { send: (frame: unknown) => void; disconnect: () => void; hold: (reading: boolean) => void };

function plain(client: TestClient, url: string, headers: Record<string, string>): Wires {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/v1`, { headers });
  const early: string[] = [];
  socket.on('open', () => {
    for (const text of early) socket.send(text);
  });
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    client.onText(text);
    client.heard(JSON.parse(text));
  });
  socket.on('error', () => {});
  socket.on('close', (code) => client.ended(code));
  const send = (frame: unknown): void => {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    if (socket.readyState === socket.OPEN) socket.send(text);
    else early.push(text);
  };
  return {
    send,
    disconnect: () => socket.terminate(),
    hold: (reading) => (reading ? socket.resume() : socket.pause()),
  };
}

function viaSocketIo(
  client: TestClient,
  url: string,
  transports: ('websocket' | 'polling')[],
  extraHeaders: Record<string, string>,
): Wires {
  const socket: Socket = io(`${url}/live`, { transports, reconnection: false, forceNew: true, extraHeaders });
  socket.on('m', (frame: unknown) => client.heard(frame));
  socket.on('connect_error', () => client.ended(0));
  socket.on('disconnect', (_, details) => client.ended(codeOf(details)));
  return {
    send: (frame) => void socket.emit('m', frame),
    disconnect: () => void socket.disconnect(),
    hold: (reading) => {
      // From another copy of ws, so `instanceof` does not work.
      const below = Reflect.get(socket.io.engine.transport, 'ws') as WebSocket;
      if (reading) below.resume();
      else below.pause();
    },
  };
}

/** Close code of the WebSocket below socket.io; 0 without one. */
function codeOf(details: unknown): number {
  const context: unknown = typeof details === 'object' && details !== null && Reflect.get(details, 'context');
  const code: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'code') : undefined;
  return typeof code === 'number' ? code : 0;
}
