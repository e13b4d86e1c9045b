import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';

import type { SnapshotSockets } from './loads-apart.ts';

const WINDOW_DAYS = 90;
const AGAIN_MS = 20;

/** Opens sockets that each request the state of a property again when they have it, and counts frames by kind. */
export async function askForSnapshots(wanted: SnapshotSockets, frames: Record<string, number>): Promise<void> {
  const end = performance.now() + wanted.seconds * 1000;
  await Promise.all(
    Array.from({ length: wanted.count }, async (_, n) => {
      const propertyId = wanted.propertyIds[n % wanted.propertyIds.length]!;
      while (performance.now() < end) await socketUntil(end, { wanted, propertyId, frames });
    }),
  );
}

type Asking = { wanted: SnapshotSockets; propertyId: string; frames: Record<string, number> };

async function socketUntil(end: number, { wanted, propertyId, frames }: Asking): Promise<void> {
  const socket = new WebSocket(`${wanted.liveUrl.replace(/^http/, 'ws')}/ws/v1`);
  const window = { start: new Date().toISOString().slice(0, 10), days: WINDOW_DAYS };
  const subscribe = JSON.stringify({ t: 'subscribe', propertyId, topics: ['grid', 'kpi', 'rooms', 'feed'], window });
  socket.on('error', () => undefined);
  socket.on('open', () => {
    socket.send(JSON.stringify({ t: 'auth', token: wanted.token, tenantId: wanted.tenantId }));
    socket.send(subscribe);
  });
  socket.on('message', (data: Buffer) => {
    const { t, problem } = JSON.parse(data.toString()) as { t: string; problem?: { code: string } };
    const what = problem?.code ?? t;
    frames[what] = (frames[what] ?? 0) + 1;
    if (t === 'snapshot' || problem)
      setTimeout(() => socket.readyState === socket.OPEN && socket.send(subscribe), AGAIN_MS);
  });
  while (performance.now() < end && socket.readyState <= socket.OPEN) await pause(AGAIN_MS);
  socket.terminate();
  await pause(AGAIN_MS);
}
