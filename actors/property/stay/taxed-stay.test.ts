import fc from 'fast-check';
import t from 'tap';

import { folioTaxLines, folioTotals } from '../../../src/money/rules/folio.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { priceOf, taxLinesOf } from '../../../src/money/rules/taxes.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Tax } from '../../../src/properties/rules/tax.ts';
import { heldNights, promisedRates, type ExplicitHold } from '../../../src/stay/rules/hold.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  modifyCommand,
  paid,
  placeHoldCommand,
  property,
  startBookingCommand,
  stayWish,
} from '../../../src/testing/property-world.ts';

const VAT: Tax = { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 10, included: true, on: 'ALL' };
const CITY: Tax = {
  code: 'CITY',
  name: 'City tax',
  kind: 'PER_PERSON_NIGHT',
  value: 250,
  included: false,
  on: 'ROOM',
  minAge: 14,
  maxNights: 2,
};
const ONCE: Tax = { ...CITY, code: 'ONCE', kind: 'PER_STAY', value: 900, minAge: undefined, maxNights: undefined };
const TAXES = [VAT, CITY, ONCE];
const NONE = { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0, paymentRequired: false };

function sceneOf(policies: Partial<Policies> = {}): Scene {
  return Scene.property({ policies: { ...NONE, taxes: TAXES, ...policies } });
}

function setPolicies(scene: Scene, policies: Partial<Policies>): void {
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { ...NONE, ...policies } }) });
}

/** Codes and amounts of each night. */
const linesOf = ({ nights }: Reservation): string[] =>
  nights.map(({ taxLines = [] }) => taxLines.map(({ code, amount }) => `${code} ${amount}`).join(', '));

const book = (scene: Scene, from: number, to: number, changed: object = {}): Reservation =>
  scene.accept(bookCommand({ stay: { checkIn: DAY + from, checkOut: DAY + to, ...changed } })).reservation;

const moved = (scene: Scene, id: string, from: number, to: number, changed: object = {}): Reservation =>
  scene.accept(modifyCommand(id, { checkIn: DAY + from, checkOut: DAY + to, ...changed })).reservation;

t.test('a booking has a line for each tax of each night, and what is in the price is no revenue', async (t) => {
  const { nights } = book(sceneOf(), 5, 8, { children: 1 });
  t.same(linesOf({ nights } as Reservation), ['VAT 909, CITY 500, ONCE 900', 'VAT 909, CITY 500', 'VAT 909']);
  t.same(totals(nights), { base: 27_273, taxes: 2_727, fees: 1_900, total: 31_900 });
  t.same(nights.map(priceOf), [10_000, 10_000, 10_000]);
});

t.test('what is quoted and held is what is booked, whatever the taxes become meanwhile', async (t) => {
  const scene = sceneOf({ taxPercent: 3, feePerNight: 100 });
  const { roomType: _any, ...query } = stayWish();
  const rate = scene.view.quote(query, scene.now).rates.find(({ roomType }) => roomType === 'STD')!;
  t.match(rate, { total: 20_000, taxes: 600, fees: 200 + 1_000 + 900 });
  t.same(
    rate.taxLines?.map(({ code, name, amount, included }) => `${code} ${name} ${amount} ${included}`),
    [
      'TAX Taxes 600 false',
      'VAT VAT 1818 true',
      'FEES Fees 200 false',
      'CITY City tax 1000 false',
      'ONCE City tax 900 false',
    ].toSorted((a, b) => order(a) - order(b)),
  );
  const gross = rate.total + rate.taxes + rate.fees;
  const quote = {
    quoteId: 'q-0',
    expiresAt: scene.now + 900_000,
    nightly: rate.nightly,
    charges: scene.view.charges,
  };
  const held = scene.accept(placeHoldCommand(1)) as ExplicitHold;
  t.equal(totals(heldNights(held, promisedRates(held, held.terms), held.terms)).total, gross);
  setPolicies(scene, { taxes: [{ ...VAT, included: false }] });
  const ofQuote = scene.accept(bookCommand({ quote })).reservation;
  const ofHold = scene.accept(bookCommand({ fromHold: held.id })).reservation;
  t.equal(totals(ofQuote.nights).total, gross, 'the token');
  t.same(ofHold.nights, ofQuote.nights, 'the hold');
  t.equal(totals(book(scene, 5, 7).nights).total, 22_000, 'who books now has the taxes of now');
});

/** Taxes in a price are named first, as they are computed. */
const order = (line: string): number => ['VAT', 'TAX', 'FEES', 'CITY', 'ONCE'].indexOf(line.split(' ')[0]!);

const anyTax = fc
  .record({
    kind: fc.constantFrom('PERCENT' as const, 'PER_NIGHT' as const, 'PER_PERSON_NIGHT' as const, 'PER_STAY' as const),
    value: fc.nat(3_000),
    isIncluded: fc.boolean(),
    maxNights: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    from: fc.option(fc.integer({ min: 4, max: 8 }), { nil: undefined }),
  })
  .map(({ kind, value, isIncluded, maxNights, from }): Omit<Tax, 'code' | 'name'> => {
    const isPercent = kind === 'PERCENT';
    const dates = from === undefined ? {} : { from: DAY + from };
    return {
      kind,
      value: isPercent ? value / 100 : value,
      included: isPercent && isIncluded,
      on: 'ROOM',
      maxNights,
      ...dates,
    };
  });

t.test(
  'whatever the taxes: what is quoted is what is booked, and a change without a change costs the same',
  async () => {
    const scene = sceneOf();
    const { roomType: _any, ...query } = stayWish();
    const stays = fc.record({
      nights: fc.integer({ min: 1, max: 5 }),
      adults: fc.integer({ min: 1, max: 2 }),
      children: fc.nat(1),
    });
    const policies = fc.record({ taxPercent: fc.nat(30), feePerNight: fc.nat(500), feePerPersonNight: fc.nat(500) });
    fc.assert(
      fc.property(fc.array(anyTax, { maxLength: 6 }), policies, stays, (drawn, said, { nights, ...party }) => {
        const taxes = drawn.map((tax, index) => ({ ...tax, code: `T${index}`, name: `Tax ${index}` }));
        setPolicies(scene, { ...said, taxes });
        const wanted = { ...query, ...party, checkOut: query.checkIn + nights };
        const rate = scene.view.quote(wanted, scene.now).rates.find(({ roomType }) => roomType === 'STD')!;
        const { id, nights: booked, stay } = scene.accept(bookCommand({ stay: wanted })).reservation;
        setPolicies(scene, {});
        moved(scene, id, 5, 5 + nights + 1);
        const back = moved(scene, id, stay.checkIn - DAY, stay.checkOut - DAY).nights;
        scene.accept(cancelCommand(id));
        const { total } = totals(booked);
        const isSame = JSON.stringify(back) === JSON.stringify(booked);
        return isSame && total === rate.total + rate.taxes + rate.fees;
      }),
      { numRuns: 200 },
    );
  },
);

t.test('a change of taxes alters no booked night; new nights have those of the day', async (t) => {
  const scene = sceneOf();
  const { id } = book(scene, 5, 7);
  setPolicies(scene, { taxes: [{ ...CITY, value: 400, maxNights: 4 }] });
  const longer = moved(scene, id, 5, 10);
  t.same(linesOf(longer), ['VAT 909, CITY 500, ONCE 900', 'VAT 909, CITY 500', 'CITY 800', 'CITY 800', '']);
  t.same(linesOf(moved(scene, id, 5, 9)), linesOf(longer).slice(0, 4), 'each by its own, change after change');
  setPolicies(scene, {});
  const again = moved(scene, id, 5, 10);
  t.same(linesOf(again), [...linesOf(longer).slice(0, 4), ''], 'a property without taxes has none for new nights');
});

t.test('the place of a night in the stay that results says what it owes', async (t) => {
  const scene = sceneOf();
  const { id } = book(scene, 5, 9);
  const all = ['VAT 909, CITY 500, ONCE 900', 'VAT 909, CITY 500'];
  t.same(linesOf(moved(scene, id, 7, 9)), all, 'its first nights are given up: others are the first ones');
  t.same(linesOf(moved(scene, id, 4, 9)), [...all, 'VAT 909', 'VAT 909', 'VAT 909'], 'nothing is owed twice');
  t.same(linesOf(moved(scene, id, 4, 6, { adults: 1 })), ['VAT 909, CITY 250, ONCE 900', 'VAT 909, CITY 250']);
});

t.test('a stay that was booked before there were taxes keeps to the policies', async (t) => {
  const scene = sceneOf({ taxes: [], taxPercent: 10, feePerPersonNight: 200 });
  const { id, nights } = book(scene, 5, 7);
  setPolicies(scene, { taxPercent: 10, feePerPersonNight: 200, taxes: TAXES });
  const longer = moved(scene, id, 5, 8);
  t.same(longer.nights.slice(0, 2), nights);
  t.same(linesOf(longer)[2], 'VAT 909, TAX 1000, FEES 400', 'the third night is not among the first two');
  t.match(moved(scene, id, 5, 7, { adults: 1 }).nights, [{ rate: 10_000, taxes: 1_000, fees: 200 }, { fees: 200 }]);
});

t.test('a discount is taken of the price as it is shown, and what it left is known in a change', async (t) => {
  const scene = sceneOf();
  scene.accept({
    type: 'CREATE_PROMOTION',
    promotion: {
      id: 'p1',
      name: 'Ten percent',
      promoCode: 'TEN',
      discount: { type: 'PERCENTAGE', value: 10 },
      validity: { start: DAY, end: DAY + 30 },
      conditions: { minimumStay: 2 },
      inventory: {},
    },
    estimate: { bookings: 0, revenue: 0 },
  });
  const { reservation } = scene.accept(bookCommand({ promoCode: 'TEN' }));
  t.same(reservation.nights.map(priceOf), [9_000, 9_000]);
  t.match(reservation.basis?.nights, [{ list: 10_000 }, { list: 10_000 }]);
  t.same(moved(scene, reservation.id, 5, 8).nights.map(priceOf), [9_000, 9_000, 9_000]);
  t.same(moved(scene, reservation.id, 5, 6).nights.map(priceOf), [10_000], 'one night has no discount');
});

t.test('a penalty has the tax of its nights by code, and no city tax', async (t) => {
  const scene = sceneOf({ freeCancellationHours: 720 });
  const command = startBookingCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 8 } });
  const { attempt } = scene.accept(command);
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt, scene.now) });
  const { reservation } = scene.accept(cancelCommand(command.booking.reservationId));
  const { base, taxes, fees, total } = folioTotals(reservation);
  t.same([total, fees], [11_400, 0], 'the first night with all that is on it');
  t.same(folioTaxLines(reservation), [{ code: 'VAT', amount: taxes }]);
  t.equal(base + taxes, total);
  t.ok(taxLinesOf(reservation.nights).length > 1);
});
