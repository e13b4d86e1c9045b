import t from 'tap';

import type { UpgradePrice } from '../../../src/kernel/rules/commands/stay.ts';
import { billOf, folioTotals } from '../../../src/money/rules/folio.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  placeHoldCommand,
  plainRoom,
  postCommand,
  promotion,
  property,
  reinstateCommand,
  startPaymentCommand,
  stayWish,
  upgradeCommand,
} from '../../../src/testing/property-world.ts';

const DAY_MS = 86_400_000;
const TWO_NIGHTS = { checkIn: DAY, checkOut: DAY + 2 };

const priced = (currency: string, paymentRequired = true) => ({
  type: 'UPDATE_PROPERTY' as const,
  property: property({ currency, policies: { paymentRequired, taxPercent: 20, feePerPersonNight: 500 } }),
});

/** What a token promises: the price in the currency of the property. */
function quoted(scene: Scene, stay = TWO_NIGHTS) {
  const { roomType, ...query } = stayWish(stay);
  const rate = scene.view.quote(query, scene.now).rates.find((one) => one.roomType === roomType)!;
  const quote = { quoteId: freshId(), expiresAt: scene.now + 900_000, nightly: rate.nightly };
  return { quote: { ...quote, charges: scene.view.charges }, gross: rate.total + rate.taxes + rate.fees };
}

/** A stay of two nights that was promised in euros, in a property that sells in another currency. */
function promised(currency = 'USD', stay = TWO_NIGHTS) {
  const scene = Scene.property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { quote, gross } = quoted(scene, stay);
  scene.accept(priced(currency, false));
  const { id } = scene.accept(bookCommand({ quote, stay })).reservation;
  return { scene, id, gross, now: () => scene.state.reservations.get(id)! };
}

void t.test('a quote is sold at its price in its currency, whatever the property sells in since', async (t) => {
  const scene = Scene.property();
  const { quote, gross } = quoted(scene);
  scene.accept(priced('USD'));
  const over = scene.refuse(bookCommand({ quote, stay: TWO_NIGHTS, maxTotal: gross - 1 }));
  t.match(over.details, { extra: { currency: 'EUR', newTotal: gross / 100 } });
  const { reservation } = scene.accept(bookCommand({ quote, stay: TWO_NIGHTS, maxTotal: gross }));
  t.match(reservation, { currency: 'EUR' });
  t.equal(totals(reservation.nights).total, gross);
});

void t.test('a hold is sold at its price in its currency, less a discount in percent', async (t) => {
  const scene = Scene.property();
  scene.accept(promotion());
  const hold = scene.accept(placeHoldCommand(2, TWO_NIGHTS));
  scene.accept(priced('USD'));
  const { reservation } = scene.accept(bookCommand({ fromHold: hold.id, stay: TWO_NIGHTS }));
  t.match(reservation, { currency: 'EUR' });
  t.equal(totals(reservation.nights).total, 22_800);
  const less = scene.accept(bookCommand({ fromHold: hold.id, stay: TWO_NIGHTS, promoCode: 'TEN' })).reservation;
  t.equal(totals(less.nights).total, 20_600);
  t.match(less.basis, { nights: [{ list: 10_000 }, { list: 10_000 }] });
});

void t.test('payment, postings and the bill of such a stay are in its currency', async (t) => {
  const { scene, id, gross, now } = promised('JPY');
  const { attempt } = scene.accept(startPaymentCommand(id, charge({ amount: 1_050 })));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  scene.accept(checkInCommand(id));
  t.equal(scene.refuse(postCommand(id, { code: 'WATER', unitAmount: 45_000 })).code, 'CURRENCY_MISMATCH');
  scene.accept(postCommand(id));
  t.match(billOf(now()), { balance: gross + 900 - 1_050 });
  const coded = { description: 'Water', amount: 45_000, code: 'WATER' };
  t.equal(scene.refuse(checkOutCommand(id, { charges: [coded], forced: true })).code, 'CURRENCY_MISMATCH');
  scene.accept(checkOutCommand(id, { forced: true }));
  t.match(now(), { status: 'CHECKED_OUT', documents: [{ currency: 'EUR' }] });
});

void t.test(
  'such a stay is shortened, cancelled and reinstated, and gets no night in another currency',
  async (t) => {
    const { scene, id, gross, now } = promised('USD', { checkIn: DAY + 10, checkOut: DAY + 12 });
    t.equal(scene.refuse(modifyCommand(id, { checkOut: DAY + 13 })).code, 'CURRENCY_MISMATCH');
    t.equal(scene.refuse(modifyCommand(id, { adults: 1 })).code, 'CURRENCY_MISMATCH');
    scene.accept(modifyCommand(id, {}, { guest: { lastName: 'Byron' } }));
    scene.accept(cancelCommand(id));
    scene.accept(reinstateCommand(id));
    t.match([now().currency, folioTotals(now()).total], ['EUR', gross]);
    scene.accept(modifyCommand(id, { checkOut: DAY + 11 }));
    t.match(now(), { currency: 'EUR' });
  },
);

void t.test('an upgrade of such a stay is taxed in its currency, with cents where that has them', async (t) => {
  const upgraded = (from: string, to: string, price: UpgradePrice, isOlder: boolean) => {
    const policies = { paymentRequired: false, taxPercent: 8.5 };
    const scene = Scene.property({ currency: from, policies });
    const { quote } = quoted(scene);
    scene.accept({ type: 'UPDATE_PROPERTY', property: property({ currency: to, policies }) });
    const { id } = scene.accept(bookCommand({ quote, stay: TWO_NIGHTS })).reservation;
    // A booking of the release before has no taxes and fees of its own.
    if (isOlder) delete scene.state.reservations.get(id)!.taxedBy;
    return scene.accept(upgradeCommand(id, {}, price)).reservation.nights.map(({ surcharge }) => surcharge);
  };
  for (const isOlder of [false, true]) {
    // 1,001 yen for two nights, and 8.5 percent of 501 and of 500.
    const yen = [
      { rate: 50_000, taxes: 4_200 },
      { rate: 50_100, taxes: 4_300 },
    ];
    t.same(upgraded('JPY', 'EUR', { amount: 100_100 }, isOlder), yen);
    const euro = { rate: 1_055, taxes: 90 };
    t.same(upgraded('EUR', 'JPY', { amountPerNight: 1_055 }, isOlder), [euro, euro]);
  }
});

void t.test('a night that its guest stays on costs what the last one did', async (t) => {
  const { scene, id, gross, now } = promised();
  scene.accept(checkInCommand(id));
  scene.pass(3 * DAY_MS);
  scene.accept({ type: 'TICK' });
  scene.accept({ type: 'OVERSTAY', reservationId: id });
  t.equal(totals(now().nights).total, gross * 1.5);
});
