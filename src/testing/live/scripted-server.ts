import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SocketIoServer, type Socket } from 'socket.io';
import { io } from 'socket.io-client';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';

import { type Connect, overWebSocket } from '../../../packages/client/src/live/live-transports.ts';
import type { ClientFrame, DeltaFrame, ServerFrame, SnapshotFrame } from '../../live/contracts/live.ts';
import { overSocketIo } from './socket-io-transport.ts';

export const SCRIPTED_TRANSPORTS = ['ws', 'socket.io'] as const;
export type Transport = (typeof SCRIPTED_TRANSPORTS)[number];
export const SCRIPTED_PROPERTY = 'harbor-hotel';

/** One connection from the server's view. */
export class ScriptedClient {
  readonly #send: (frame: object) => void;
  readonly #close: (code: number) => void;
  readonly #frames: ClientFrame[] = [];
  readonly #wake: () => void;

  constructor(send: (frame: object) => void, close: (code: number) => void, wake: () => void) {
    this.#send = send;
    this.#close = close;
    this.#wake = wake;
  }

  heard(frame: ClientFrame): void {
    this.#frames.push(frame);
    this.#wake();
  }

  /** Sends frames one after the other, valid or not. */
  say(...frames: ServerFrame[]): void {
    for (const frame of frames) this.#send(frame);
  }

  close(code: number): void {
    this.#close(code);
  }

  /** Takes the next frame of this kind, if received; drops those before it. */
  take<T extends ClientFrame['t']>(t: T): Extract<ClientFrame, { t: T }> | undefined {
    for (let frame = this.#frames.shift(); frame; frame = this.#frames.shift())
      if (frame.t === t) return frame as Extract<ClientFrame, { t: T }>;
    return undefined;
  }
}

/** A server of the live protocol that sends only scripted frames. */
export class ScriptedServer implements AsyncDisposable {
  readonly guests: ScriptedClient[] = [];
  readonly #http: HttpServer;
  readonly #io: SocketIoServer;
  readonly #plain: WebSocketServer;
  #port = 0;
  #waiting = new Set<() => void>();

  constructor() {
    this.#http = createServer();
    this.#plain = new WebSocketServer({ noServer: true });
    this.#io = new SocketIoServer(this.#http, { destroyUpgrade: false, serveClient: false });
    this.#http.on('upgrade', (request, socket, head) => {
      if (request.url !== '/ws/v1') return;
      this.#plain.handleUpgrade(request, socket, head, (client) => this.#welcomePlain(client));
    });
    this.#io.of('/live').on('connection', (socket) => this.#welcomeSocketIo(socket));
  }

  static async start(port = 0): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await new Promise<void>((listening) => server.#http.listen(port, '127.0.0.1', listening));
    server.#port = (server.#http.address() as AddressInfo).port;
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** Connects a client to this server. */
  connect(transport: Transport): Connect {
    const host = `127.0.0.1:${this.#port}`;
    if (transport === 'ws') return overWebSocket(() => new WebSocket(`ws://${host}/ws/v1`));
    const options = { transports: ['websocket'], reconnection: false, forceNew: true };
    return overSocketIo(() => io(`http://${host}/live`, options));
  }

  /** Waits for a condition, checked at every change. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((wake) => this.#waiting.add(wake));
    }
  }

  /** Signals a change that a test may wait for. */
  readonly changed = (): void => {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  };

  /** The nth connection, from 1. */
  guest(n: number): Promise<ScriptedClient> {
    return this.until(() => this.guests[n - 1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#plain.clients) socket.terminate();
    await this.#io.close();
    this.#http.closeAllConnections();
  }

  #welcomePlain(socket: ServerSocket): void {
    const guest = new ScriptedClient(
      (frame) => socket.send(JSON.stringify(frame)),
      (code) => socket.close(code),
      this.changed,
    );
    socket.on('message', (data: Buffer) => guest.heard(JSON.parse(data.toString())));
    this.#welcome(guest);
  }

  #welcomeSocketIo(socket: Socket): void {
    const below = (): ServerSocket => Reflect.get(socket.conn.transport, 'socket');
    const guest = new ScriptedClient(
      (frame) => socket.emit('m', frame),
      (code) => below().close(code),
      this.changed,
    );
    socket.on('m', (frame: ClientFrame) => guest.heard(frame));
    this.#welcome(guest);
  }

  #welcome(guest: ScriptedClient): void {
    guest.say({ t: 'hello', protocol: 1, serverTime: Date.now(), heartbeatMs: 10_000 });
    this.guests.push(guest);
    this.changed();
  }
}

export const READY: ServerFrame = { t: 'ready', tenantId: 'demo', role: 'STAFF', expiresAt: 0 };

/** A snapshot whose only cell has as many booked rooms as its `seq`. */
export function snapshot(seq: number, generation = 1): SnapshotFrame {
  const lists = { feed: [], kpi: [], rooms: [], competitors: [] };
  return { t: 'snapshot', propertyId: SCRIPTED_PROPERTY, generation, seq, asOf: seq, grid: [cell(seq)], ...lists };
}

/** The changes `from` to `to`, after which as many rooms are booked as `to`. */
export function delta(from: number, to = from, generation = 1): DeltaFrame {
  const cause = { type: 'CONFIRM_BOOKING', id: `res-${to}` };
  const patches = [{ topic: 'grid' as const, ...cell(to) }];
  return { t: 'delta', propertyId: SCRIPTED_PROPERTY, generation, from, to, ts: to, cause, patches };
}

export function heartbeat(seq: number, generation = 1): ServerFrame {
  return { t: 'heartbeat', serverTime: Date.now(), positions: { [SCRIPTED_PROPERTY]: { generation, seq } } };
}

export function errorFrame(code: string, more: Record<string, unknown> = {}): ServerFrame {
  const problem = { type: '/problems/x', title: code, status: 400, detail: code, code, requestId: 'r' };
  return { t: 'error', problem: { ...problem, retryable: false, ...more } };
}

function cell(bookedRooms: number): SnapshotFrame['grid'][number] {
  const rooms = { totalRooms: 100, heldRooms: 0, blockedRooms: 0, availableRooms: 100 - bookedRooms };
  return { roomType: 'STD', date: '2026-03-01', ...rooms, bookedRooms, rate: 100, currency: 'EUR' };
}
