import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  modifyCommand,
  paid,
  promotion,
  startBookingCommand,
  NOW,
} from '../../../src/testing/property-world.ts';

const TEN = { promoCode: 'TEN' };
const QUERY = { checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2), ...TEN };

/** A property with more rooms than any promotion here has units. */
function property(changed: Parameters<typeof promotion>[0] = {}): Scene {
  const scene = Scene.property();
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 30, totalRooms: 50 });
  scene.accept(promotion(changed));
  return scene;
}
const units = (scene: Scene) => scene.state.promotions.get('TEN')!;

void t.test('a booking with the code costs what the quote with it says', async (t) => {
  const scene = property();
  const [std] = scene.view.quote(QUERY, NOW).rates;
  t.match(std, { total: 18_000, promoCode: 'TEN', taxes: 1_800 });
  t.match(scene.view.quote({ ...QUERY, explain: true }, NOW).rates[0]!.steps![0]!.at(-1), {
    rule: 'promotion',
    amount: -1_000,
  });
  const { reservation } = scene.accept(bookCommand(TEN));
  t.equal(totals(reservation.nights).base, 18_000);
  t.equal(reservation.promoCode, 'TEN');
  t.equal(totals(scene.accept(bookCommand()).reservation.nights).base, 20_000, 'only with its code');
});

void t.test(
  'a unit is one reservation; the last is sold once and comes back in every way that ends one',
  async (t) => {
    const scene = property({ inventory: { totalRooms: 1 } });
    const { reservation } = scene.accept(bookCommand(TEN));
    t.equal(scene.refuse(bookCommand(TEN)).code, 'PROMO_EXHAUSTED');
    t.equal(scene.refuse(startBookingCommand(TEN)).code, 'PROMO_EXHAUSTED');
    scene.accept(bookCommand());
    scene.accept(cancelCommand(reservation.id));
    const declined = startBookingCommand(TEN);
    const { attempt } = scene.accept(declined);
    t.equal(scene.refuse(bookCommand(TEN)).code, 'PROMO_EXHAUSTED', 'held while it is paid');
    scene.accept({ type: 'ABANDON_BOOKING', holdId: declined.holdId, payment: { ...attempt, status: 'FAILED' } });
    scene.accept(bookCommand(TEN));
    scene.pass(1_000_000);
    scene.accept({ type: 'EXPIRE' });
    const late = startBookingCommand(TEN);
    const started = scene.accept(late);
    scene.pass(200_000);
    scene.accept({ type: 'EXPIRE' });
    t.equal(units(scene).used, 0);
    const failed = { ...started.attempt, status: 'REFUNDED' as const };
    scene.accept({ type: 'ABANDON_BOOKING', holdId: late.holdId, payment: failed });
    t.equal(units(scene).used, 0, 'what an expired hold gave back does not come back twice');
    const good = startBookingCommand(TEN);
    const { attempt: charged } = scene.accept(good);
    scene.accept({ type: 'CONFIRM_BOOKING', holdId: good.holdId, payment: paid(charged) });
    t.equal(units(scene).used, 1);
    t.equal(scene.refuse(bookCommand(TEN)).code, 'PROMO_EXHAUSTED');
  },
);

void t.test('units a day count by night of the stay', async (t) => {
  const scene = property({ inventory: { maxPerDay: 1 } });
  const nights = (from: number, to: number) => ({ ...TEN, stay: { checkIn: DAY + from, checkOut: DAY + to } });
  const { reservation } = scene.accept(bookCommand(nights(5, 7)));
  const error = scene.refuse(bookCommand(nights(4, 6)));
  t.match(error, { code: 'PROMO_EXHAUSTED', details: { date: formatDay(DAY + 5) } });
  scene.accept(bookCommand(nights(7, 8)));
  const longer = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 8 })).reservation;
  t.same(
    longer.nights.map(({ rate }) => rate),
    [9_000, 9_000, 10_000],
    'a night without a unit left has no discount',
  );
  scene.accept(modifyCommand(reservation.id, { checkIn: DAY + 6, checkOut: DAY + 7 }));
  scene.accept(bookCommand(nights(5, 6)));
  t.same(units(scene).usedOn, { [DAY + 5]: 1, [DAY + 6]: 1, [DAY + 7]: 1 });
});

void t.test('what does not meet the conditions is refused and says why', async (t) => {
  const cases: [Parameters<typeof promotion>[0], string][] = [
    [{ validity: { start: DAY + 1, end: DAY + 2 } }, 'validity begins tomorrow'],
    [{ stayPeriod: { start: DAY + 6, end: DAY + 9 } }, 'a night before the stay period'],
    [{ stayPeriod: { start: DAY, end: DAY + 5 } }, 'a night after the stay period'],
    [{ conditions: { advanceBookingDays: 6 } }, 'too late'],
    [{ conditions: { minimumStay: 3 } }, 'too short'],
    [{ conditions: { blackoutDates: [DAY + 6] } }, 'a blackout night'],
    [{ roomTypes: ['DLX'] }, 'another type'],
  ];
  for (const [changed, why] of cases) {
    const scene = property(changed);
    t.equal(scene.refuse(bookCommand(TEN)).code, 'PROMO_NOT_APPLICABLE', why);
    scene.accept(bookCommand());
  }
  const scene = property();
  t.equal(scene.refuse(bookCommand({ promoCode: 'NOPE' })).code, 'PROMO_NOT_APPLICABLE');
  const { id } = units(scene);
  scene.accept({ type: 'PAUSE_PROMOTION', promotionId: id, paused: true });
  t.equal(scene.refuse(bookCommand(TEN)).code, 'PROMO_NOT_APPLICABLE', 'paused');
  t.equal(
    codeOf(() => scene.view.quote(QUERY, NOW)),
    'PROMO_NOT_APPLICABLE',
    'a quote with a code that fits no type says so',
  );
  scene.accept({ type: 'PAUSE_PROMOTION', promotionId: id, paused: false });
  scene.accept(bookCommand(TEN));
  t.equal(
    codeOf(() => scene.accept(promotion())),
    'PROMO_CODE_TAKEN',
  );
});

void t.test('a changed stay keeps the discount of its nights, and new nights have it too', async (t) => {
  const scene = property();
  const { reservation } = scene.accept(bookCommand(TEN));
  const longer = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 8 })).reservation;
  t.same(
    longer.nights.map(({ rate }) => rate),
    [9_000, 9_000, 9_000],
  );
  t.equal(units(scene).used, 1);
  const fixed = property({ discount: { type: 'FIXED_AMOUNT', value: 3_001 } });
  const { reservation: one } = fixed.accept(bookCommand(TEN));
  t.equal(totals(one.nights).base, 16_999);
  const two = fixed.accept(modifyCommand(one.id, { checkOut: DAY + 8 })).reservation;
  t.equal(totals(two.nights).base, 26_999, 'an amount comes off a stay once');
});

void t.test('a stay that moves takes its discount along, whole or as far as it gives nights up', async (t) => {
  const base = (scene: Scene, id: string, change: Parameters<typeof modifyCommand>[1]) =>
    totals(scene.accept(modifyCommand(id, change)).reservation.nights).base;
  const days = (from: number, to: number) => ({ checkIn: DAY + from, checkOut: DAY + to });
  const fixed = property({ discount: { type: 'FIXED_AMOUNT', value: 3_000 } });
  const { reservation: one } = fixed.accept(bookCommand(TEN));
  t.equal(base(fixed, one.id, days(9, 11)), 17_000, 'no night remains');
  t.equal(base(fixed, one.id, days(10, 12)), 17_000, 'one of two remains');
  t.equal(base(fixed, one.id, days(10, 13)), 27_000, 'none is given up');
  t.equal(base(fixed, one.id, { adults: 1 }), 27_000, 'all of it is priced anew');
  const free = property({ discount: { type: 'FREE_NIGHTS', value: 1 } });
  const { reservation: two } = free.accept(bookCommand(TEN));
  t.equal(totals(two.nights).base, 10_000);
  t.equal(base(free, two.id, days(9, 11)), 10_000);
  t.equal(base(free, two.id, days(9, 12)), 20_000, 'one night is free, not two');
  t.equal(base(free, two.id, days(10, 12)), 20_000, 'remaining nights keep their price');
  t.equal(base(free, two.id, days(11, 13)), 20_000, 'the free night has been given up');
});

void t.test('a promotion long over leaves memory, and a property has not more than a thousand', async (t) => {
  const scene = Scene.property({ policies: { horizonNights: 30 } });
  scene.accept(promotion({ validity: { start: DAY, end: DAY } }));
  scene.pass(399 * 86_400_000);
  scene.accept({ type: 'TICK' });
  t.match(units(scene), { promoCode: 'TEN' }, 'its last bookings may still change');
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.equal(scene.state.promotions.size, 0);
  const validity = { start: DAY + 400, end: DAY + 500 };
  for (let n = 0; n < 1_000; n++) scene.accept(promotion({ promoCode: `P${n}`, validity }));
  t.equal(
    codeOf(() => scene.accept(promotion({ validity }))),
    'VALIDATION_FAILED',
  );
});

void t.test('a stay that costs nothing waits for no payment', async (t) => {
  const scene = Scene.property({ policies: { feePerPersonNight: 0 } });
  scene.accept(promotion({ discount: { type: 'PERCENTAGE', value: 100 } }));
  const before = scene.cell(DAY + 5);
  const { reservation } = scene.accept(bookCommand(TEN));
  t.match(reservation, { status: 'CONFIRMED', payments: [] });
  t.match(scene.cell(DAY + 5), { booked: before.booked + 1, held: 0 });
});
