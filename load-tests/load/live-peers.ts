import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';

import { BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { HttpClient } from '../client/http.ts';
import { percentiles } from '../client/latencies.ts';
import { Companion } from '../first/companion.ts';
import { change, CHANGES_A_SECOND, watchers } from '../live/frames.ts';
import { numberedFrame } from '../live/numbered-frame.ts';
import { Swarm } from '../live/swarm.ts';
import { Centrifugo } from './centrifugo.ts';
import { type Contender, contest, type Round } from './contest.ts';
import type { PeerFigures } from './figures-of-run.ts';

const SOCKETS = 300;
/** Frames of the last change have this long to arrive. */
const LAST_MS = 1_000;
const FRAME_WITHIN_MS = 10_000;

/** Frames of a property that changes, on schedule, beside a plain WebSocket server that sends the same bytes, and Centrifugo. */
export async function liveFeeds(service: Service, folder: string, seconds: number): Promise<PeerFigures[]> {
  const property = await BlackboxProperty.open(service);
  const FRAME_FILE = join(folder, 'frame.json');
  const frame = await oneFrame(service, property);
  writeFileSync(FRAME_FILE, frame);
  await using plain = await Companion.start('load/plain-feed.ts', { FRAME_FILE });
  using ours = await watchers(service, property, 'ws', SOCKETS);
  const plainUrl = `http://127.0.0.1:${plain.port}`;
  using theirs = await followersOf(plainUrl);
  using client = new HttpClient({ sockets: 8 });
  const publish = onSchedule(() => client.call({ method: 'POST', url: plainUrl }));
  await using centrifugo = await Centrifugo.start(folder);
  using others = centrifugo && (await followersOf(centrifugo.url, true));
  // Awaited here: sockets and server end with this function.
  return await contest(`Frames to ${SOCKETS} sockets, ${CHANGES_A_SECOND} changes a second`, service, seconds, [
    {
      name: 'Innkeeper',
      pid: service.dev.pid,
      hasDatabase: true,
      warmUp: 2,
      round: framesOf(ours, (length) => change(property, length)),
    },
    {
      name: 'plain WebSocket server, same bytes',
      pid: plain.pid,
      hasDatabase: false,
      warmUp: 2,
      round: framesOf(theirs, publish),
    },
    ...(centrifugo && others ? [contenderOf(centrifugo, others, frame)] : []),
  ]);
}

/** Does something as often as the property changes. */
function onSchedule(publish: () => Promise<unknown>): (seconds: number) => Promise<void> {
  return async (seconds) => {
    const began = performance.now();
    for (let n = 0; n < seconds * CHANGES_A_SECOND; n += 1) {
      await pause(Math.max(0, began + (1_000 * n) / CHANGES_A_SECOND - performance.now()));
      await publish();
    }
  };
}

/** Followers of a baseline, which sends everything to everybody. */
function followersOf(liveUrl: string, isCentrifugo = false): Promise<Swarm> {
  const wanted = { propertyId: '', topics: [], window: { start: '', days: 1 } };
  const clients = { plain: SOCKETS, socketIo: 0, metersOnly: true, isCentrifugo };
  return Swarm.open({ liveUrl, token: '', tenantId: '', wanted, ...clients });
}

function contenderOf(server: Centrifugo, swarm: Swarm, frame: string): Contender {
  let seq = 0;
  const publish = (): Promise<void> => {
    seq += 1;
    return server.publish(numberedFrame(frame, seq));
  };
  return {
    name: 'Centrifugo, same bytes',
    pid: server.pid,
    hasDatabase: false,
    warmUp: 2,
    round: framesOf(swarm, onSchedule(publish)),
  };
}

/** Frames that the sockets received while `drive` made changes, and the time of each from its change. */
function framesOf(swarm: Swarm, drive: (seconds: number) => Promise<unknown>): (seconds: number) => Promise<Round> {
  return async (seconds) => {
    await swarm.ask({ ask: 'report' });
    await drive(seconds);
    await pause(LAST_MS);
    const { deltas, latencies } = await swarm.ask({ ask: 'report' });
    return { requests: deltas, perSecond: Math.round(deltas / seconds), ms: percentiles(latencies) };
  };
}

/** A frame of the service, as its sockets get it. @throws Error when none comes */
async function oneFrame(service: Service, property: BlackboxProperty): Promise<string> {
  const socket = new WebSocket(`${service.dev.liveUrl.replace(/^http/, 'ws')}/ws/v1`, { perMessageDeflate: false });
  try {
    return await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('the live gateway sent no frame')), FRAME_WITHIN_MS);
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text.includes('"t":"hello"')) introduce(socket, service, property);
        else if (text.includes('"t":"snapshot"')) change(property, 1 / CHANGES_A_SECOND).catch(reject);
        else if (text.includes('"t":"delta"')) {
          clearTimeout(late);
          resolve(text);
        }
      });
    });
  } finally {
    socket.close();
  }
}

function introduce(socket: WebSocket, service: Service, property: BlackboxProperty): void {
  socket.send(JSON.stringify({ t: 'auth', token: service.token('demo', 'MANAGER'), tenantId: 'demo' }));
  const { propertyId } = property;
  const window = { start: property.day(0), days: 90 };
  socket.send(JSON.stringify({ t: 'subscribe', propertyId, topics: ['grid', 'feed', 'kpi', 'rooms'], window }));
}
