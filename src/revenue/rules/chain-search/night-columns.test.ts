import t from 'tap';

import { Random } from '../../../kernel/rules/random.ts';
import type { SearchedNight } from '../../../rates/rules/queries.ts';
import { type BoundedSlot, type ColumnQuery, maskOf, NightColumns } from './night-columns.ts';
import { PARTY_CLASSES } from './party-class.ts';

const FIRST = 20_000;
const NIGHTS = 40;

const NOTHING: SearchedNight = { isFree: false, least: undefined };

/** The same as columns, as a list of nights for each slot. */
class NaiveColumns {
  readonly slots: Map<number, SearchedNight>[] = [];

  write(slot: number, first: number, nights: readonly SearchedNight[]): void {
    const known = (this.slots[slot] ??= new Map());
    nights.forEach((night, index) => known.set(first + index, night));
  }

  cheapest(query: ColumnQuery): BoundedSlot[] {
    const { checkIn, checkOut, partyClass, mask, most = Infinity, after, limit } = query;
    const found: BoundedSlot[] = [];
    this.slots.forEach((nights, slot) => {
      if (!(mask[slot >>> 5]! & (1 << (slot & 31)))) return;
      let bound = 0;
      for (let day = checkIn; day < checkOut; day++) {
        const { isFree, least } = nights.get(day) ?? NOTHING;
        if (!isFree || !least) return;
        bound += least[partyClass]!;
      }
      const isBehind = !after || bound > after.bound || (bound === after.bound && slot > after.slot);
      if (bound <= most && isBehind) found.push({ slot, bound });
    });
    return found.toSorted((a, b) => a.bound - b.bound || a.slot - b.slot).slice(0, limit);
  }
}

function someNights(random: Random, most: number): SearchedNight[] {
  const varies = random.chance(0.2);
  return Array.from({ length: random.between(1, most) }, () => {
    const price = random.between(1, 30) * 100;
    const least = Array.from({ length: PARTY_CLASSES }, (_, index) => (varies ? price + index * 7 : price));
    return { isFree: random.chance(0.9), least: random.chance(0.95) ? least : undefined };
  });
}

void t.test('columns answer as a list of nights does, whatever is written, emptied and dropped', (t) => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const columns = new NightColumns(FIRST);
    const naive = new NaiveColumns();
    const slots = random.pick([3, 40, 300, 700]);
    let first = FIRST;
    for (let step = 0; step < 150; step++) {
      const slot = random.between(0, slots - 1);
      const from = random.between(first - 3, FIRST + NIGHTS);
      const nights = someNights(random, 20);
      const what = random.next();
      if (what < 0.9) {
        columns.reserve(slot, from + nights.length);
        columns.write(slot, from, nights);
        naive.write(slot, from, nights);
      } else if (what < 0.94) {
        columns.clear(slot);
        naive.slots[slot] = new Map();
      } else if (what < 0.98) {
        const known = naive.slots[slot]?.get(from);
        columns.setFree(slot, from, false);
        if (known) naive.slots[slot]!.set(from, { ...known, isFree: false });
      } else columns.advance((first += 1));
      const checkIn = random.between(first, FIRST + NIGHTS);
      const query: ColumnQuery = {
        checkIn,
        checkOut: checkIn + random.between(1, 6),
        partyClass: random.between(0, PARTY_CLASSES - 1),
        mask: maskOf(
          columns.words,
          Array.from({ length: slots }, (_, one) => one).filter(() => random.chance(0.9)),
        ),
        limit: random.pick([1, 3, 50]),
        ...(random.chance(0.3) && { most: random.between(100, 8_000) }),
        ...(random.chance(0.3) && {
          after: { slot: random.between(0, slots), bound: random.between(1, 60) * 100 },
        }),
      };
      const isInside = query.checkOut <= columns.first + columns.nights;
      const expected = isInside ? naive.cheapest(query) : [];
      const found = columns.cheapest(query);
      if (JSON.stringify(found) === JSON.stringify(expected)) continue;
      t.same(found, expected, `seed ${seed}, step ${step}`);
      return t.end();
    }
  }
  t.pass('all were the same');
  t.end();
});

void t.test('pages follow each other without a gap or a repeat, also where many slots cost the same', (t) => {
  const columns = new NightColumns(FIRST);
  const slots = Array.from({ length: 500 }, (_, slot) => slot);
  for (const slot of slots) {
    columns.reserve(slot, FIRST + 3);
    const least = Array.from({ length: PARTY_CLASSES }, () => 100 * (1 + (slot % 4)));
    columns.write(
      slot,
      FIRST,
      [1, 2, 3].map(() => ({ isFree: true, least })),
    );
  }
  const query = { checkIn: FIRST, checkOut: FIRST + 3, partyClass: 1, mask: maskOf(columns.words, slots), limit: 33 };
  const seen: BoundedSlot[] = [];
  for (let after: BoundedSlot | undefined; ; after = seen.at(-1)) {
    const page = columns.cheapest({ ...query, ...(after && { after }) });
    if (page.length === 0) break;
    seen.push(...page);
  }
  t.same(seen, columns.cheapest({ ...query, limit: 1_000 }));
  t.equal(seen.length, 500);
  t.end();
});

void t.test('a sum that is wider than its 32 bits is a lower bound all the same', (t) => {
  const columns = new NightColumns(FIRST);
  const price = 3_000_000_000;
  columns.reserve(0, FIRST + 3);
  const least = Array.from({ length: PARTY_CLASSES }, () => price);
  columns.write(
    0,
    FIRST,
    [1, 2, 3].map(() => ({ isFree: true, least })),
  );
  const query = { checkIn: FIRST, partyClass: 1, mask: maskOf(columns.words, [0]), limit: 1 };
  t.same(columns.cheapest({ ...query, checkOut: FIRST + 1 }), [{ slot: 0, bound: price }]);
  const [three] = columns.cheapest({ ...query, checkOut: FIRST + 3 });
  t.ok(three!.bound >= 0 && three!.bound <= 3 * price);
  t.end();
});
