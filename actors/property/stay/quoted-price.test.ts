import t from 'tap';

import { totals } from '../../../src/money/rules/night.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, DAY, modifyCommand, NOW, property, stayWish } from '../../../src/testing/property-world.ts';

const { roomType: _any, ...QUERY } = stayWish();
const CODE = 'TEN';
const promotion = {
  type: 'CREATE_PROMOTION' as const,
  promotion: {
    id: 'p1',
    name: 'Ten percent',
    promoCode: CODE,
    discount: { type: 'PERCENTAGE' as const, value: 10 },
    validity: { start: DAY, end: DAY + 30 },
    conditions: {},
    inventory: { totalRooms: 1 },
  },
  estimate: { bookings: 0, revenue: 0 },
};

/** What a token of the quote carries to the booking. */
function quoted(scene: Scene, holder = 'ada', promoCode?: string) {
  const rate = scene.view
    .quote({ ...QUERY, promoCode }, scene.now, holder)
    .rates.find((one) => one.roomType === 'STD')!;
  const { nightly, total } = rate;
  const expiresAt = scene.now + 900_000;
  const quoteId = `q${holder}-0`;
  if (promoCode !== undefined) {
    const { checkIn, checkOut } = QUERY;
    scene.view.promise(promoCode, holder, { quoteId: `q${holder}`, checkIn, checkOut, until: expiresAt });
  }
  const gross = total + rate.taxes + rate.fees;
  return { gross, promoCode, quote: { quoteId, expiresAt, nightly, promoCode, charges: scene.view.charges } };
}

void t.test('a quote promises taxes and fees too', async (t) => {
  const scene = Scene.property();
  const { gross, ...of } = quoted(scene);
  const dearer = { taxPercent: 20, feePerNight: 5_000, feePerPersonNight: 700 };
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: dearer }) });
  t.not(quoted(scene, 'bob').gross, gross);
  const { reservation } = scene.accept(bookCommand(of));
  t.equal(totals(reservation.nights).total, gross, 'what was quoted is what is booked');
});

void t.test('the most that a buyer pays holds beside a quote, and in a change', async (t) => {
  const scene = Scene.property();
  const { gross, quote } = quoted(scene);
  t.match(scene.refuse(bookCommand({ quote, maxTotal: gross - 1 })), {
    code: 'PRICE_CHANGED',
    details: { extra: { newTotal: gross / 100 } },
  });
  const { id } = scene.accept(bookCommand({ quote, maxTotal: gross })).reservation;
  const longer = modifyCommand(id, { checkOut: QUERY.checkOut + 1 });
  t.equal(scene.refuse({ ...longer, maxTotal: gross }).code, 'PRICE_CHANGED');
  t.equal(scene.refuse({ ...longer, maxTotal: gross, dryRun: true }).code, 'PRICE_CHANGED');
  scene.accept({ ...longer, maxTotal: gross * 2 });
});

void t.test('a promotion that was quoted can be booked, though it is paused or taken since', async (t) => {
  const scene = Scene.property();
  scene.accept(promotion);
  const first = quoted(scene, 'ada', CODE);
  scene.accept({ type: 'PAUSE_PROMOTION', promotionId: 'p1', paused: true });
  t.equal(totals(scene.accept(bookCommand(first)).reservation.nights).total, first.gross);
});

void t.test('a quote takes a unit of its promotion for as long as its token holds', async (t) => {
  const scene = Scene.property();
  scene.accept(promotion);
  const first = quoted(scene, 'ada', CODE);
  t.equal(quoted(scene, 'ada', CODE).gross, first.gross, 'asked twice, the unit is the same');
  t.throws(() => quoted(scene, 'bob', CODE), { code: 'PROMO_EXHAUSTED' });
  t.equal(scene.refuse(bookCommand({ promoCode: CODE })).code, 'PROMO_EXHAUSTED', 'nor for who did not ask');
  scene.pass(900_000);
  const second = quoted(scene, 'bob', CODE);
  scene.accept(bookCommand(second));
  const { used } = scene.state.promotions.get(CODE)!;
  t.equal(used, 1);
  t.throws(() => quoted(scene, 'eve', CODE), { code: 'PROMO_EXHAUSTED' });
});

void t.test('a unit that was booked is no longer promised', async (t) => {
  const scene = Scene.property();
  const two = { ...promotion.promotion, inventory: { totalRooms: 2 } };
  scene.accept({ ...promotion, promotion: two });
  scene.accept(bookCommand(quoted(scene, 'ada', CODE)));
  quoted(scene, 'bob', CODE);
  t.throws(() => quoted(scene, 'eve', CODE), { code: 'PROMO_EXHAUSTED' });
  t.equal(scene.now, NOW);
});
