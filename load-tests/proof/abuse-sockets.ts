import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

type Heard = Record<string, number>;

/** Concurrent and total attempts of an attacker: attacker and service share the machine. */
const BOUNDS = { sockets: 60, framesABeat: 40, seeksABeat: 2, beatMs: 10 };
const WINDOW_DAYS = 366;
/** The property is as old as the service, which was started for this. */
const PAST_MS = 5_000;

const count = (heard: Heard, what: string): void => void (heard[what] = (heard[what] ?? 0) + 1);

/** Opens sockets with a forged token each, as fast as possible. */
export async function forgedSockets(liveUrl: string, seconds: number): Promise<Heard> {
  const heard: Heard = {};
  const end = performance.now() + seconds * 1000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const socket = open(liveUrl, heard);
      socket.on('open', () => socket.send(authFrame(`forged${Math.random()}`)));
      await gone(socket, end);
    }
  };
  await Promise.all(Array.from({ length: BOUNDS.sockets }, one));
  return heard;
}

/** One user's socket that sends forged `auth` frames, and reconnects when it is closed. */
export function forgedAuthFrames(liveUrl: string, token: string, seconds: number): Promise<Heard> {
  return flooded(liveUrl, token, seconds, (socket, heard) => {
    for (let n = 0; n < BOUNDS.framesABeat; n += 1) {
      count(heard, 'frames');
      socket.send(authFrame(`${token.slice(0, -20)}${Math.random()}`));
    }
  });
}

/** One user's socket that seeks another moment each time. */
export function looksBack(liveUrl: string, token: string, seconds: number): Promise<Heard> {
  const propertyId = 'harbor-hotel';
  const start = new Date().toISOString().slice(0, 10);
  const followed = new WeakSet<WebSocket>();
  return flooded(liveUrl, token, seconds, (socket, heard) => {
    if (!followed.has(socket)) {
      followed.add(socket);
      const window = { start, days: WINDOW_DAYS };
      socket.send(JSON.stringify({ t: 'subscribe', propertyId, topics: ['grid', 'kpi', 'rooms', 'feed'], window }));
    }
    for (let n = 0; n < BOUNDS.seeksABeat; n += 1) {
      count(heard, 'frames');
      socket.send(JSON.stringify({ t: 'seek', propertyId, asOf: Date.now() - Math.floor(Math.random() * PAST_MS) }));
    }
  });
}

async function flooded(
  liveUrl: string,
  token: string,
  seconds: number,
  beat: (socket: WebSocket, heard: Heard) => void,
): Promise<Heard> {
  const answers: Heard = {};
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const socket = open(liveUrl, answers);
    socket.on('open', () => socket.send(authFrame(token)));
    while (performance.now() < end && socket.readyState <= socket.OPEN) {
      if (socket.readyState === socket.OPEN) beat(socket, answers);
      await pause(BOUNDS.beatMs);
    }
    await gone(socket, end);
  }
  return answers;
}

function open(liveUrl: string, heard: Heard): WebSocket {
  const socket = new WebSocket(`${liveUrl.replace(/^http/, 'ws')}/ws/v1`);
  socket.on('error', () => count(heard, 'not let in'));
  socket.on('close', (code) => count(heard, `closed ${code}`));
  socket.on('message', (data: Buffer) => {
    const { t, problem } = JSON.parse(data.toString()) as { t: string; problem?: { code: string } };
    count(heard, problem?.code ?? t);
  });
  return socket;
}

/** Waits for the end of a socket, and closes it when no one else does. */
async function gone(socket: WebSocket, end: number): Promise<void> {
  while (socket.readyState !== socket.CLOSED && performance.now() < end) await pause(BOUNDS.beatMs);
  socket.terminate();
}

const authFrame = (token: string): string => JSON.stringify({ t: 'auth', token, tenantId: 'demo' });
