import type { Test } from 'tap';
import { House, must, someone } from '../house.ts';
import type { Service } from '../service.ts';
import type { Page, Reservation } from '../shapes.ts';

/** Lists: pages, order, filters (contracts.md 2 and 7). */
export async function lists(group: Test, service: Service): Promise<void> {
  const house = await House.open(service, { rooms: { DLX: 20 } });
  const guest = someone();
  const booked: Reservation[] = [];
  for (let from = 30; from < 42; from += 1)
    booked.push(await house.booked({ from, guest: from === 35 ? guest : {} }));
  const ids = booked.map(({ reservationId }) => reservationId);
  const list = async (query: string): Promise<Page<Reservation>> => {
    const path = `?propertyId=${house.propertyId}${query}`;
    return must(await service.reservations<Page<Reservation>>('GET', path), 200).json;
  };
  await group.test('pages follow each other newest first, without a gap or a repeat', async (t) => {
    const seen: string[] = [];
    let path = `?propertyId=${house.propertyId}&limit=5`;
    for (let pages = 1; path !== ''; pages += 1) {
      const answer = must(await service.reservations<Page<Reservation>>('GET', path), 200);
      seen.push(...answer.json.items.map(({ reservationId }) => reservationId));
      const { nextCursor } = answer.json;
      t.equal(answer.json.items.length, pages < 3 ? 5 : 2);
      if (nextCursor) t.match(answer.headers.link, /rel="next"/);
      else t.notOk(answer.headers.link);
      path = nextCursor ? `?propertyId=${house.propertyId}&limit=5&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    t.same(seen, ids.toReversed());
  });
  await group.test('a booking made meanwhile does not shift the next page', async (t) => {
    const first = await list('&limit=4');
    await house.booked({ from: 60 });
    const second = await list(`&limit=4&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    t.same(
      [...first.items, ...second.items].map(({ reservationId }) => reservationId),
      ids.toReversed().slice(0, 8),
    );
  });
  await group.test('filters hold together', async (t) => {
    const only = async (query: string) => (await list(query)).items.map(({ reservationId }) => reservationId).sort();
    t.same(await only(`&arrivalFrom=${house.day(33)}&arrivalTo=${house.day(35)}`), ids.slice(3, 6).sort());
    t.same(await only(`&departureFrom=${house.day(33)}&departureTo=${house.day(33)}`), ids.slice(1, 2));
    t.same(await only(`&inHouseOn=${house.day(36)}`), ids.slice(5, 7).sort());
    t.same(await only(`&email=${encodeURIComponent(guest.email)}`), ids.slice(5, 6));
    t.same(await only(`&confirmationNumber=${booked[2]?.confirmationNumber}`), ids.slice(2, 3));
    t.same(await only(`&status=CANCELLED`), []);
    await service.reservations('DELETE', `/${ids[0]}`);
    t.same(await only(`&status=CANCELLED`), ids.slice(0, 1));
    t.same(await only(`&status=CANCELLED&arrivalFrom=${house.day(31)}`), []);
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
    const listed = await service.reservations('GET', `?propertyId=${house.propertyId}`, { role: 'VIEWER' });
    t.notMatch(listed.text, new RegExp(guest.email));
  });
}
