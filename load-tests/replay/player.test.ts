import { createServer, type IncomingMessage } from 'node:http';
import { test } from 'tap';

import { HttpClient } from '../client/http.ts';
import type { PlannedEvent } from './plan.ts';
import { playEvents } from './player.ts';
import type { Tally } from './tally.ts';

type Seen = { method: string; path: string; key: string };
type Reply = { status: number; body?: unknown; retryAfter?: string };

/** Plays events against a scripted server. */
async function play(script: PlannedEvent[], answer: (seen: Seen, count: number) => Reply) {
  const seen: Seen[] = [];
  let running = 0;
  let most = 0;
  const server = createServer((incoming, outgoing) => {
    running += 1;
    most = Math.max(most, running);
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', key: keyOf(incoming) };
    seen.push(request);
    const { status, body, retryAfter } = answer(request, seen.length);
    incoming.resume().on('end', () => {
      setTimeout(() => {
        running -= 1;
        outgoing.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end(JSON.stringify(body ?? {}));
      }, 2);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  using client = new HttpClient({ sockets: 4 });
  const stage = { client, reservationUrl: `http://127.0.0.1:${port}`, propertyId: 'resort', concurrency: 4 };
  let progress = 0;
  const tally: Tally = await playEvents(script, { ...stage, runId: 'run', progress: () => (progress += 1) });
  server.close();
  return { tally, seen, most, progress };
}

function keyOf(incoming: IncomingMessage): string {
  return String(incoming.headers['idempotency-key']);
}

function events(row: number, kinds: PlannedEvent['kind'][], foreseen: Set<'MAX_STAY'> = new Set()): PlannedEvent[] {
  const booking = {
    row,
    roomType: 'A',
    arrival: 20_000,
    nights: 2,
    leadDays: 3,
    adults: 2,
    children: 0,
    adr: 10_000,
    marketSegment: 'Direct',
    distributionChannel: 'Direct',
    changes: 1,
    specialRequests: 0,
    deposit: 'No Deposit' as const,
    outcome: 'Canceled' as const,
    outcomeDay: 19_999,
  };
  const story = { adults: 2, nights: 2, specialRequests: [], amendments: [] };
  const planned = { booking, story, arrival: 20_000, foreseen };
  return kinds.map((kind) => {
    const base = { day: 19_000, planned };
    return kind === 'amend' ? { ...base, kind, amendment: { adults: 2 } } : { ...base, kind };
  });
}

const created = (id: string): Reply => ({ status: 201, body: { reservationId: id, status: 'CONFIRMED' } });

void test('the events of one booking go one after the other, those of several at once', async (t) => {
  const all = [1, 2, 3, 4, 5, 6].flatMap((row) => events(row, ['create', 'amend', 'cancel']));
  let booked = 0;
  const { tally, seen, most, progress } = await play(all, ({ method }) => {
    if (method !== 'POST') return { status: 200 };
    booked += 1;
    return created(`id-${booked}`);
  });
  t.same(tally.done, { create: 6, amend: 6, cancel: 6 });
  t.ok(most > 1 && most <= 4, `${most} at once`);
  t.equal(progress, 18);
  for (let id = 1; id <= 6; id += 1) {
    const own = seen.filter(({ path }) => path === `/api/v1/reservations/id-${id}`);
    t.same(
      own.map(({ method }) => method),
      ['PUT', 'DELETE'],
    );
  }
  t.equal(tally.surprised, 0);
});

void test('a refused booking is counted by its code and its later events are passed over', async (t) => {
  const { tally, seen } = await play(events(1, ['create', 'amend', 'cancel']), () => ({
    status: 409,
    body: { code: 'ROOM_NOT_AVAILABLE', detail: 'sold out' },
  }));
  t.equal(seen.length, 1);
  t.equal(tally.passedOver, 2);
  t.same([...tally.refused.create], [['ROOM_NOT_AVAILABLE', 1]]);
  t.equal(tally.surprised, 0);
});

void test('an answer that "later" is repeated with the same key', async (t) => {
  const { tally, seen } = await play(events(1, ['create']), (_, count) =>
    count < 3 ? { status: count === 1 ? 429 : 503, retryAfter: '0' } : created('id'),
  );
  t.equal(seen.length, 3);
  t.equal(new Set(seen.map(({ key }) => key)).size, 1);
  t.same(Object.fromEntries(tally.repeated), { 429: 1, 503: 1 });
  t.equal(tally.done.create, 1);
});

void test('an answer that the file does not explain is a surprise', async (t) => {
  const refused = await play(events(1, ['create']), () => ({
    status: 422,
    body: { code: 'NO_RATE', detail: 'none' },
  }));
  t.match(refused.tally.surprises, [{ kind: 'create', row: 1, status: 422, code: 'NO_RATE' }]);
  const accepted = await play(events(2, ['create'], new Set(['MAX_STAY'])), () => created('id'));
  t.match(accepted.tally.surprises, [{ row: 2, status: 201, code: 'ACCEPTED' }]);
  const broken = await play(events(3, ['create']), () => ({ status: 500, body: 'no problem document' }));
  t.match(broken.tally.surprises, [{ row: 3, status: 500, code: 'HTTP_500' }]);
});
