import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';

import { placed } from '../hold.ts';
import { Launched } from '../launched.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

type Image = Record<string, unknown> | null;
type Entry = {
  at: string;
  userId: string;
  action: string;
  entity: string;
  entityId: string;
  propertyId: string | null;
  before: Image;
  after: Image;
  requestId: string;
  journal: string;
  seq: number;
  hash: string;
};

/** Who did what, when, by which request, over all journals of a tenant (docs/concepts/audit-trail.md#audit-trail). */
export async function auditTrail(group: Test, service: Service): Promise<void> {
  const root = `${service.dev.reservationUrl}/api/v1`;
  const read = <T = Page<Entry>>(query: string, options: CallOptions = {}) =>
    service.call<T>('GET', `${root}/admin/audit-trail${query}`, options);
  const entries = async (query: string): Promise<Entry[]> => must(await read(query), 200).json.items;
  const guests = <T>(method: string, path: string, options: CallOptions = {}) =>
    service.call<T>(method, `${root}/guests${path}`, { role: 'ADMIN', ...options });
  const keyed = (key: string, requestId: string) => ({
    headers: { 'idempotency-key': key, 'x-request-id': requestId },
  });

  const property = await BlackboxProperty.open(service);
  const { reservationId, guestInfo } = await property.booked();
  const list = `/properties/${property.propertyId}/services`;

  await group.test('who sells in spite of restrictions is listed with the reason', async (t) => {
    const other = await BlackboxProperty.open(service);
    const override = { reason: 'a friend of the owner' };
    const booked = must(await other.book({ more: { override } }, { role: 'MANAGER' }), 201).json;
    const made = (await entries(`?entity=${booked.reservationId}`)).find(
      ({ action }) => action === 'BOOK' || action === 'START_BOOKING',
    );
    t.match(made, { after: { override } });
  });

  await group.test('a booking and its cancellation say who, what, when and by which request', async (t) => {
    const requestId = `cancel-${reservationId.slice(0, 8)}`;
    must(await service.reservations('DELETE', `/${reservationId}`, { headers: { 'x-request-id': requestId } }), 200);
    const all = await entries(`?entity=${reservationId}`);
    const at = all.findIndex(({ action }) => action === 'CANCEL');
    const [cancel, ...before] = all.slice(at);
    t.match(cancel, {
      action: 'CANCEL',
      entity: 'reservation',
      entityId: reservationId,
      propertyId: property.propertyId,
      requestId,
      journal: 'PROPERTY',
      after: { bookings: [{ event: 'CANCELLED', reservationId, status: 'CANCELLED' }] },
    });
    t.ok(Math.abs(Date.parse(cancel!.at) - Date.now()) < 120_000);
    t.ok(before.length > 0, 'with what came before');
    t.match(before.at(-1)?.after, { bookings: [{ event: 'HELD' }] });
    const mine = await entries(`?entity=${reservationId}&subject=${cancel!.userId}`);
    t.ok(mine.length > 0 && mine.every(({ userId }) => userId === cancel!.userId));
  });

  await group.test(
    'a change of a reservation says what it was; of a person only that something differs',
    async (t) => {
      const other = await property.booked({ from: 12, nights: 2 });
      const modifications = { stayDetails: { nights: 3 }, guestInfo: { phone: '+351 900 000 000' } };
      must(await service.reservations('PUT', `/${other.reservationId}`, { body: { modifications } }), 200);
      const change = (await entries(`?entity=${other.reservationId}`)).find(({ action }) => action === 'MODIFY');
      t.match(change!.before, { changes: { nights: 2, checkOut: property.day(14), phone: 'PERSONAL' } });
      t.match(change!.after, { changes: { nights: 3, checkOut: property.day(15), phone: 'PERSONAL' } });
      t.notMatch(JSON.stringify(change), /900 000/);
    },
  );

  await group.test('holds, stays that begin and end, and their rooms say what they were', async (t) => {
    const at = `/properties/${property.propertyId}/rooms`;
    must(await service.tenants('POST', at, { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } }), 201);
    const { holdId } = await placed(property);
    must(await service.reservations('POST', `/holds/${holdId}/extend`), 200);
    must(await service.reservations('DELETE', `/holds/${holdId}`), 200);
    const [released, extended, made] = await entries(`?entity=${holdId}`);
    t.equal(made!.before, null);
    t.match(extended!.before, { holds: [{ holdId, rooms: 1, expiresAt: String }] });
    t.match(released!.before, extended!.after && { holds: [{ holdId, rooms: 1 }] });

    const gone = await property.booked();
    must(await service.reservations('DELETE', `/${gone.reservationId}`), 200);
    const ended = await until('the refund is sent', 10_000, async () => {
      const found = await entries(`?entity=${gone.reservationId}`);
      return found.some(({ action }) => action === 'SETTLE_REFUND') ? found : undefined;
    });
    const cancelled = ended.find(({ action }) => action === 'CANCEL');
    t.match(cancelled?.before, { changes: { status: 'CONFIRMED', paidAmount: 200 } });
    t.match(cancelled?.after, { changes: { status: 'CANCELLED', paidAmount: 0 } });
    const settled = ended.find(({ action }) => action === 'SETTLE_REFUND');
    t.match(settled?.before, { payments: [{ status: 'PROCESSING' }] });
    t.match(settled?.after, { payments: [{ type: 'REFUND', amount: 200, status: 'COMPLETED' }] });

    const { reservationId: staying } = await property.booked({ from: 0, nights: 1 });
    const identified = { identificationVerified: true, keyCards: 1 };
    must(await service.reservations('POST', `/${staying}/checkin`, { body: identified }), 200);
    must(await service.reservations('POST', `/${staying}/checkout`, { body: {} }), 200);
    const stay = await entries(`?entity=${staying}`);
    const room = (status: string) => [{ kind: 'room', id: '101', value: { status } }];
    t.match(stay.find(({ action }) => action === 'CHECK_IN')?.before, {
      changes: { status: 'CONFIRMED', roomNumber: null },
      changed: room('AVAILABLE'),
    });
    const left = stay.find(({ action }) => action === 'CHECK_OUT');
    t.match(left?.before, { changes: { status: 'CHECKED_IN' }, changed: room('OCCUPIED') });
    t.match(left?.after, { changes: { status: 'CHECKED_OUT' }, changed: room('DIRTY') });
  });

  await group.test(
    'who is given which role stands there, when is said once, of a name only that it differs',
    async (t) => {
      const owner = (method: string, path: string, body: unknown) =>
        service.tenants<{ userId: string }>(method, path, { role: 'OWNER', body });
      const subject = `told-${property.propertyId}`;
      const { userId } = must(await owner('POST', '/users', { subject, name: 'Nora Named' }), 201).json;
      must(await owner('PUT', `/users/${userId}`, { name: 'Nora Renamed' }), 200);
      must(await owner('POST', '/associations', { userId, role: 'STAFF' }), 201);
      must(await owner('PUT', `/associations/${userId}`, { role: 'MANAGER' }), 200);
      const rows = await entries(`?entity=${userId}`);
      t.same(
        rows.map(({ before, after }) => ({ before, after })),
        [
          { before: { id: userId, role: 'STAFF' }, after: { id: userId, role: 'MANAGER' } },
          { before: null, after: { id: userId, role: 'STAFF' } },
          { before: rows[2]!.before, after: { ...rows[2]!.before, changed: ['name'] } },
          { before: null, after: rows[2]!.before },
        ],
      );
      t.notMatch(JSON.stringify(rows), /Nora/);
    },
  );

  await group.test('prices say what they were and what they are', async (t) => {
    must(await property.price('STD', 5, 1, 150), 200);
    const change = (await entries('?entity=rates')).find((one) => one.propertyId === property.propertyId);
    const date = property.day(5);
    const roomType = 'STD';
    t.match(change, {
      action: 'SET_BASE_RATES',
      before: { rates: [{ roomType, date, rate: 100 }] },
      after: { rates: [{ roomType, date, rate: 150 }], cells: [{ roomType, date, rate: 150 }] },
    });
  });

  await group.test('what is set up says what it was', async (t) => {
    const at = `/properties/${property.propertyId}`;
    const nights = { roomType: 'STD', startDate: property.day(8), endDate: property.day(10) };
    must(await service.tenants('PUT', `${at}/inventory`, { body: { ...nights, blockedRooms: 1 } }), 200);
    must(await service.tenants('PUT', `${at}/inventory`, { body: { ...nights, blockedRooms: 2 } }), 200);
    const body = { roomType: 'STD', name: 'Standard', maxAdults: 2, maxChildren: 1, maxGuests: 3, totalRooms: 4 };
    must(await service.tenants('PUT', `${at}/room-types/STD`, { body }), 200);
    const ours = async (entity: string) =>
      (await entries(`?entity=${entity}`)).filter(({ propertyId }) => propertyId === property.propertyId);
    const [inventory] = await ours('inventory');
    t.match(inventory!.before, {
      changed: [{ kind: 'inventory', value: [{ start: property.day(8), end: property.day(10), blockedRooms: 1 }] }],
    });
    t.match(inventory!.after, { changed: [{ value: { blockedRooms: 2 } }] });
    const [roomType] = await ours('roomType');
    t.match(roomType!.before, { changed: [{ kind: 'roomType', id: 'STD', value: { name: 'Type STD' } }] });
    t.match(roomType!.after, { changed: [{ value: { name: 'Standard' } }] });
  });

  await group.test('requests for jobs, and cache flushes, are on record', async (t) => {
    const requestId = `flush-${randomUUID().slice(0, 8)}`;
    const { headers } = keyed(randomUUID(), requestId);
    const flushed = () =>
      service.call<Image>('DELETE', `${service.dev.rateUrl}/api/v1/admin/cache/rates`, { headers });
    const first = must(await flushed(), 200);
    const again = must(await flushed(), 200);
    t.same(again.json, first.json);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal((await entries('?entity=cache')).filter((one) => one.requestId === requestId).length, 1);
    const refresh = `${service.dev.rateUrl}/api/v1/admin/competitor-sync/refresh`;
    const { jobId } = must(await service.call<{ jobId: string }>('POST', refresh), 202).json;
    t.match(await entries(`?entity=${jobId}`), [{ entity: 'job', action: 'REFRESH_COMPETITORS' }]);
  });

  await group.test('an optimization names its requester', async (t) => {
    const body = {
      propertyId: property.propertyId,
      optimizationPeriod: { startDate: property.day(20), endDate: property.day(30) },
      objectives: { primary: 'MAXIMIZE_REVENUE' },
    };
    const { json } = must(
      await service.rates<{ optimizationId: string }>('POST', '/yield-optimization', { body }),
      200,
    );
    t.match(await entries(`?entity=${json.optimizationId}`), [
      {
        action: 'CREATED',
        entity: 'optimization',
        before: null,
        after: { propertyId: property.propertyId, startDate: property.day(20), objective: 'MAXIMIZE_REVENUE' },
      },
    ]);
  });

  await group.test('an extra and a guest are changed once under a key, and that is on record', async (t) => {
    const key = randomUUID();
    const requestId = `extra-${property.propertyId}`;
    const put = (price: number, under = key) =>
      service.tenants('PUT', `${list}/SPA`, { body: { name: 'Spa', price }, ...keyed(under, requestId) });
    const first = must(await put(20), 200);
    const again = must(await put(20), 200);
    t.equal(first.headers['idempotency-replayed'], undefined);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal(again.text, first.text);
    isProblem(t, await put(21), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    must(await put(30, randomUUID()), 200);
    const id = encodeURIComponent(`${property.propertyId}/SPA`);
    t.match(await entries(`?entity=${id}`), [
      { action: 'CHANGED', entity: 'service', before: { price: 20 }, after: { price: 30 }, requestId },
      { action: 'CREATED', before: null, after: { name: 'Spa', price: 20 }, journal: 'ADMINISTRATION' },
    ]);
    t.equal((await entries(`?entity=${id}`)).length, 2);

    const phone = '+351 210 000 001';
    const change = () =>
      guests('PUT', `/${guestInfo.guestId}`, { body: { phone }, ...keyed(`phone-${key}`, requestId) });
    const changed = must(await change(), 200);
    const repeated = must(await change(), 200);
    t.equal(repeated.headers['idempotency-replayed'], 'true');
    t.equal(repeated.text, changed.text);
    const ofGuest = await entries(`?entity=${guestInfo.guestId}`);
    t.match(ofGuest, [{ action: 'CHANGED', entity: 'guest', after: { phone } }]);
    t.same(Object.keys(ofGuest[0]!.before!), ['phone']);

    must(await guests('DELETE', `/${guestInfo.guestId}`), 200);
    t.match(await entries(`?entity=${guestInfo.guestId}`), [
      { action: 'ERASED', before: null, after: null },
      { action: 'CHANGED', before: { erased: true }, after: { erased: true } },
    ]);
    t.notMatch((await read(`?entity=${reservationId}`)).text, guestInfo.lastName, 'nor does a booking name him');
  });

  await group.test('pages follow each other, newest first, and only with their own filter', async (t) => {
    const whole = (await entries('?limit=200')).filter(({ propertyId }) => propertyId === property.propertyId);
    const seqs = whole.map(({ seq }) => seq);
    t.same(
      seqs,
      seqs.toSorted((a, b) => b - a),
    );
    const first = must(await read('?limit=2&entity=reservation'), 200);
    t.equal(first.json.items.length, 2);
    t.match(first.headers.link, /rel="next"/);
    const cursor = encodeURIComponent(first.json.nextCursor!);
    const second = must(await read(`?limit=2&entity=reservation&cursor=${cursor}`), 200).json.items;
    t.notOk(second.some(({ hash }) => first.json.items.some((one) => one.hash === hash)));
    isProblem(t, await read(`?limit=2&cursor=${cursor}`), 400, { code: 'VALIDATION_FAILED' });
  });

  await group.test('days and moments bound it; what matches nothing is an empty list', async (t) => {
    const tomorrow = property.day(2);
    for (const query of ['?subject=nobody', '?entity=nothing', `?from=${tomorrow}`, '?to=2001-01-01'])
      t.match((await read(query)).json, { items: [], nextCursor: null }, query);
    t.ok((await entries(`?from=${property.day(-1)}&to=${tomorrow}`)).length > 0);
    t.ok((await entries(`?from=${property.day(-1)}T00:00:00Z`)).length > 0);
    for (const query of ['from=yesterday', 'to=2026-02-30', 'from=2027-01-02&to=2027-01-01', 'limit=0', 'limit=201'])
      isProblem(t, await read(`?${query}`), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await read('?format=pdf'), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await read('?format=csv&limit=1001'), 400, { code: 'VALIDATION_FAILED' });
  });

  await group.test('the export has the same entries, and no formula', async (t) => {
    const named = `${list}/FORMULA`;
    must(await service.tenants('PUT', named, { body: { name: '=HYPERLINK("http://x")', price: 1 } }), 200);
    const id = `?entity=${encodeURIComponent(`${property.propertyId}/FORMULA`)}`;
    const csv = await read(id, { headers: { accept: 'text/csv' } });
    t.match(csv.headers['content-type'], /^text\/csv/);
    t.match(csv.headers['content-disposition'], /attachment; filename="audit-trail\.csv"/);
    const [head, line, ...rest] = csv.text.split('\r\n');
    t.match(head, /^at,userId,action,entity,entityId,propertyId,before,after,requestId/);
    t.match(line, /CREATED,service,/);
    t.notMatch(csv.text, /(^|,)"?[=+@-]/m);
    t.same(rest, ['']);
    const ndjson = await read('?format=ndjson&entity=reservation&limit=3');
    t.match(ndjson.headers['content-type'], /ndjson/);
    const lines = ndjson.text.trimEnd().split('\n');
    t.same(
      lines.map((one) => JSON.parse(one)),
      await entries('?entity=reservation&limit=3'),
    );
    t.ok(ndjson.headers['x-next-cursor'], 'where there is more, it says where to go on');
  });

  await group.test('the tools beside the service verify every chain, and export a tenant', async (t) => {
    const run = async (script: string, args: string[] = []) => {
      const tool = new Launched({ ...service.env, DATA_DIR: service.dataDir }, script, args);
      return { code: await tool.exited, output: tool.output };
    };
    t.match(await run('audit:verify'), { code: 0, output: /administration of \d+ tenants.*every chain is whole/ });
    const folder = join(service.dataDir, 'exported');
    const exported = await run('export', ['--', '--tenant', 'rival', '--to', folder]);
    t.match(exported, { code: 0, output: /rows of \d+ tables in/ });
    const { files } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      files: { file: string }[];
    };
    const texts = files.map(({ file }) => readFileSync(join(folder, file), 'utf8'));
    t.ok(texts.some((text) => text.includes('rival-inn')));
    t.notOk(texts.some((text) => text.includes('"tenant_id":"demo"')));
    t.match(await run('export', ['--', '--tenant', 'nobody']), { code: 1, output: /there is no tenant nobody/ });
  });

  await group.test('it is for administrators of the tenant alone', async (t) => {
    for (const role of ['VIEWER', 'STAFF', 'MANAGER'] as const)
      isProblem(t, await read('', { role }), 403, { code: 'ROLE_TOO_LOW' });
    t.equal((await read('', { role: 'OWNER' })).status, 200);
    const theirs = must(await read('?limit=200', { tenant: 'rival' }), 200);
    t.notMatch(theirs.text, property.propertyId);
    t.match((await read(`?entity=${reservationId}`, { tenant: 'rival' })).json, { items: [] });
  });
}
