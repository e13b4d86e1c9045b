import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

import { pause } from '../../../test/blackbox/waiting.ts';
import { type Call, HttpClient } from '../../client/http.ts';
import {
  anyBytes,
  anyPacket,
  anyText,
  anyWebSocketFrame,
  type FrameWorld,
  goodFrames,
  type Picks,
} from './frames.ts';

/** Where and with what an attack is made. */
export type Target = { liveUrl: string; world: FrameWorld; picks: Picks };

/** What an attacker got: the status of each answer over HTTP, and what the service itself calls its own fault. */
export type Loot = { statuses: Map<number, number>; faults: string[] };

const ANSWER_MS = 10_000;
const LONGEST_MS = 3_000;
const DRIP_MS = 40;
const BURST = 400;
const MEGABYTE = 1_048_576;

/** Attacks by name; each makes one connection and leaves it. */
export const ATTACKS: Readonly<Record<string, (target: Target, loot: Loot) => Promise<void>>> = {
  'frames over ws': (target, loot) => overWs(target, loot, '/ws/v1', () => anyText(target.picks, target.world)),
  'packets over socket.io': (target, loot) =>
    overWs(target, loot, '/socket.io/?EIO=4&transport=websocket', () => anyPacket(target.picks, target.world)),
  'right frames in any order': anyOrder,
  'a burst': burst,
  'a megabyte': megabyte,
  'bytes of WebSockets': rawFrames,
  'a frame in drips': dripped,
  'half a handshake': halfHandshake,
  'polling of socket.io': polling,
  'no WebSocket at all': plainHttp,
};

const addressOf = (liveUrl: string, path: string): string => `${liveUrl.replace(/^http/, 'ws')}${path}`;

async function opened({ liveUrl }: Target, loot: Loot, path: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(addressOf(liveUrl, path), { handshakeTimeout: ANSWER_MS });
  socket.on('error', () => undefined);
  socket.on('unexpected-response', (request, answer) => {
    count(loot, answer.statusCode ?? 0);
    // Taken over from ws, which would end the handshake.
    answer.resume();
    request.on('error', () => undefined).destroy();
    socket.terminate();
  });
  socket.on('message', (data: Buffer) => noteFault(loot, String(data)));
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.once('close', () => resolve(undefined));
  });
}

/** A problem of status 500 is a fault of the service, whatever came before it. */
function noteFault({ faults }: Loot, text: string): void {
  if (/"status":5(?!03)\d\d/.test(text)) faults.push(text.slice(0, 500));
}

function count({ statuses, faults }: Loot, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  // Too many connections at once are answered with 503.
  if (status >= 500 && status !== 503) faults.push(`answered with ${status}`);
}

/** Leaves as some do: with a word, without one, or in the middle of one. */
function leave(socket: WebSocket, picks: Picks): void {
  if (picks.chance(0.4)) socket.close(picks.of([1000, 1001, 3000, 4999]));
  else socket.terminate();
}

async function overWs(target: Target, loot: Loot, path: string, next: () => string): Promise<void> {
  const { picks, world } = target;
  const socket = await opened(target, loot, path);
  if (socket === undefined) return;
  if (path.startsWith('/socket.io') && picks.chance(0.8)) socket.send('40/live,');
  if (picks.chance(0.6)) {
    const auth = JSON.stringify(goodFrames(world)[0]);
    socket.send(path.startsWith('/socket.io') ? `42/live,["m",${auth}]` : auth);
  }
  for (let n = picks.below(40); n > 0 && socket.readyState === WebSocket.OPEN; n--) {
    const text = next();
    if (picks.chance(0.1)) socket.send(Buffer.from(text));
    else socket.send(text);
    if (picks.chance(0.3)) await pause(picks.below(50));
  }
  await pause(picks.below(500));
  leave(socket, picks);
}

async function anyOrder(target: Target, loot: Loot): Promise<void> {
  const { picks, world } = target;
  const socket = await opened(target, loot, '/ws/v1');
  if (socket === undefined) return;
  const frames = goodFrames(world);
  for (let n = 0; n < 60 && socket.readyState === WebSocket.OPEN; n++) socket.send(JSON.stringify(picks.of(frames)));
  await pause(picks.below(LONGEST_MS));
  leave(socket, picks);
}

async function burst(target: Target, loot: Loot): Promise<void> {
  const { picks, world } = target;
  const socket = await opened(target, loot, '/ws/v1');
  if (socket === undefined) return;
  const [auth, subscribe] = goodFrames(world);
  socket.send(JSON.stringify(auth));
  socket.pause();
  for (let n = 0; n < BURST; n++) socket.send(JSON.stringify(subscribe));
  await pause(picks.below(LONGEST_MS));
  leave(socket, picks);
}

async function megabyte(target: Target, loot: Loot): Promise<void> {
  const { picks } = target;
  const socket = await opened(target, loot, picks.of(['/ws/v1', '/socket.io/?EIO=4&transport=websocket']));
  if (socket === undefined) return;
  const length = picks.of([65_536, 65_537, MEGABYTE, 16 * MEGABYTE]);
  socket.send(picks.chance(0.5) ? randomBytes(length) : 'x'.repeat(length));
  await pause(picks.below(1_000));
  leave(socket, picks);
}

/** A connection whose bytes are ours; ends after a while at the latest. */
function raw({ liveUrl }: Target): Promise<Socket | undefined> {
  const { hostname, port } = new URL(liveUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
}

const handshake = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`;

/** Counts the status of what is answered over HTTP before or instead of the WebSocket. */
function listen(socket: Socket, loot: Loot): void {
  let isFirst = true;
  socket.on('data', (data: Buffer) => {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1')) ?? [];
    if (isFirst && status !== undefined) count(loot, Number(status));
    isFirst = false;
    noteFault(loot, data.toString('latin1'));
  });
}

async function upgraded(target: Target, loot: Loot): Promise<Socket | undefined> {
  const socket = await raw(target);
  if (socket === undefined) return undefined;
  listen(socket, loot);
  socket.write(handshake('/ws/v1'));
  await pause(50);
  return socket;
}

async function rawFrames(target: Target, loot: Loot): Promise<void> {
  const { picks, world } = target;
  const socket = await upgraded(target, loot);
  for (let n = picks.below(20); n > 0; n--) {
    if (!socket?.writable) break;
    const payload = picks.chance(0.5)
      ? Buffer.from(anyText(picks, world)).subarray(0, 70_000)
      : anyBytes(picks, picks.below(200));
    socket.write(anyWebSocketFrame(picks, payload));
    if (picks.chance(0.3)) await pause(picks.below(30));
  }
  await pause(picks.below(500));
  end(socket, picks);
}

/** A right frame, a byte at a time. */
async function dripped(target: Target, loot: Loot): Promise<void> {
  const { picks, world } = target;
  const socket = await upgraded(target, loot);
  const text = Buffer.from(JSON.stringify(goodFrames(world)[1]));
  const frame = Buffer.concat([Buffer.from([0x81, 0xfe, 0, text.length, 0, 0, 0, 0]), text]);
  const until = performance.now() + picks.below(LONGEST_MS);
  for (let n = 0; n < frame.length && performance.now() < until; n++) {
    if (!socket?.writable) break;
    socket.write(frame.subarray(n, n + 1));
    await pause(DRIP_MS);
  }
  end(socket, picks);
}

async function halfHandshake(target: Target, loot: Loot): Promise<void> {
  const { picks } = target;
  const socket = await raw(target);
  if (socket === undefined) return;
  listen(socket, loot);
  const text = handshake(picks.of(['/ws/v1', '/ws/v2', '/socket.io/?EIO=4&transport=websocket', '//', '/%00']));
  socket.write(picks.chance(0.5) ? text.slice(0, picks.below(text.length)) : text.replace(/Key: \S+/, 'Key: x'));
  await pause(picks.below(LONGEST_MS));
  end(socket, picks);
}

function end(socket: Socket | undefined, picks: Picks): void {
  if (picks.chance(0.5)) socket?.end();
  else socket?.resetAndDestroy();
}

async function polling(target: Target, loot: Loot): Promise<void> {
  const { liveUrl, picks, world } = target;
  const url = `${liveUrl}/socket.io/?EIO=4&transport=polling`;
  const text = (await call(url, {}, loot)) ?? '';
  const [, sid = noText(picks)] = /"sid":"([^"]+)"/.exec(text) ?? [];
  const body = Array.from({ length: picks.below(6) }, () => anyPacket(picks, world)).join('\u001e');
  await call(`${url}&sid=${encodeURIComponent(sid)}`, { method: 'POST', body }, loot);
  if (picks.chance(0.3)) await call(`${url}&sid=${encodeURIComponent(sid)}`, { method: 'DELETE' }, loot);
}

const noText = (picks: Picks): string => anyBytes(picks, 6).toString('hex');

async function plainHttp({ liveUrl, picks }: Target, loot: Loot): Promise<void> {
  const path = picks.of(['/ws/v1', '/ws/v1?compress=x', '/ws', '/socket.io/', '/socket.io/?EIO=3&transport=x', '/%']);
  const method = picks.of(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE2']);
  const body = method === 'GET' ? undefined : noText(picks);
  await call(`${liveUrl}${path}`, { method, ...(body !== undefined && { body }) }, loot);
}

/** @returns the body; undefined without an answer */
async function call(url: string, options: Omit<Call, 'url' | 'method'> & { method?: string }, loot: Loot) {
  using client = new HttpClient({ sockets: 1, timeoutMs: ANSWER_MS });
  try {
    const { status, text } = await client.call({ method: 'GET', ...options, url });
    count(loot, status);
    noteFault(loot, text);
    return text;
  } catch {
    return undefined;
  }
}
