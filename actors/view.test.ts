import t from 'tap';

import { partyOfPersons } from '../src/rates/rules/stay.ts';
import { Scene } from '../src/testing/actors/scene.ts';
import { DAY, NOW } from '../src/testing/property-world.ts';

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
