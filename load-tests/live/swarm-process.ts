import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

import { type Connect, overWebSocket } from '../../packages/client/src/live/live-transports.ts';
import { overSocketIo } from '../../src/testing/live/socket-io-transport.ts';
import { Meter } from './meter.ts';
import type { Question, SwarmOptions, SwarmReport } from './swarm.ts';
import { Witness } from './witness.ts';

/**
 * The clients of a swarm, as a process of its own: answers one request after the other over the channel to its parent.
 */

const witnesses: Witness[] = [];
const meters: Meter[] = [];
let options: SwarmOptions | undefined;
/** Waiting time before a comparison, for clients that are about to catch up. */
const QUIET_MS = 60_000;
/** Clients that connect at a time, so that the first ones do not wait for their token behind the last ones. */
const AT_ONCE = 100;

process.on('message', (question: Question) => {
  void answer(question).then((said) => process.send?.(said));
});

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'open':
      await open(question.options);
      return null;
    case 'report':
      return report();
    case 'cut':
      for (const witness of witnesses) witness.cut();
      return null;
    case 'compare':
      return compare(question.booked);
  }
}

async function open(wanted: SwarmOptions): Promise<void> {
  options = wanted;
  const { plain, socketIo } = wanted;
  const allLive = (): boolean => [...witnesses, ...meters].every((one) => one.isLive);
  for (let n = 0; n < plain + socketIo; n++) {
    const isPlain = n < plain;
    const own = ofClient(wanted, n);
    const protocol = own.isCentrifugo ? 'centrifugo' : isPlain ? 'plain' : 'socket.io';
    if (own.metersOnly) meters.push(new Meter(own, protocol));
    else witnesses.push(new Witness(own, isPlain ? plainTo(own) : socketIoTo(own)));
    if (n % AT_ONCE === AT_ONCE - 1) await until(allLive);
  }
  await until(allLive);
}

/** The options of the n-th client, which follows a property of its own where there is a list of them. */
function ofClient(all: SwarmOptions, n: number): SwarmOptions {
  const propertyId = all.properties?.[n % all.properties.length];
  return propertyId === undefined ? all : { ...all, wanted: { ...all.wanted, propertyId } };
}

function plainTo({ liveUrl }: SwarmOptions): Connect {
  const url = `${liveUrl.replace(/^http/, 'ws')}/ws/v1`;
  return overWebSocket(() => new WebSocket(url, { perMessageDeflate: false }));
}

function socketIoTo({ liveUrl }: SwarmOptions): Connect {
  return overSocketIo(() =>
    io(`${liveUrl}/live`, { transports: ['websocket'], reconnection: false, forceNew: true }),
  );
}

function report(): SwarmReport {
  const all = [...witnesses, ...meters];
  const seqs = all.map(({ seq }) => seq);
  const latencies = all.flatMap((one) => one.latencies);
  for (const one of all) one.latencies = [];
  const sum = (of: (witness: Witness) => number): number => witnesses.reduce((so, one) => so + of(one), 0);
  return {
    live: all.filter(({ isLive }) => isLive).length,
    clients: all.length,
    lowest: Math.min(...seqs),
    highest: Math.max(...seqs),
    deltas: latencies.length,
    latencies,
    snapshots: sum((one) => Math.max(0, one.snapshots - 1)),
    reconnects: sum((one) => one.reconnects),
    gaps: all.reduce((so, { gaps }) => so + gaps, 0),
    problems: witnesses.flatMap(({ problems }) => problems).slice(0, 9),
  };
}

async function compare(booked: string[]): Promise<unknown> {
  const fresh = new Witness(options!, plainTo(options!));
  await until(() => fresh.isLive && witnesses.every(({ seq, isLive }) => isLive && seq === fresh.seq));
  const wanted = fresh.content();
  const differing = witnesses.flatMap((one, n) => one.difference(wanted).map((what) => `client ${n}: ${what}`));
  const published = witnesses.map((one) => one.published(booked));
  fresh.close();
  return {
    cells: wanted.size,
    differing: differing.slice(0, 20),
    repeated: published.reduce((sum, { repeated }) => sum + repeated, 0),
    missing: published.reduce((sum, { missing }) => sum + missing, 0),
  };
}

/** The report that follows names clients that are late. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + QUIET_MS;
  while (!isSo() && performance.now() < end) await new Promise((later) => setTimeout(later, 20));
}
