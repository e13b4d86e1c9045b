import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { addsUp } from './audit.ts';
import { isAlive, postgresPid, trySignal } from './launched.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

/**
 * What is acknowledged survives: kill -9, orphaned databases, restarts, drains (I2, ARCHITECTURE.md#what-we-promise).
 */
/** Several starts, the first ones on an empty folder. */
tap.setTimeout(300_000);

const SOON_MS = 240_000;

const service = await Service.prepare();
tap.teardown(() => service.remove());

void test('a fresh start makes everything', async (t) => {
  await service.up();
  t.comment(`first start: ${service.readyMs} ms`);
  t.equal(statSync(join(service.dataDir, 'dev.json')).mode & 0o777, 0o600, 'dev.json is for its owner only');
  t.equal(statSync(service.dataDir).mode & 0o777, 0o755, 'rights of a folder that was there are not touched');
  t.ok(isAlive(service.dev.pid), 'pid of dev.json is a process');
});

void test('a first start has nothing to warn of', async (t) => {
  const { rateUrl } = service.dev;
  // Due jobs are enqueued once the job queue is there: then nothing of the start is left to go wrong.
  await until('a source of competitor rates has answered', SOON_MS, async () => {
    const { json } = await service.call<Health>('GET', `${rateUrl}/actuator/health/competitorApi`, {
      authorization: null,
      tenantHeader: null,
    });
    return json.status === 'UP' ? true : undefined;
  });
  t.same(warnings(service.output), []);
});

void test('a first booking: prices, quote, book, read, kill -9, still there, cancel', async (t) => {
  const stay = { propertyId: 'harbor-hotel', roomType: 'DLX' };
  const property = await BlackboxProperty.open(service);
  const body = {
    ...stay,
    effectiveDate: property.day(30),
    endDate: property.day(60),
    rates: [{ dayOfWeek: 'MONDAY', rate: 200.5 }],
    seasonalAdjustments: [
      {
        name: 'fair',
        startDate: property.day(30),
        endDate: property.day(60),
        adjustment: 1.1,
        adjustmentType: 'MULTIPLIER',
      },
    ],
  };
  must(await service.rates('PUT', '/base', { body }), 200);
  const dates = { checkIn: property.day(40), checkOut: property.day(47) };
  const query = `propertyId=harbor-hotel&checkIn=${dates.checkIn}&checkOut=${dates.checkOut}&adults=2`;
  const { json: quote } = must(
    await service.rates<Awaited<ReturnType<BlackboxProperty['quote']>>['json']>('GET', `/current?${query}`),
    200,
  );
  const quoted = quote.rates.find(({ roomType }) => roomType === 'DLX');
  const monday = quoted?.dailyRates.find(({ date }) => new Date(date).getUTCDay() === 1);
  t.equal(monday?.rate, 220.55);
  const wish = property.wish({
    stay: { ...dates, quoteToken: quoted?.quoteToken },
    more: { propertyId: 'harbor-hotel' },
  });
  const headers = { 'idempotency-key': randomUUID() };
  const created = must(
    await service.reservations<{ reservationId: string }>('POST', '', { body: wish, headers }),
    201,
  );
  const { reservationId } = created.json;
  const before = must(await property.read(reservationId), 200);
  t.equal(before.json.financial.baseAmount, quoted?.totalRate);
  await service.killHard();
  await service.up();
  t.comment(`start after kill -9: ${service.readyMs} ms`);
  t.equal(must(await property.read(reservationId), 200).text, before.text, 'the same after kill -9');
  const again = await service.reservations('POST', '', { body: wish, headers });
  t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true' }, text: created.text });
  t.match(await service.reservations('DELETE', `/${reservationId}`), { status: 200, json: { status: 'CANCELLED' } });
});

void test('kill -9 under load loses no acknowledged booking, and what is left adds up', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 20, STD: 20 } });
  const acknowledged: string[] = [];
  const open: { key: string; body: unknown }[] = [];
  const crash = new AbortController();
  const buyers = Array.from({ length: 32 }, async (_, buyer) => {
    for (let round = 0; !crash.signal.aborted; round += 1) {
      const roomType = round % 2 === 0 ? 'DLX' : 'STD';
      const attempt = { key: randomUUID(), body: property.wish({ from: (buyer * 5 + round * 3) % 100, roomType }) };
      const answer = await send(attempt).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(answer.json.reservationId);
      if (!answer) open.push(attempt);
    }
  });
  function send({ key, body }: { key: string; body: unknown }) {
    const headers = { 'idempotency-key': key };
    return service.reservations<{ reservationId: string }>('POST', '', { body, headers });
  }
  await until('bookings come in', 60_000, () => (acknowledged.length > 300 ? true : undefined));
  await service.killHard();
  crash.abort();
  await Promise.all(buyers);
  await service.up();
  t.comment(`${acknowledged.length} acknowledged, ${open.length} without an answer`);
  const stored = new Map((await property.reservations()).map((one) => [one.reservationId, one.status]));
  const lost = acknowledged.filter((id) => stored.get(id) !== 'CONFIRMED');
  t.same(lost, []);
  await t.test('and a repeat of what had no answer books at most once', async (it) => {
    const repeats = await Promise.all(open.map(send));
    for (const { status, text } of repeats) {
      if (status !== 201 && status !== 409) it.fail(`${status} ${text.slice(0, 300)}`);
    }
    const twice = await Promise.all(open.map(send));
    it.same(
      twice.map(({ text }) => text),
      repeats.map(({ text }) => text),
    );
  });
  await addsUp(t, property, 0, 110);
});

void test('an orphaned database is adopted or stopped', async (t) => {
  const property = await BlackboxProperty.open(service);
  const { reservationId } = await property.booked();
  await service.killHard();
  t.comment(
    postgresPid(service.dataDir) === undefined ? 'the database went with the service' : 'the database is an orphan',
  );
  await service.up();
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
});

void test('SIGTERM drains: exit code 0 within 10 s, the database stops, a second SIGTERM changes nothing', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
  const { pid } = service.dev;
  const running = Array.from({ length: 20 }, () => property.book().catch(() => undefined));
  const slow = property.book({ card: 'tok_slow' }).catch(() => undefined);
  await until('the first one is booked', 60_000, async () =>
    (await property.left(30))[0] === 50 ? undefined : true,
  );
  const ended = service.terminate();
  const again = setTimeout(() => trySignal(pid, 'SIGTERM'), 300);
  const { code, ms } = await ended;
  clearTimeout(again);
  t.comment(`drained in ${ms} ms`);
  t.equal(code, 0);
  t.ok(ms < 10_000, `${ms} ms`);
  t.equal(postgresPid(service.dataDir), undefined, 'no database is left behind');
  const answers = [...(await Promise.all(running)), await slow];
  await service.up();
  t.comment(`second start: ${service.readyMs} ms`);
  const acknowledged = answers.flatMap((one) => (one?.status === 201 ? [one.json.reservationId] : []));
  for (const id of acknowledged) t.match((await property.read(id)).json, { status: 'CONFIRMED' });
  await addsUp(t, property, 28, 6);
});

type Health = { status: string };

/**
 * Lines of the log from WARN on, but for statements that took long: how many do is up to the machine. `select 1`
 * of the first connection and of health takes long only while the process itself is busy with its start.
 */
function warnings(output: string): string[] {
  const lines = output.split('\n').filter((line) => /^\{.*"level":"(warn|error|fatal)"/.test(line));
  // How long a statement takes is up to the machine.
  return lines.filter((line) => !line.includes('"slow statement"'));
}
