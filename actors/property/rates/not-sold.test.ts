import t from 'tap';

import { MAX_AMOUNT } from '../../../src/kernel/rules/money.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { checkRates } from '../../../src/rates/operations/check-rates.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  freshId,
  group,
  modifyCommand,
  NOW,
  placeHoldCommand,
  plan,
  promotion,
} from '../../../src/testing/property-world.ts';

const OPEN = { policies: { paymentRequired: false } };
const STAY = { checkIn: DAY + 5, checkOut: DAY + 7, ...partyOfPersons(2), roomType: 'STD' };

/** A plan WEB that takes 100.00 off BAR, and so leaves nothing of it in STD. */
function property(): Scene {
  const scene = Scene.property(OPEN);
  const web = plan({ code: 'WEB', parentCode: 'BAR', adjustmentAmount: -10_000 });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: web, mode: 'create' });
  return scene;
}

t.test('a night whose price comes to nothing is not sold at any door', (t) => {
  const scene = property();
  const ask = { ...STAY, rateCode: 'WEB' };
  const { rates, unavailable } = scene.view.quote({ ...ask, roomType: undefined }, NOW);
  t.match(unavailable, [{ roomType: 'STD', code: 'NO_RATE', date: '2026-06-06', detail: /comes to 0\.00/ }]);
  t.match(rates, [{ roomType: 'DLX', total: 10_000 }], 'the other type is sold');
  const limits = { start: DAY + 5, end: DAY + 5, ...partyOfPersons(2), roomType: 'STD' };
  t.same(scene.view.calendar({ ...limits, rateCode: 'WEB' }), [{ day: DAY + 5, rate: null }]);
  t.match(scene.view.calendar(limits), [{ rateCode: 'NRF', rate: 9_000 }]);
  t.match(scene.refuse(bookCommand({ stay: ask })), { code: 'NO_RATE', message: /comes to 0\.00/ });
  t.match(scene.refuse(placeHoldCommand(1, ask)), { code: 'NO_RATE' });
  const { reservation } = scene.accept(bookCommand({ stay: { ...ask, roomType: 'DLX' } }));
  t.match(scene.refuse(modifyCommand(reservation.id, { roomType: 'STD' })), { code: 'NO_RATE' });
  t.end();
});

t.test('a season that leaves nothing of BAR takes its nights from sale, also in the grid', (t) => {
  const scene = Scene.property(OPEN);
  const season = { name: 'Gift', start: DAY + 6, end: DAY + 6, multiplier: 100, amount: -10_000 };
  const command = { ...baseRates('STD', 10_000), type: 'SET_BASE_RATES' as const, seasons: [season] };
  scene.accept(command as Parameters<Scene['accept']>[0]);
  t.equal(scene.cell(DAY + 5).rate, 10_000);
  t.equal(scene.cell(DAY + 6).rate, null);
  t.match(scene.refuse(bookCommand({ stay: STAY })), { code: 'NO_RATE', details: { date: '2026-06-07' } });
  t.end();
});

t.test('free nights, a whole discount and what a group agreed on are sold for nothing', (t) => {
  const scene = Scene.property(OPEN);
  const free = { promoCode: 'FREE', discount: { type: 'FREE_NIGHTS' as const, value: 2 } };
  const all = { promoCode: 'ALL', discount: { type: 'PERCENTAGE' as const, value: 100 } };
  for (const one of [free, all]) scene.accept(promotion({ id: freshId(), ...one }));
  for (const { promoCode } of [free, all]) {
    t.match(scene.view.quote({ ...STAY, rateCode: 'BAR', promoCode }, NOW).rates, [{ total: 0, bookable: true }]);
    const { nights } = scene.accept(bookCommand({ stay: STAY, promoCode })).reservation;
    t.same(
      nights.map(({ rate }) => rate),
      [0, 0],
    );
  }
  const blocks = [5, 6].map((offset) => ({ roomType: 'DLX', day: DAY + offset, rooms: 1, rate: 0 }));
  const { groupId } = scene.accept(group(1, { blocks }));
  const booked = scene.accept(bookCommand({ stay: { ...STAY, roomType: 'DLX' }, groupId })).reservation;
  t.equal(totals(booked.nights).base, 0);
  t.end();
});

t.test('validate finds nights of which a plan leaves nothing, and promotions that leave nothing', async (t) => {
  const scene = property();
  scene.accept(promotion({ promoCode: 'ALL', discount: { type: 'PERCENTAGE', value: 100 } }));
  const services = { properties: { view: async () => scene.view } } as unknown as Parameters<typeof checkRates>[0];
  const caller = { tenantId: 'acme' } as Parameters<typeof checkRates>[1];
  const { valid, findings } = await checkRates(services, caller, 'anchor');
  t.notOk(valid);
  t.match(findings, [
    { code: 'PRICE_ZERO', severity: 'ERROR', rateCode: 'WEB', roomType: 'STD', start: DAY, end: DAY + 30 },
    { code: 'FREE_OF_CHARGE', severity: 'WARNING' },
  ]);
  t.equal(findings.length, 2);
});

t.test('a stay that costs more than an amount can hold is not bookable', (t) => {
  const scene = Scene.property(OPEN);
  scene.accept(baseRates('STD', MAX_AMOUNT));
  const one = { ...STAY, checkOut: DAY + 6, rateCode: 'BAR' };
  t.match(scene.view.quote(one, NOW).rates, [{ bookable: false }], 'its tax is too much');
  t.match(scene.refuse(bookCommand({ stay: one })), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ code: 'TOO_EXPENSIVE' }] },
  });
  t.match(scene.view.quote({ ...one, rateCode: 'NRF' }, NOW).rates, [{ bookable: true }]);
  t.match(scene.view.quote({ ...STAY, rateCode: 'NRF' }, NOW).rates, [{ bookable: false }], 'two nights of it');
  t.equal(scene.refuse(bookCommand({ stay: { ...STAY, rateCode: 'NRF' } })).code, 'VALIDATION_FAILED');
  scene.accept(bookCommand({ stay: { ...one, rateCode: 'NRF' } }));
  t.end();
});

t.test('taxes of the property count towards what an amount can hold, in quotes and in the calendar', (t) => {
  const tax = { code: 'ONCE', name: 'Once', kind: 'PER_STAY', value: 101, included: false, on: 'ROOM' } as const;
  for (const taxes of [[], [tax], [{ ...tax, value: 100 }]]) {
    const scene = Scene.property({ policies: { taxPercent: 0, feePerPersonNight: 0, taxes } });
    scene.accept(baseRates('STD', MAX_AMOUNT - 100));
    const party = partyOfPersons(1);
    const bookable = taxes[0]?.value !== 101;
    const query = { ...party, checkIn: DAY + 5, checkOut: DAY + 6, rateCode: 'BAR', roomType: 'STD' };
    t.match(scene.view.quote(query, NOW).rates, [{ bookable }]);
    const [day] = scene.view.calendar({ start: DAY + 5, end: DAY + 5, ...party, roomType: 'STD', rateCode: 'BAR' });
    t.equal(day!.rate, bookable ? MAX_AMOUNT - 100 : null);
  }
  t.end();
});
