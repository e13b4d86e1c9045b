import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, someone } from '../property.ts';
import type { Service } from '../service.ts';
import type { Page, Reservation } from '../shapes.ts';

/** Lists: pages, order, filters (docs/reference/api.md#lists). */
export async function lists(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
  const guest = someone();
  const booked: Reservation[] = [];
  for (let from = 30; from < 42; from += 1)
    booked.push(await property.booked({ from, guest: from === 35 ? guest : {} }));
  const ids = booked.map(({ reservationId }) => reservationId);
  const list = async (query: string): Promise<Page<Reservation>> => {
    const path = `?propertyId=${property.propertyId}${query}`;
    return must(await service.reservations<Page<Reservation>>('GET', path), 200).json;
  };
  await group.test('pages follow each other newest first, without a gap or a repeat', async (t) => {
    const seen: string[] = [];
    let path = `?propertyId=${property.propertyId}&limit=5`;
    for (let pages = 1; path !== ''; pages += 1) {
      const answer = must(await service.reservations<Page<Reservation>>('GET', path), 200);
      seen.push(...answer.json.items.map(({ reservationId }) => reservationId));
      const { nextCursor } = answer.json;
      t.equal(answer.json.items.length, pages < 3 ? 5 : 2);
      if (nextCursor) t.match(answer.headers.link, /rel="next"/);
      else t.notOk(answer.headers.link);
      path = nextCursor ? `?propertyId=${property.propertyId}&limit=5&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    t.same(seen, ids.toReversed());
  });
  await group.test('a booking made meanwhile does not shift the next page', async (t) => {
    const first = await list('&limit=4');
    await property.booked({ from: 60 });
    const second = await list(`&limit=4&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    t.same(
      [...first.items, ...second.items].map(({ reservationId }) => reservationId),
      ids.toReversed().slice(0, 8),
    );
  });
  await group.test('filters hold together', async (t) => {
    const only = async (query: string) => (await list(query)).items.map(({ reservationId }) => reservationId).sort();
    t.same(await only(`&arrivalFrom=${property.day(33)}&arrivalTo=${property.day(35)}`), ids.slice(3, 6).sort());
    t.same(await only(`&departureFrom=${property.day(33)}&departureTo=${property.day(33)}`), ids.slice(1, 2));
    t.same(await only(`&inHouseOn=${property.day(36)}`), ids.slice(5, 7).sort());
    t.same(await only(`&email=${encodeURIComponent(guest.email)}`), ids.slice(5, 6));
    t.same(await only(`&confirmationNumber=${booked[2]?.confirmationNumber}`), ids.slice(2, 3));
    t.same(await only(`&status=CANCELLED`), []);
    await service.reservations('DELETE', `/${ids[0]}`);
    t.same(await only(`&status=CANCELLED`), ids.slice(0, 1));
    t.same(await only(`&status=CANCELLED&arrivalFrom=${property.day(31)}`), []);
    t.same(await only(`&inHouseOn=${property.day(30)}`), [], 'who has cancelled will not be there');
  });
  await group.test('guest, channel, group and the time of the last change narrow a list too', async (t) => {
    const only = async (query: string) => (await list(query)).items.map(({ reservationId }) => reservationId);
    t.same(await only(`&guestId=${booked[5]?.guestInfo.guestId}`), ids.slice(5, 6));
    t.same(await only(`&guestId=${booked[5]?.guestInfo.guestId}&status=CANCELLED`), []);
    const agent = await property.booked({ from: 70, more: { source: { channel: 'OTA' } } });
    t.same(await only('&channel=OTA'), [agent.reservationId]);
    const blocks = [80, 81].map((n) => ({ roomType: 'DLX', date: property.day(n), rooms: 2, rate: 80 }));
    const party = { propertyId: property.propertyId, name: 'A wedding', blocks, cutoffDate: property.day(75) };
    const made = must(
      await service.reservations<{ groupId: string }>('POST', '/groups', { body: party, role: 'MANAGER' }),
      201,
    );
    const { groupId } = made.json;
    const cousin = await property.booked({ from: 80, nights: 2, more: { groupId } });
    t.same(await only(`&groupId=${groupId}`), [cousin.reservationId]);
    const changed = { modifications: { specialRequests: ['a quiet room'] } };
    const since = (await service.reservations<Reservation & { updatedAt: string }>('GET', `/${cousin.reservationId}`))
      .json.updatedAt;
    must(await service.reservations('PUT', `/${ids[3]}`, { body: changed }), 200);
    t.same(await only(`&updatedSince=${since}`), [cousin.reservationId, ids[3]]);
  });
  await group.test('the reservations of a tenant are below its path as well', async (t) => {
    const listed = must(
      await service.tenants<Page<Reservation>>('GET', `/reservations?propertyId=${property.propertyId}&limit=3`),
      200,
    );
    t.same(listed.json.items, (await list('&limit=3')).items);
    t.match(listed.headers.link, /^<\/api\/v1\/tenants\/demo\/reservations\?/);
    const body = property.wish({ from: 90 });
    const created = must(await service.tenants<Reservation>('POST', '/reservations', { body }), 201);
    const one = `/reservations/${created.json.reservationId}`;
    t.equal(created.headers.location, `/api/v1${one}`);
    const read = await service.tenants<Reservation>('GET', one);
    t.match(read, { status: 200, headers: { etag: '"1"' }, json: { status: 'CONFIRMED' } });
    const changed = { modifications: { stayDetails: { checkOut: property.day(93) } } };
    t.match(await service.tenants('PUT', one, { body: changed }), {
      status: 200,
      json: { changes: { nights: { to: 3 } } },
    });
    t.match(await service.tenants('DELETE', one), { status: 200, json: { status: 'CANCELLED' } });
    isProblem(t, await service.tenants('DELETE', one), 409, { code: 'INVALID_STATE' });
    const foreign = `${service.dev.reservationUrl}/api/v1/tenants/rival${one}`;
    isProblem(t, await service.call('GET', foreign), 403, { code: 'TENANT_FORBIDDEN' });
    isProblem(t, await service.tenants('GET', '/reservations?limit=0'), 400, { code: 'VALIDATION_FAILED' });
    isProblem(t, await service.tenants('POST', '/reservations', { body, role: 'VIEWER' }), 403, {
      code: 'ROLE_TOO_LOW',
    });
  });
  await group.test('a list carries the last entry of the timeline and their number', async (t) => {
    const { items } = await list('&status=CANCELLED');
    t.match(items, [{ timeline: [{ event: 'CANCELLED' }], timelineCount: Number }]);
    t.equal(items[0]?.timeline.length, 1);
  });
  await group.test('contact data is masked for a VIEWER', async (t) => {
    const seen = await service.reservations('GET', `/${ids[5]}`, { role: 'VIEWER' });
    t.equal(seen.status, 200);
    t.notMatch(seen.text, new RegExp(guest.email));
    const listed = await service.reservations('GET', `?propertyId=${property.propertyId}`, { role: 'VIEWER' });
    t.notMatch(listed.text, new RegExp(guest.email));
  });
}
