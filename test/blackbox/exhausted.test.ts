import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import tap, { test } from 'tap';

import { query } from '../../src/testing/launch/throw-away.ts';
import { findProgram } from '../services/debian.ts';
import { addsUp } from './audit.ts';
import { BACK_WITHIN_MS, booksAgain } from './booking-again.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { isAlive } from './launched.ts';
import { BlackboxProperty } from './property.ts';
import { RunbookPage } from './runbook-page.ts';
import { Service } from './service.ts';
import { pause, until } from './waiting.ts';

/** What is used up stops nobody for longer than it lasts (docs/operations/liveness.md#liveness). */
/** Five starts, and outages that have to be waited for. */
tap.setTimeout(600_000);

/** A process that may have so many files open, and more sockets than that. */
const OPEN_FILES = 256;
const IDLE_SOCKETS = 400;
/** More than the live gateway takes then, and fewer than all listeners do. */
const LIVE_SOCKETS = 80;
/** Connections to one listener at once. */
const BURST = 600;
/** Requests, each logged because it finds nothing, whose lines are more than a pipe and a socket take together. */
const CHATTER = 2_000;

type Health = { status: string; details: Record<string, unknown> };

void test(`with ${OPEN_FILES} open files and ${IDLE_SOCKETS} idle sockets the service stays up`, async (t) => {
  const service = await Service.prepare();
  t.teardown(() => service.remove());
  service.launchOptions = { before: `ulimit -n ${OPEN_FILES}` };
  await service.up();
  const { pid, rateUrl, reservationUrl, liveUrl } = service.dev;
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
  const sockets: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  for (let n = 0; n < IDLE_SOCKETS; n += 1) {
    const socket = connect(Number(new URL([rateUrl, reservationUrl, liveUrl][n % 3]!).port), '127.0.0.1');
    socket.on('error', () => {});
    closed.push(once(socket, 'close').catch(() => undefined));
    sockets.push(socket);
  }
  await Promise.race(closed);
  await until('some are refused', BACK_WITHIN_MS, () =>
    sockets.filter((one) => one.closed).length > 100 ? true : undefined,
  );
  t.ok(isAlive(pid), 'no panic');
  const page = new RunbookPage(t, service, 'ConnectionsRefused');
  const limits = await page.shell("grep 'open files' /proc/<pid>/limits", { '<pid>': pid });
  t.match(limits, new RegExp(`open files +${OPEN_FILES} `));
  const ss = "ss -tn sport = :8084 | awk '{print $5}' | cut -d: -f1 | sort | uniq -c";
  if (findProgram('ss') === undefined) t.pass(ss, { skip: 'NOT RUN: needs ss' });
  else t.match(await page.shell(ss, { '8084': new URL(reservationUrl).port }), /\d 127\.0\.0\.1/, 'who has them');
  for (const socket of sockets) socket.destroy();
  await booksAgain(t, property);
  t.equal(service.dev.pid, pid);
  t.ok((await page.figure('http_connections_refused_total')) > 0, 'and counts them');
  t.notMatch(service.output, /starting it again/);
  t.equal((await service.terminate()).code, 0);
});

void test('health says that the live gateway takes no more connections, and that the rest goes on', async (t) => {
  const service = await Service.prepare();
  t.teardown(() => service.remove());
  service.launchOptions = { before: `ulimit -n ${OPEN_FILES}` };
  await service.up();
  const { reservationUrl, liveUrl } = service.dev;
  const health = async (path: string) =>
    (
      await service.call<Health>('GET', `${reservationUrl}/actuator/health${path}`, {
        authorization: null,
        tenantHeader: null,
      })
    ).json;
  t.match(await health('/live'), { status: 'UP', details: { sockets: Number, subscriptions: Number } });
  const { port } = new URL(liveUrl);
  let sockets: Socket[] = [];
  // A silent socket is closed after 10 s, which a busy machine may need until it is looked at.
  const connectAll = (): void => {
    sockets = sockets.filter(({ destroyed }) => !destroyed);
    while (sockets.length < LIVE_SOCKETS) sockets.push(connect(Number(port), '127.0.0.1').on('error', () => {}));
  };
  const full = await until('it is said', BACK_WITHIN_MS, async () => {
    connectAll();
    const live = await health('/live');
    return live.status === 'OUT_OF_SERVICE' ? live : undefined;
  });
  t.match(full.details, { connections: 64, maxConnections: 64 });
  t.ok(Number(full.details['refusedLastMinute']) >= LIVE_SOCKETS - 64, 'those beyond are counted');
  t.equal((await health('')).status, 'UP');
  for (const socket of sockets) socket.destroy();
  await until('it is UP again', BACK_WITHIN_MS, async () =>
    (await health('/live')).status === 'UP' ? true : undefined,
  );
});

void test('a burst of connections beyond all descriptors: everybody is served again', async (t) => {
  const service = await Service.prepare();
  t.teardown(() => service.remove());
  service.launchOptions = { before: `ulimit -n ${OPEN_FILES}` };
  await service.up();
  const { rateUrl, reservationUrl, liveUrl } = service.dev;
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
  const { reservationId } = await property.booked();
  const sockets = [rateUrl, reservationUrl, liveUrl].flatMap((url) =>
    Array.from({ length: BURST }, () => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})),
  );
  await pause(4_000);
  for (const socket of sockets) socket.destroy();
  await booksAgain(t, property);
  for (const url of [rateUrl, reservationUrl, liveUrl])
    await until(`${url} answers`, BACK_WITHIN_MS, async () => {
      const answer = await service.call('GET', `${url}/actuator/health/liveness`).catch(() => undefined);
      return answer?.status === 200 ? true : undefined;
    });
  t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
});

void test('a log that nobody reads stops nothing, not even the end', async (t) => {
  const service = await Service.prepare({ LOG_LEVEL: 'debug', RATE_LIMIT_ADDRESS: '0' });
  t.teardown(() => service.remove());
  service.launchOptions = { unread: true };
  await service.up();
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
  const lane = async (): Promise<void> => {
    for (let n = 0; n < CHATTER / 8; n += 1) await service.reservations('GET', '/nothing');
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await booksAgain(t, property);
  t.equal((await service.terminate()).code, 0);
});

void test('demo data that cannot be put there stops no start, and comes when it can', async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
  const url = embeddedDatabaseUrl(service.dataDir);
  await query(
    url,
    `create function poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
     create trigger poison before insert on tenants for each row execute function poison()`,
  );
  await service.killHard();
  await service.up();
  const health = (): Promise<{ json: { status: string } }> =>
    service.call('GET', `${service.dev.rateUrl}/actuator/health/sampleData`);
  t.match((await health()).json, { status: 'DOWN' });
  t.match(service.output, /the demo data could not be put there; the service goes on/);
  await booksAgain(t, property);
  await query(embeddedDatabaseUrl(service.dataDir), 'drop trigger poison on tenants; drop function poison()');
  await until('the demo data is there', BACK_WITHIN_MS * 2, async () =>
    (await health()).json.status === 'UP' ? true : undefined,
  );
  await addsUp(t, property, 0, 60);
});
