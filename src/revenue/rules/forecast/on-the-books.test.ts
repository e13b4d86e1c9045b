import fc from 'fast-check';
import t from 'tap';

import { type BookChange, OnTheBooks } from './on-the-books.ts';

const NIGHT = 100;

void t.test('a night is known as it was at the end of each day', async (t) => {
  const books = new OnTheBooks([
    { moment: 90, night: NIGHT, rooms: 3 },
    { moment: 95, night: NIGHT, rooms: -1 },
    { moment: 95, night: NIGHT, rooms: 2 },
  ]);
  t.same(
    [89, 90, 94, 95, 100, 500].map((moment) => books.known(NIGHT, moment)),
    [0, 3, 3, 4, 4, 4],
  );
  t.same(
    [94, 95, 500].map((moment) => books.calledOff(NIGHT, moment)),
    [0, 1, 1],
  );
  t.equal(books.known(NIGHT + 1, 500), 0);
});

void t.test('a booking cancelled on the same day is not known at its end', async (t) => {
  const books = new OnTheBooks([
    { moment: 90, night: NIGHT, rooms: 1 },
    { moment: 90, night: NIGHT, rooms: -1 },
  ]);
  t.equal(books.known(NIGHT, 90), 0);
});

void t.test('the books report their first night and moment, and know no night outside', async (t) => {
  const books = new OnTheBooks([{ moment: 90, night: NIGHT, rooms: 1 }], NIGHT + 5);
  t.same([books.firstMoment, books.firstNight], [90, NIGHT]);
  t.same(
    [NIGHT - 1, NIGHT, NIGHT + 5, NIGHT + 6].map((night) => books.knows(night)),
    [false, true, true, false],
  );
  const empty = new OnTheBooks([]);
  t.same([empty.firstMoment, empty.firstNight, empty.knows(NIGHT)], [Infinity, Infinity, false]);
});

void t.test('the books are the same for any order of changes', async (t) => {
  const change = fc.record({ moment: fc.integer({ min: 0, max: 12 }), rooms: fc.integer({ min: -3, max: 3 }) });
  const property = fc.property(
    fc.array(change, { maxLength: 30 }),
    fc.integer({ min: 0, max: 12 }),
    (list, moment) => {
      const changes: BookChange[] = list.map((one) => ({ ...one, night: NIGHT }));
      const until = changes.filter((one) => one.moment <= moment).map(({ rooms }) => rooms);
      const books = new OnTheBooks(changes);
      return (
        books.known(NIGHT, moment) === until.reduce((sum, rooms) => sum + rooms, 0) &&
        books.calledOff(NIGHT, moment) === until.reduce((sum, rooms) => sum + Math.max(0, -rooms), 0)
      );
    },
  );
  t.doesNotThrow(() => fc.assert(property));
});
