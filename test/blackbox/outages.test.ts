import { readdirSync } from 'node:fs';
import tap, { test } from 'tap';

import { lookUp } from '../../src/platform/launch/process/processes.mjs';
import { postgresPid, trySignal } from './launched.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';
import { TemporaryDisk } from './temporary-disk.ts';
import { pause, until } from './waiting.ts';

/** Outages of 20 s. */
tap.setTimeout(300_000);

/** What befalls the embedded database of a service, and how it ends. */
type Outage = {
  name: string;
  /** How long it lasts before it is ended, in milliseconds. */
  lastsMs: number;
  begin(service: Service): void | (() => void) | undefined;
};

/** From the end of an outage to the first booking, without a person. */
const BACK_WITHIN_MS = 30_000;
const ANSWER_MS = 8_000;
/** Answers allowed for bookings meanwhile: only retryable errors. */
const LATER = new Set(['NOT_EXECUTED', 'OUTCOME_UNKNOWN', 'STORE_UNAVAILABLE', 'STORE_READ_ONLY', 'STALE']);
/** Room for the database, its log and a little more. */
const disk = TemporaryDisk.mount(400 * 1024 * 1024);
tap.teardown(() => disk?.[Symbol.dispose]());

/** Every process of the embedded PostgreSQL. */
function serverProcesses({ dataDir }: Service): number[] {
  const postmaster = postgresPid(dataDir)!;
  return [
    postmaster,
    ...readdirSync('/proc')
      .map(Number)
      .filter((pid) => lookUp(pid)?.parent === postmaster),
  ];
}

function freeze(service: Service): () => void {
  const pids = serverProcesses(service);
  for (const pid of pids) trySignal(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => trySignal(pid, 'SIGCONT'));
}

const OUTAGES: readonly Outage[] = [
  {
    name: 'PostgreSQL is stopped in order by somebody else',
    lastsMs: 0,
    begin: ({ dataDir }) => void trySignal(postgresPid(dataDir)!, 'SIGINT'),
  },
  {
    name: 'PostgreSQL is killed',
    lastsMs: 0,
    begin: ({ dataDir }) => void trySignal(postgresPid(dataDir)!, 'SIGKILL'),
  },
  {
    name: 'a session of PostgreSQL is killed, so that it restarts all of them',
    lastsMs: 0,
    begin: (service) => void trySignal(serverProcesses(service).at(-1)!, 'SIGKILL'),
  },
  { name: 'PostgreSQL stands still for 20 s', lastsMs: 20_000, begin: freeze },
  { name: 'the disk is full for 20 s', lastsMs: 20_000, begin: () => disk?.fill() },
];

/** Books under one key until it is decided. @returns what was said meanwhile, and the reservation where there is one */
async function book(
  property: BlackboxProperty,
  withinMs: number,
): Promise<{ said: Set<string>; reservationId?: string }> {
  const body = property.wish({ from: 10 + Math.floor(Math.random() * 40), nights: 1 });
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const said = new Set<string>();
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(100)) {
    const sent = property.service.reservations<{ reservationId: string; code?: string }>('POST', '', {
      body,
      headers,
    });
    const answer = await Promise.race([sent.catch(() => undefined), pause(ANSWER_MS)]);
    if (answer?.status === 201) return { said, reservationId: answer.json.reservationId };
    said.add(answer?.json.code ?? 'no answer');
  }
  return { said };
}

const before = process.env['TMPDIR'];
if (disk) process.env['TMPDIR'] = disk.folder;
const service = await Service.start();
if (before === undefined) delete process.env['TMPDIR'];
else process.env['TMPDIR'] = before;
tap.teardown(() => service.remove());
const property = await BlackboxProperty.open(service, { rooms: { DLX: 100 }, pricedNights: 60 });
const { pid } = service.dev;
const acknowledged: string[] = [];

for (const { name, lastsMs, begin } of OUTAGES) {
  const isPossible = !name.includes('disk') || disk !== undefined;
  void test(name, { skip: isPossible ? false : 'only root can make a small disk' }, async (t) => {
    const warm = await book(property, BACK_WITHIN_MS);
    acknowledged.push(warm.reservationId!);
    const end = begin(service);
    const meanwhile = lastsMs > 0 ? book(property, lastsMs) : undefined;
    await pause(lastsMs);
    const { said = new Set<string>(), reservationId } = (await meanwhile) ?? {};
    if (reservationId) acknowledged.push(reservationId);
    end?.();
    const ended = performance.now();
    const after = await book(property, BACK_WITHIN_MS);
    const seconds = ((performance.now() - ended) / 1_000).toFixed(1);
    t.ok(after.reservationId, `booked again ${seconds} s after its end`);
    acknowledged.push(after.reservationId!);
    t.same(
      [...said].filter((code) => !LATER.has(code)),
      [],
      `answers meanwhile: ${[...said].join(', ') || 'nothing'}`,
    );
    t.equal(service.dev.pid, pid, 'and the service was not started anew');
  });
}

void test('nothing that was acknowledged is missing', async (t) => {
  const there = await until('all can be read', BACK_WITHIN_MS, async () => {
    const all = await property.reservations().catch(() => undefined);
    return all && new Set(all.map(({ reservationId }) => reservationId));
  });
  t.same(
    acknowledged.filter((id) => !there.has(id)),
    [],
    `${acknowledged.length} acknowledged`,
  );
});
