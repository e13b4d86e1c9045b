import t from 'tap';

import { JournalHistory } from '../../testing/actors/journal-history.ts';
import { withArchive } from '../../testing/archive.ts';
import { PastGrid } from '../rules/past-grid.ts';
import { type LookedBack, lookBack } from './look-back.ts';

const DAY_MS = 86_400_000;
const FOREVER = Number.MAX_SAFE_INTEGER;

const world = await withArchive(t);
const property = await JournalHistory.of(world.store, Date.now() - 20 * DAY_MS);
await property.sell(12);
await property.live(Date.now() - DAY_MS, 120, 7);
const { to, pages, scene } = property;
const services = world.servicesOf(property);

const byNumber = (a: { roomNumber: string }, b: { roomNumber: string }): number =>
  a.roomNumber < b.roomNumber ? -1 : 1;

/** Everything that a dashboard shows of a moment. */
function shown({ grid }: LookedBack): unknown {
  const past = new PastGrid(grid);
  const rooms = past.rooms.toSorted(byNumber);
  return { property: past.property, cells: past.cells(0, FOREVER), rooms, books: grid.books };
}

t.test('every instant shows what the actor showed, however one came there', async (t) => {
  let before: LookedBack | undefined;
  for (const { at } of pages) {
    const { seq, view } = property.at(at)!;
    const { businessDate, currency, books, setup } = view;
    const rooms = setup.rooms.map(({ roomNumber, roomType, status, reservationId }) => {
      return { roomNumber, roomType, status, reservationId };
    });
    const wanted = JSON.stringify({
      property: { businessDate, currency },
      cells: view.grid(0, FOREVER),
      rooms: rooms.toSorted(byNumber),
      books: books.map(({ day, revenue, pickup, cancelled }) => [day, revenue, pickup, cancelled]),
    });
    const jumped = await lookBack(services, to, at);
    const played = await lookBack(services, to, at, before);
    if (jumped.seq !== seq || played.seq !== seq) t.fail(`${jumped.seq} and ${played.seq} are not ${seq}`);
    if (JSON.stringify(shown(jumped)) !== wanted) t.fail(`${seq} is another house`);
    if (JSON.stringify(shown(played)) !== wanted) t.fail(`${seq} is another house when it is played`);
    before = played;
  }
  const booked = pages.filter(({ view }) => view.books.some(({ revenue }) => revenue > 0));
  t.ok(booked.length > 10, `${pages.length} moments, ${booked.length} with revenue on the books`);
  const again = await lookBack(services, to, pages.at(-1)!.at, before);
  t.equal(again, before, 'nothing has happened since');
});

t.test('a caller that steps forward reads only the rows since', async (t) => {
  const [early, late] = [pages[60]!, pages[70]!];
  const read: number[] = [];
  const spying = {
    ...services,
    computer: {
      run: async (_: never, fold: { rows: { seq: number }[] }) => (
        read.push(...fold.rows.map(({ seq }) => seq)),
        services.computer.run('foldJournal', fold as never)
      ),
    },
  } as unknown as typeof services;
  const before = await lookBack(services, to, early.at);
  await lookBack(spying, to, late.at, before);
  t.ok(read[0]! > before.seq, `from ${read[0]}`);
  read.length = 0;
  await lookBack(spying, to, early.at, { ...before, generation: before.generation + 1 });
  t.equal(read[0], 1, 'history has been rewound: nothing of it counts');
});

t.test('an instant that has not come, or at which there was nothing, is refused', async (t) => {
  await t.rejects(lookBack(services, to, scene.now + 1), { code: 'VALIDATION_FAILED' });
  await t.rejects(lookBack(services, to, pages[0]!.at - 1_000), { code: 'INSUFFICIENT_DATA' });
  await t.rejects(lookBack(services, { ...to, tenantId: 'rival' }, scene.now), { code: 'PROPERTY_NOT_FOUND' });
});

t.test('bookings have the names of their reservations', async (t) => {
  const { recent } = await lookBack(services, to, scene.now);
  t.ok(recent.length > 0 && recent.length <= 50);
  t.same(
    recent.map(({ seq }) => seq),
    recent.map(({ seq }) => seq).toSorted((a, b) => a - b),
  );
  const { rows } = await world.test.admin.query<{ id: string; name: string }>(
    `select id, details -> 'guest' ->> 'firstName' || ' ' || (details -> 'guest' ->> 'lastName') as name from reservations`,
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const named = recent.filter(({ guestName }) => guestName !== undefined);
  t.ok(named.length > 0);
  for (const { entity, guestName } of named.filter((entry) => names.has(entry.entity)))
    t.equal(guestName, names.get(entity));
});
