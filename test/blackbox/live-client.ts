import { io, type Socket } from 'socket.io-client';
import { WebSocket } from 'ws';

import { overhear } from './overheard.ts';
import type { Cell } from './shapes.ts';
import { until } from './waiting.ts';

/** A frame of the live protocol (docs/reference/live-protocol.md#live-protocol), as far as the suite looks into it. */
export type Frame = {
  t: string;
  propertyId?: string;
  generation?: number;
  seq?: number;
  from?: number;
  to?: number;
  grid?: GridItem[];
  patches?: (GridItem & { topic: string })[];
  feed?: { reservationId: string; guestName: string | null; totalAmount?: number }[];
  kpi?: Record<string, unknown>[];
  rooms?: Record<string, unknown>[];
  competitors?: Record<string, unknown>[];
  asOf?: number;
  ts?: number;
  role?: string;
  problem?: { code: string; detail?: string; propertyId?: string };
};

export type GridItem = Omit<Cell, 'propertyId' | 'status'> & { rate: number | null; currency: string };

/** One connection to the live gateway, over either transport. */
export type LiveClient = {
  /** Every frame so far, in order. */
  frames: Frame[];
  send(frame: Record<string, unknown>): void;
  /** The text where a frame should be, whatever it is. */
  sendRaw(text: string): void;
  /** Code that the server closed the WebSocket with, also below socket.io; 0 where there was none. */
  closed: Promise<number>;
  close(): void;
  /** Takes no more bytes from the network, as a client does that hangs. */
  stopReading(): void;
  readAgain(): void;
};

const FRAME_MS = 240_000;

/** A handshake that nobody answers fails its test. */
const OPEN_MS = 30_000;

export const TRANSPORTS = { 'plain WebSocket': openWs, 'socket.io': openSocketIo } as const;

/** Connects to `/ws/v1`. */
export async function openWs(liveUrl: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const socket = new WebSocket(`${liveUrl.replace(/^http/, 'ws')}/ws/v1`, { headers, handshakeTimeout: OPEN_MS });
  const frames: Frame[] = [];
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  const events = teller('plain WebSocket');
  socket.on('message', (data: Buffer) => {
    events.hear(data.toString());
    frames.push(JSON.parse(data.toString()));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const sendRaw = (text: string): void => socket.send(text);
  return {
    frames,
    closed,
    sendRaw,
    send: (one) => {
      events.sent(one);
      sendRaw(JSON.stringify(one));
    },
    close: () => socket.terminate(),
    stopReading: () => socket.pause(),
    readAgain: () => socket.resume(),
  };
}

/** Connects to the namespace `/live`; the same objects travel as event `m`. */
export async function openSocketIo(liveUrl: string, extraHeaders: Record<string, string> = {}): Promise<LiveClient> {
  const options = { transports: ['websocket'], reconnection: false, forceNew: true, timeout: OPEN_MS, extraHeaders };
  const socket: Socket = io(`${liveUrl}/live`, options);
  const frames: Frame[] = [];
  const events = teller('socket.io');
  socket.on('m', (one: Frame) => {
    events.hear(JSON.stringify(one));
    frames.push(one);
  });
  const closed = new Promise<number>((resolve) => {
    socket.once('disconnect', (_, details) => resolve(codeOf(details)));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const send = (one: Record<string, unknown>): void => {
    events.sent(one);
    socket.emit('m', one);
  };
  // Past the encoder, which would make JSON of anything.
  const sendRaw = (text: string): void => void socket.io.engine.write(`2/live,["m",${text}]`);
  // Another copy of ws than ours, so that its class says nothing.
  const below = (): WebSocket | null => Reflect.get(socket.io.engine.transport, 'ws') as WebSocket | null;
  return {
    frames,
    closed,
    send,
    sendRaw,
    close: () => void socket.disconnect(),
    stopReading: () => below()?.pause(),
    readAgain: () => below()?.resume(),
  };
}

/** Close code of the WebSocket below socket.io. */
function codeOf(details: unknown): number {
  const context: unknown = typeof details === 'object' && details !== null && Reflect.get(details, 'context');
  const code: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'code') : undefined;
  return typeof code === 'number' ? code : 0;
}

/** Whose frames they are is what the client has said of itself. */
function teller(what: string) {
  let tenant = '(not signed in)';
  return {
    sent: (one: Record<string, unknown>): void => {
      if (typeof one['tenantId'] === 'string') tenant = one['tenantId'];
    },
    hear: (text: string): void => overhear({ what, tenant, text }),
  };
}

/** The first frame after `after` frames that fits. */
export function arrival(client: LiveClient, what: string, fits: (one: Frame) => boolean, after = 0): Promise<Frame> {
  return until(`a frame: ${what}`, FRAME_MS, () => client.frames.slice(after).find(fits)).catch((error: unknown) => {
    throw new Error(`${String(error)}; came: ${JSON.stringify(client.frames).slice(0, 800)}`, { cause: error });
  });
}

/** The grid as a client holds it after a snapshot and the deltas that followed it, by room type and date. */
export function gridAfter(
  frames: readonly Frame[],
  propertyId: string,
): { seq: number; cells: Map<string, GridItem> } {
  const cells = new Map<string, GridItem>();
  let seq = -1;
  for (const one of frames) {
    if (one.propertyId !== propertyId) continue;
    if (one.t === 'snapshot') {
      cells.clear();
      for (const cell of one.grid ?? []) cells.set(`${cell.roomType} ${cell.date}`, cell);
      seq = one.seq ?? -1;
    }
    if (one.t !== 'delta' || (one.to ?? 0) <= seq) continue;
    if (one.from !== seq + 1) throw new Error(`a gap: after ${seq} came ${one.from} to ${one.to}`);
    for (const patch of one.patches ?? [])
      if (patch.topic === 'grid') cells.set(`${patch.roomType} ${patch.date}`, patch);
    seq = one.to ?? seq;
  }
  return { seq, cells };
}
