import t from 'tap';

import type { Command } from '../src/kernel/rules/commands.ts';
import { Random } from '../src/kernel/rules/random.ts';
import { partyOfPersons } from '../src/rates/rules/stay.ts';
import { Scene } from '../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  freshId,
  group,
  NOW,
  plan,
  property,
  restrict,
  roomType,
} from '../src/testing/property-world.ts';

const ASKED = { checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2) };

void t.test('a quote requested again is the same cached answer', (t) => {
  const { view } = Scene.property();
  const first = view.quote({ ...ASKED }, NOW);
  const second = view.quote({ ...ASKED }, NOW);
  t.same({ ...second, repeated: undefined }, { ...first, repeated: undefined });
  t.equal(view.quote({ ...ASKED }, NOW), second);
  t.end();
});

void t.test('what differs in anything is another quote', (t) => {
  const { view } = Scene.property();
  view.quote(ASKED, NOW);
  const cached = view.quote(ASKED, NOW);
  const others = [
    { checkIn: DAY + 6 },
    { checkOut: DAY + 8 },
    { rateCode: 'NRF' },
    { adults: 1 },
    { adults: 1, children: 1 },
    { roomType: 'STD' },
    { explain: true },
  ];
  for (const other of others) {
    const query = { ...ASKED, ...other };
    view.quote(query, NOW);
    const again = view.quote(query, NOW);
    t.not(again, cached);
    t.same({ ...again, repeated: undefined }, { ...Scene.property().view.quote(query, NOW), repeated: undefined });
  }
  t.equal(view.quote(ASKED, NOW), cached, 'and the first one is still cached');
  t.end();
});

void t.test('many stays push out the oldest, and every answer stays right', (t) => {
  const { view } = Scene.property();
  const totals = (): number[] =>
    Array.from(
      { length: 25 },
      (_, n) =>
        view.quote({ ...ASKED, checkOut: ASKED.checkIn + 1 + (n % 20), adults: 1 + (n % 2) }, NOW).rates[0]!.total,
    );
  t.same(totals(), totals());
  t.end();
});

function someCommand(random: Random): Command {
  const type = random.pick(['STD', 'DLX']);
  const first = DAY + random.between(0, 8);
  const nights = { start: first, end: first + random.between(0, 3) };
  switch (random.between(0, 7)) {
    case 0:
      return baseRates(type, random.between(50, 200) * 100, nights.start, nights.end);
    case 1:
      return restrict({ minStayArrival: random.between(1, 4) }, { ...nights, roomType: type, rateCode: 'BAR' });
    case 2:
      return { type: 'PUT_ROOM_TYPE', roomType: roomType(type, random.between(2, 5)), mode: 'replace' };
    case 3: {
      const policies = { paymentRequired: false, feePerNight: random.between(0, 9) * 100 };
      return { type: 'UPDATE_PROPERTY', property: property({ policies }) };
    }
    case 4:
      return group(1, { groupId: freshId() });
    case 5: {
      const changed = plan({ id: freshId(), code: 'NEW', adjustmentPercent: random.between(-30, 10) });
      return { type: 'PUT_RATE_PLAN', plan: changed, mode: 'create' };
    }
    default:
      return bookCommand({ stay: { roomType: type, checkIn: first, checkOut: first + random.between(1, 3) } });
  }
}

void t.test('while the stand of a room type is the same, so are its quotes, whatever happens', (t) => {
  const quotes = ({ view }: Scene, type: string): string =>
    JSON.stringify(
      ['BAR', 'NRF', 'NEW'].flatMap((rateCode) =>
        [0, 2, 6].map((from) => {
          const days = { checkIn: view.businessDate + from, checkOut: view.businessDate + from + 2 };
          try {
            return view.quote({ ...days, roomType: type, rateCode, ...partyOfPersons(2) }, NOW);
          } catch (error) {
            return String(error);
          }
        }),
      ),
    );
  let same = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const scene = Scene.property({ policies: { paymentRequired: false } });
    const known = new Map<string, { stand: string; text: string }>();
    for (let step = 0; step < 40; step++) {
      if (random.chance(0.05)) scene.endDay();
      else
        try {
          scene.accept(someCommand(random));
        } catch {
          // Rejected: nothing changes.
        }
      for (const type of ['STD', 'DLX']) {
        const now = { stand: scene.view.quoteStand(type), text: quotes(scene, type) };
        const before = known.get(type);
        if (before?.stand === now.stand) {
          same += 1;
          if (before.text !== now.text) t.equal(now.text, before.text, `seed ${seed}, step ${step}`);
        }
        known.set(type, now);
      }
    }
  }
  t.ok(same > 200, `${same} times the same`);
  t.end();
});
