import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { addsUp } from './audit.ts';
import { Launched } from './launched.ts';
import { arrival, type Frame, type LiveClient, openWs } from './live-client.ts';
import { advanceClock, BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { until } from './waiting.ts';

/**
 * A backup under load, more bookings, a restore: the commands as a person types them
 * (docs/guide/backup.md#back-up-and-restore).
 */
/** Several starts, and a backup under load. */
tap.setTimeout(300_000);

const service = await Service.start();
tap.teardown(() => service.remove());
const property = await BlackboxProperty.open(service, { rooms: { DLX: 300, STD: 300 } });
const backup = join(service.dataDir, 'backups', 'under-load');

/** What an npm script said, and how it ended. */
async function run(script: string, args: string[] = []): Promise<{ code: unknown; output: string }> {
  const tool = new Launched({ ...service.env, DATA_DIR: service.dataDir }, script, args);
  const code = await tool.exited;
  return { code, output: tool.output };
}

type Booked = { key: string; body: unknown; began: number; reservation: Reservation };

/** Clients that book until they are stopped; what was acknowledged is in the list. */
function buyers(acknowledged: Booked[], stop: AbortSignal): Promise<unknown> {
  return Promise.all(
    Array.from({ length: 16 }, async (_, buyer) => {
      for (let round = 0; !stop.aborted; round += 1) {
        const roomType = round % 2 === 0 ? 'DLX' : 'STD';
        const attempt = { key: randomUUID(), body: property.wish({ from: (buyer * 7 + round * 3) % 100, roomType }) };
        const began = performance.now();
        const answer = await send(attempt);
        if (answer.status === 201) acknowledged.push({ ...attempt, began, reservation: answer.json });
      }
    }),
  );
}

function send({ key, body }: { key: string; body: unknown }) {
  return service.reservations<Reservation>('POST', '', { body, headers: { 'idempotency-key': key } });
}

/** A dashboard, from the beginning or from the position that it came to. */
async function watch(from?: { generation: number; seq: number }): Promise<LiveClient> {
  const client = await openWs(service.dev.liveUrl);
  client.send({ t: 'auth', token: service.token('demo', 'STAFF'), tenantId: 'demo' });
  const window = { start: property.day(0), days: 40 };
  client.send({
    t: 'subscribe',
    propertyId: property.propertyId,
    topics: ['grid'],
    window,
    ...(from ? { from } : {}),
  });
  return client;
}

const isAnswer = ({ t }: Frame): boolean => t === 'snapshot' || t === 'delta';

/** Bookings that were acknowledged before the backup began, and those that began after its end. */
const before: Booked[] = [];
let after: Booked[] = [];
/** Ids of all that were ever acknowledged. */
const known = new Set<string>();
/** How far a dashboard had come in what was then rewound. */
let position = { generation: 0, seq: 0 };

void test('a backup is made while bookings come in', async (t) => {
  const acknowledged: Booked[] = [];
  const stop = new AbortController();
  const load = buyers(acknowledged, stop.signal);
  await until('bookings come in', 60_000, () => (acknowledged.length > 100 ? true : undefined));
  before.push(...acknowledged);
  t.match(await run('backup', ['--', '--to', backup]), { code: 0, output: /backup in .*under-load/ });
  const made = acknowledged.length;
  const ended = performance.now();
  await until('bookings go on', 60_000, () => (acknowledged.length > made + 100 ? true : undefined));
  stop.abort();
  await load;
  t.comment(`${before.length} bookings before, ${made - before.length} while it ran, ${acknowledged.length} in all`);
  t.ok(made > before.length, 'bookings were acknowledged meanwhile');
  after = acknowledged.filter(({ began }) => began > ended);
  for (const { reservation } of acknowledged) known.add(reservation.reservationId);
  t.equal(statSync(backup).mode & 0o777, 0o700, 'it is for its owner only');
});

void test('whatever lies in DATA_DIR is either in the backup or made anew', async (t) => {
  const retained = new Set(readdirSync(backup));
  const anew = /^(backups|dashboard|deno|dev\.json|launcher\.lock|log-position\.json|postgres\.log|service\.ready)$/;
  t.same(
    readdirSync(service.dataDir).filter((name) => !retained.has(name) && !anew.test(name)),
    [],
  );
});

void test('a restore is refused while the service runs', async (t) => {
  const client = await watch();
  const { generation = 0, seq = 0 } = await arrival(client, 'snapshot', (one) => one.t === 'snapshot');
  position = { generation, seq };
  client.close();
  t.equal(generation, 1);
  const { code, output } = await run('restore', ['--', '--from', backup]);
  t.match({ code, output }, { code: 1, output: /^innkeeper: process \d+ runs on .*: stop it first/m });
  t.equal((await property.quote()).status, 200);
});

void test('a damaged backup is refused, and the data stays as it is', async (t) => {
  t.equal((await service.terminate()).code, 0);
  const log = join(backup, 'postgres', 'pg_wal', readdirSync(join(backup, 'postgres', 'pg_wal'))[0] ?? '');
  /** One bit of it turned over, or back. */
  const turnBit = (): void => {
    const file = openSync(log, 'r+');
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, 15_000_000);
    byte[0] = byte[0]! ^ 1;
    writeSync(file, byte, 0, 1, 15_000_000);
    closeSync(file);
  };
  turnBit();
  const { code, output } = await run('restore', ['--', '--from', backup]);
  t.match(
    { code, output },
    { code: 1, output: /^innkeeper: the backup in .* is damaged: postgres\/pg_wal\/\w+ is not/m },
  );
  turnBit();
  t.notOk(readdirSync(service.dataDir).some((name) => /restor/.test(name)));
});

void test('after the restore every booking of before the backup is there, and those of after it are not', async (t) => {
  const { code, output } = await run('restore', ['--', '--from', backup]);
  t.equal(code, 0, output);
  t.match(output, /properties go on in generation 2/);
  await service.up();
  const stored = new Map((await property.reservations()).map((one) => [one.reservationId, one]));
  const missing = before.filter(({ reservation }) => stored.get(reservation.reservationId)?.status !== 'CONFIRMED');
  t.same(missing, []);
  t.same(
    after.filter(({ reservation }) => stored.has(reservation.reservationId)),
    [],
  );
  const first = before[0]!.reservation;
  t.equal(stored.get(first.reservationId)?.guestInfo.lastName, first.guestInfo.lastName, 'names can be read');
  t.match(await run('audit:verify'), { code: 0, output: /every chain is whole/ });
});

void test('bookings whose payment was under way at that moment are settled, since the provider forgets nothing', async (t) => {
  // Longer than a payment may take, shorter than a hold that is being paid lives.
  must(await advanceClock(service, 60), 200);
  const held = (await property.cells(0, 110)).filter(({ heldRooms }) => heldRooms > 0);
  t.same(held, [], 'no room is held any more');
  const nobodys = (await property.reservations()).filter(
    ({ reservationId, status }) => status !== 'CONFIRMED' || !known.has(reservationId),
  );
  t.same(nobodys, [], 'and each was confirmed under the id that its buyer knows');
  await addsUp(t, property, 0, 110);
});

void test('who watched what was rewound gets a snapshot of the next generation', async (t) => {
  const client = await watch(position);
  const answer = await arrival(client, 'an answer', isAnswer);
  t.match(answer, { t: 'snapshot', generation: 2 });
  t.ok((answer.seq ?? 0) < position.seq, 'history was rewound');
  // Beyond the old position the number alone would show nothing any more.
  await until('the old position is passed', 60_000, async () => {
    if (Number((await property.quote()).headers['x-property-seq']) > position.seq) return true;
    await Promise.all(Array.from({ length: 16 }, (_, n) => property.booked({ from: 100 + n, roomType: 'STD' })));
    return undefined;
  });
  const late = await watch(position);
  t.match(await arrival(late, 'an answer', isAnswer), { t: 'snapshot', generation: 2 });
  const known = await watch({ generation: 2, seq: answer.seq ?? 0 });
  t.match(await arrival(known, 'what it missed', isAnswer), {
    t: 'delta',
    generation: 2,
    from: (answer.seq ?? 0) + 1,
  });
  for (const one of [client, late, known]) one.close();
});

void test('bookings go on: a known key has its answer, a lost one books again', async (t) => {
  const retained = before[0]!;
  const lost = after[0]!;
  const repeat = await send(retained);
  t.match(repeat, { status: 201, headers: { 'idempotency-replayed': 'true' } });
  t.equal(repeat.json.reservationId, retained.reservation.reservationId);
  const again = must(await send(lost), 201).json;
  t.not(again.reservationId, lost.reservation.reservationId);
  t.match((await property.read(again.reservationId)).json, { status: 'CONFIRMED' });
  await addsUp(t, property, 0, 118);
  t.match(await run('audit:verify'), { code: 0, output: /every chain is whole/ });
});
