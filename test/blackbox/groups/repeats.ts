import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { until } from '../waiting.ts';

/** One key has at most one effect, and one idempotency record (docs/reference/api.md#idempotency). */
export async function repeats(group: Test, service: Service): Promise<void> {
  const create = (body: unknown, key: string, more: CallOptions = {}) =>
    service.reservations('POST', '', { body, headers: { 'idempotency-key': key }, ...more });

  await group.test('the same create again has the same answer and books nothing', async (t) => {
    const property = await BlackboxProperty.open(service);
    const body = property.wish();
    const key = randomUUID();
    const first = await create(body, key);
    t.equal(first.status, 201);
    t.notOk(first.headers['idempotency-replayed']);
    const again = await create(body, key);
    t.equal(again.status, 201);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal(again.headers.location, first.headers.location);
    t.same(await property.left(30, 2), [2, 2]);
    t.equal((await property.reservations()).length, 1);
  });
  await group.test('the same key with another body is refused', async (t) => {
    const property = await BlackboxProperty.open(service);
    const key = randomUUID();
    t.equal((await create(property.wish(), key)).status, 201);
    isProblem(t, await create(property.wish(), key), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    t.equal((await property.reservations()).length, 1);
  });
  await group.test('the same key of another subject is another key', async (t) => {
    const property = await BlackboxProperty.open(service);
    const key = randomUUID();
    t.equal((await create(property.wish(), key)).status, 201);
    const other = await create(property.wish(), key, { role: 'MANAGER' });
    t.equal(other.status, 201);
    t.notOk(other.headers['idempotency-replayed']);
  });
  await group.test('of many at once with one key one books, the others wait or get its answer', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 50 } });
    const body = property.wish({ card: 'tok_slow' });
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, key)));
    for (const answer of answers) {
      if (answer.status === 201) continue;
      isProblem(t, answer, 409, { code: 'IDEMPOTENCY_IN_PROGRESS' });
      t.equal(answer.headers['retry-after'], '1');
    }
    const booked = answers.filter(({ status }) => status === 201);
    t.ok(booked.length >= 1);
    t.equal(new Set(booked.map(({ text }) => text)).size, 1);
    t.equal((await property.reservations()).length, 1);
    t.same(await property.left(30, 2), [49, 49]);
  });
  await group.test('an error that the actor decided is recorded, one for wrong fields is not', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
    const sold = await property.booked();
    const wanted = property.wish();
    const key = randomUUID();
    isProblem(t, await create(wanted, key), 409, { code: 'ROOM_NOT_AVAILABLE' });
    await service.reservations('DELETE', `/${sold.reservationId}`);
    const again = await create(wanted, key);
    isProblem(t, again, 409, { code: 'ROOM_NOT_AVAILABLE' });
    t.equal(again.headers['idempotency-replayed'], 'true');
    const second = randomUUID();
    isProblem(t, await create(property.wish({ stay: { adults: 0 } }), second), 400);
    t.equal((await create(property.wish(), second)).status, 201, 'the key is still free');
  });
  await group.test('a cancellation and a change of prices are repeated by their key too', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await service.reservations('DELETE', `/${reservationId}`, { headers });
    const again = await service.reservations('DELETE', `/${reservationId}`, { headers });
    t.same([first.status, again.status], [200, 200]);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await service.reservations('DELETE', `/${reservationId}`), 409, { code: 'INVALID_STATE' });
    const body = {
      propertyId: property.propertyId,
      roomType: 'DLX',
      effectiveDate: property.day(5),
      endDate: property.day(11),
      rates: [{ dayOfWeek: 'MONDAY', rate: 77 }],
    };
    const key = { 'idempotency-key': randomUUID() };
    const put = await service.rates('PUT', '/base', { body, headers: key });
    const same = await service.rates('PUT', '/base', { body, headers: key });
    t.equal(put.status, 200);
    t.equal(same.text, put.text);
    t.equal(same.headers['idempotency-replayed'], 'true');
  });
  await group.test('what is set up is answered again to the letter, a deleted property too', async (t) => {
    const propertyId = `repeat-${randomUUID().slice(0, 8)}`;
    const path = `/properties/${propertyId}`;
    const type = { roomType: 'STD', name: 'Standard', maxAdults: 2, maxChildren: 1, maxGuests: 3, totalRooms: 2 };
    const writes: [string, string, unknown?][] = [
      ['POST', '/properties', propertyBody(propertyId)],
      ['POST', `${path}/room-types`, type],
      ['PUT', `${path}/room-types/STD`, { ...type, name: 'Other' }],
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ];
    for (const [method, to, body] of writes) {
      const headers = { 'idempotency-key': randomUUID() };
      const ask = (url: string) => service.tenants(method, url, { body, headers });
      const first = await ask(to);
      const again = await ask(to);
      t.ok(first.status < 300, `${method} ${to}: ${first.text}`);
      t.same([again.status, again.text], [first.status, first.text], `${method} ${to}`);
      t.equal(again.headers['idempotency-replayed'], 'true');
      isProblem(t, await ask(`${to}?other=1`), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    }
    must(await service.tenants('DELETE', path), 200);
    const unknown = { headers: { 'idempotency-key': randomUUID() } };
    isProblem(t, await service.tenants('DELETE', path, unknown), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await service.tenants('DELETE', '/properties/never-there', unknown), 404);
  });
  await group.test('a job requested under a key is done once, and the key is good for nothing else', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { propertyId } = property;
    const optimizationPeriod = { startDate: property.day(20), endDate: property.day(30) };
    const asked: [string, unknown][] = [
      ['/admin/rates/recalculate', { propertyId }],
      ['/admin/competitor-sync/refresh', undefined],
      ['/rates/yield-optimization', { propertyId, optimizationPeriod, objectives: { primary: 'MAXIMIZE_REVENUE' } }],
    ];
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?limit=200`;
    for (const [path, body] of asked) {
      const headers = { 'idempotency-key': randomUUID(), 'x-request-id': `asked-${randomUUID()}` };
      const ask = (to = path) => service.call('POST', `${service.dev.rateUrl}/api/v1${to}`, { body, headers });
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));
      const [first, ...others] = answers.filter(({ status }) => status < 300);
      t.ok(first, path);
      for (const { text } of others) t.equal(text, first!.text);
      t.ok(answers.every(({ status }) => status === first?.status || status === 409));
      const again = await until('the first has ended', 10_000, async () => {
        const answer = await ask();
        return answer.status === 409 ? undefined : answer;
      });
      t.equal(again.headers['idempotency-replayed'], 'true');
      isProblem(t, await ask(`${path}?other=1`), 422, { code: 'IDEMPOTENCY_MISMATCH' });
      isProblem(t, await property.book({}, { headers, role: 'ADMIN' }), 422, { code: 'IDEMPOTENCY_MISMATCH' });
      const { items } = must(await service.call<Page<{ requestId: string }>>('GET', trail), 200).json;
      t.equal(items.filter(({ requestId }) => requestId === headers['x-request-id']).length, 1, 'on record once');
    }
  });
}
