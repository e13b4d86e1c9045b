import fc from 'fast-check';
import t from 'tap';

import type { Command } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf } from '../../../src/kernel/rules/money.ts';
import { billOf, folioTaxLines, folioTotals, received } from '../../../src/money/rules/folio.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { penaltyParts } from '../../../src/money/rules/penalty.ts';
import { DEFAULT_POLICIES } from '../../../src/properties/rules/property.ts';
import type { Tax } from '../../../src/properties/rules/tax.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { depositOf, instalmentsOf } from '../../../src/stay/rules/guarantee.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  group,
  modifyCommand,
  noShowCommand,
  NOW,
  paid,
  placeHoldCommand,
  plainRoom,
  plan,
  promotion,
  property as propertyOf,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

const HOUR = 3_600_000;
const YEN = 100;
const RULES = { taxPercent: 8.5, feePerNight: 333 * YEN, feePerPersonNight: 151 * YEN, depositPercent: 30 };
const CODES = ['BAR', 'NRF', 'WEB', 'DYN', 'LONG', 'DEP'];

const ofTax = (code: string, changed: Partial<Tax>): Tax => {
  return { code, name: code, kind: 'PERCENT', value: 7.77, included: false, on: 'ALL', ...changed };
};
const TAXES = [
  ofTax('VAT', { included: true }),
  ofTax('LEVY', { value: 1.23, included: true }),
  ofTax('TOP', { value: 3.33 }),
  ofTax('CITY', { kind: 'PER_PERSON_NIGHT', value: 149 * YEN, on: 'ROOM', maxNights: 2 }),
  ofTax('ONCE', { kind: 'PER_STAY', value: 777 * YEN, on: 'ROOM' }),
];

/** A plan that is paid in parts, and whose penalties are parts too. */
const DEPOSITS: Partial<RatePlan> = {
  guarantee: 'PREPAY',
  depositSchedule: [
    { percent: 33.33, due: { at: 'BOOKING' } },
    { percent: 12.34, due: { daysBefore: 2 } },
    { percent: 21.21, due: { daysBefore: 1 } },
  ],
  terms: {
    cancellation: { freeUntilHours: null, penalty: { kind: 'PERCENT', value: 41.41 } },
    earlyDeparture: { kind: 'PERCENT', value: 12.34 },
    noShow: { kind: 'PERCENT', value: 66.67 },
    change: 'FEE',
    changeFee: 1_111 * YEN,
  },
};

/** A property in Tokyo's currency where every rule has a percent that leaves fractions. */
function property(taxes: Tax[] = []): Scene {
  const policies = { ...RULES, cancellationPolicies: [HALF], taxes };
  const scene = Scene.property({ currency: 'JPY', policies });
  const season = { name: 'Bloom', start: DAY + 3, end: DAY + 9, multiplier: 117, amount: 55 * YEN };
  for (const [roomType, rate] of [['STD', 12_345] as const, ['DLX', 23_457] as const]) {
    scene.accept({ ...(baseRates(roomType, rate * YEN) as RatesCommand), seasons: [season] });
    scene.accept({ type: 'SET_INVENTORY', roomType, start: DAY, end: DAY + 30, totalRooms: 50 });
    const nights = [4, 5, 6].map((offset) => ({ day: DAY + offset, demand: 7, market: 11_111_11 }));
    scene.accept({ type: 'SET_SIGNALS', roomType, nights });
  }
  const lengthOfStayRules = [{ minNights: 2, percent: -3.33 }];
  const plans = [
    plan({ code: 'WEB', parentCode: 'BAR', adjustmentPercent: -7.77, cancellationPolicy: 'HALF' }),
    plan({ code: 'DYN', strategy: 'DYNAMIC', adjustmentPercent: 1.23 }),
    plan({ code: 'LONG', lengthOfStayRules, occupancyRules: { singleRate: 9_999 * YEN } }),
    plan({ code: 'DEP', adjustmentPercent: -3.21, ...DEPOSITS }),
  ];
  for (const one of plans) scene.accept({ type: 'PUT_RATE_PLAN', plan: one, mode: 'create' });
  const discounts = [
    { type: 'PERCENTAGE', value: 12.5 },
    { type: 'FIXED_AMOUNT', value: 3_001 * YEN },
    { type: 'FREE_NIGHTS', value: 1 },
  ] as const;
  discounts.forEach((discount, index) =>
    scene.accept(promotion({ id: freshId(), promoCode: `P${index}`, discount, conditions: { minimumStay: 2 } })),
  );
  const rooms = ['101', '102', '103'].map((number) => plainRoom(number));
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

const HALF = { name: 'HALF', freeHours: null, penalty: { percent: 33.33 } };
type RatesCommand = Extract<Command, { type: 'SET_BASE_RATES' }>;

/** Every amount of a reservation, and of all that is computed of it. */
function amountsOf(reservation: Reservation): Record<string, number> {
  const { nights, payments, charges = [], cancellation, retained = 0, basis } = reservation;
  const penalty = cancellation?.penalty ?? 0;
  const { total } = folioTotals(reservation);
  return {
    ...fieldsOf(
      'tax line',
      folioTaxLines(reservation).map(({ amount }) => ({ amount })),
    ),
    ...fieldsOf(
      'tax of a night',
      nights.flatMap(({ taxLines = [] }) => taxLines).map(({ amount }) => ({ amount })),
    ),
    ...fieldsOf(
      'instalment',
      instalmentsOf(reservation, total).map(({ amount }) => ({ amount })),
    ),
    deposit: depositOf(reservation, total, DEFAULT_POLICIES, reservation.stay.checkIn),
    owed: cancellation?.owed?.amount ?? 0,
    paid: reservation.paid,
    retained,
    ...folioTotals(reservation),
    ...billOf(reservation),
    ...fieldsOf(
      'night',
      nights.map(({ rate, taxes: tax, fees }) => ({ rate, tax, fees })),
    ),
    ...fieldsOf(
      'payment',
      payments.map(({ amount }) => ({ amount })),
    ),
    ...fieldsOf(
      'charge',
      charges.map(({ amount }) => ({ amount })),
    ),
    ...fieldsOf(
      'list',
      (basis?.nights ?? []).map(({ list }) => ({ list })),
    ),
    ...fieldsOf(
      'line',
      invoiceOf(reservation).lines.map(({ amount, taxes }) => ({ amount, taxes })),
    ),
    penalty,
    refund: cancellation?.refund ?? 0,
    ...penaltyParts(penalty, nights, reservation.currency),
  };
}

const fieldsOf = (name: string, all: Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    all.flatMap((one, index) => Object.entries(one).map(([field, amount]) => [`${name} ${index} ${field}`, amount])),
  );

function mustBeWhole(amounts: Record<string, number>): void {
  for (const [name, amount] of Object.entries(amounts))
    if (amount % YEN !== 0) throw new Error(`${name} is ${amount / 100}`);
}

const MOVES = ['dates', 'longer', 'shorter', 'type', 'guests', 'wait', 'in', 'out', 'missing', 'refund', 'collect'];
const move = fc.record({
  what: fc.constantFrom(...MOVES),
  by: fc.integer({ min: -3, max: 4 }),
  hours: fc.integer({ min: 1, max: 60 }),
});

/** Does what a guest or the desk does, or does not where it is refused. */
function play(scene: Scene, id: string, { what, by, hours }: { what: string; by: number; hours: number }): void {
  const { stay } = scene.state.reservations.get(id)!;
  const change = (wanted: Parameters<typeof modifyCommand>[1]) =>
    scene.accept({ ...modifyCommand(id, wanted), reason: 'the guest asked', modifiedBy: 'desk' });
  const charges = [{ description: 'Minibar', amount: hours * YEN }];
  const refund = { refundId: freshId(), amount: hours * 10 * YEN, reason: 'noise', by: 'desk', goodwill: by > 0 };
  const moves: Record<string, () => unknown> = {
    wait: () => {
      scene.now += hours * HOUR;
      scene.accept({ type: 'TICK' });
    },
    dates: () => change({ checkIn: stay.checkIn + by, checkOut: stay.checkOut + by }),
    longer: () => change({ checkOut: stay.checkOut + 1 }),
    shorter: () => change({ checkOut: stay.checkOut - 1 }),
    type: () => change({ roomType: stay.roomType === 'STD' ? 'DLX' : 'STD' }),
    guests: () => change({ adults: 1 + (hours % 2) }),
    in: () => scene.accept(checkInCommand(id, { at: scene.now })),
    out: () => scene.accept(checkOutCommand(id, { at: undefined, charges, forced: true })),
    missing: () => scene.accept(noShowCommand(id)),
    collect: () => {
      const ids = { paymentId: freshId(), cancellationId: freshId(), refundId: freshId() };
      const { attempt: started } = scene.accept({ type: 'CHARGE_DUE', reservationId: id, ...ids });
      if (started) scene.accept(endPaymentCommand(id, paid(started, scene.now)));
    },
    refund: () => scene.accept({ type: 'GIVE_REFUND', reservationId: id, ...refund }),
  };
  attempt(moves[what]!);
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

t.test('a currency without cents has none in any amount, whatever becomes of a stay', async (t) => {
  let stays = 0;
  let refunded = 0;
  let collected = 0;
  const wish = fc.record({
    rateCode: fc.constantFrom(...CODES),
    promoCode: fc.constantFrom(undefined, 'P0', 'P1', 'P2'),
    roomType: fc.constantFrom('STD', 'DLX'),
    nights: fc.integer({ min: 1, max: 5 }),
    adults: fc.integer({ min: 1, max: 2 }),
    isHeld: fc.boolean(),
    isTaxed: fc.boolean(),
    isCardTaken: fc.boolean(),
  });
  fc.assert(
    fc.property(wish, fc.array(move, { maxLength: 6 }), (wished, moves) => {
      const { nights, isHeld, isTaxed, isCardTaken, promoCode, ...of } = wished;
      const scene = property(isTaxed ? TAXES : []);
      const billing = isCardTaken ? ({ card: 'sealed', isCardTaken } as const) : undefined;
      const stay = { ...of, checkIn: DAY + 4, checkOut: DAY + 4 + nights };
      attempt(() => {
        const fromHold = isHeld ? scene.accept(placeHoldCommand(1, stay)).id : undefined;
        const command = startBookingCommand({
          stay,
          promoCode,
          billing,
          ...(fromHold !== undefined && { fromHold }),
        });
        const payment = paid(scene.accept(command).attempt, scene.now);
        const { id } = scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment }).reservation;
        for (const one of moves) {
          play(scene, id, one);
          mustBeWhole(amountsOf(scene.state.reservations.get(id)!));
        }
        attempt(() => scene.accept(cancelCommand(id)));
        const { payments } = scene.state.reservations.get(id)!;
        const owed = payments.find(({ type, status }) => type === 'CHARGE' && status === 'PROCESSING');
        if (owed) scene.accept(endPaymentCommand(id, paid(owed, scene.now)));
        if (owed) collected += 1;
        const after = scene.state.reservations.get(id)!;
        mustBeWhole(amountsOf(after));
        stays += 1;
        if (after.payments.some(({ type }) => type === 'REFUND')) refunded += 1;
        if (received(after.payments) !== after.paid) throw new Error('what is paid is not what came and stayed');
        const { status, cancellation } = after;
        if (status === 'CANCELLED' && after.paid !== cancellation!.penalty)
          throw new Error(`${after.paid} is left of a penalty of ${cancellation!.penalty}`);
      });
    }),
    { numRuns: inCiOrNightly(300, 3_000) },
  );
  t.comment(`${stays} stays, ${refunded} of them with refunds, ${collected} with a penalty of a card`);
  t.ok(stays > 100 && refunded > 50 && collected > 5, 'often enough to say something');
});

for (const taxes of [[], TAXES])
  t.test(`quotes, calendar, grid and recommendations have no cents either: ${taxes.length} taxes`, async (t) => {
    const scene = property(taxes);
    const party = partyOfPersons(2);
    for (const rateCode of CODES)
      for (const promoCode of [undefined, 'P0', 'P1'])
        for (const nights of [2, 3]) {
          const query = {
            ...party,
            checkIn: DAY + 4,
            checkOut: DAY + 4 + nights,
            rateCode,
            promoCode,
            explain: true,
          };
          for (const rate of scene.view.quote(query, NOW).rates) {
            const { total, average, fees, nightly, steps, taxLines = [] } = rate;
            mustBeWhole({ total, average, taxes: rate.taxes, fees });
            mustBeWhole(Object.fromEntries(taxLines.map(({ code, amount }) => [code, amount])));
            t.equal(taxLines.length > 0, taxes.length > 0);
            nightly.forEach((price, index) => {
              const ofNight = steps![index]!.map(({ amount }) => amount);
              t.equal(
                ofNight.reduce((sum, amount) => sum + amount, 0),
                price,
                'steps sum to the rate',
              );
              mustBeWhole(Object.fromEntries([price, ...ofNight].map((amount, at) => [`step ${at}`, amount])));
            });
          }
        }
    for (const { rate } of scene.view.calendar({ start: DAY, end: DAY + 20, ...party })) mustBeWhole({ rate: rate! });
    for (const { rate } of scene.view.grid(DAY, DAY + 20)) mustBeWhole({ rate: rate! });
    const all = scene.view.rateNights(DAY, DAY + 20);
    for (const { rate, low, high } of all) mustBeWhole({ rate, low, high });
    const nights = all.map(({ roomType, day, rate }) => ({ roomType, day, from: rate, to: rate + 1_237 * YEN }));
    scene.accept({ type: 'IMPLEMENT_RATES', optimizationId: freshId(), nights });
    for (const { base, amount, rate } of scene.view.baseNights(DAY, DAY + 20))
      mustBeWhole({ base, amount, rate: rate! });
    const { rates } = scene.accept(placeHoldCommand(1)).terms!;
    mustBeWhole(Object.fromEntries(rates.flat().map((rate, index) => [`held ${index}`, rate])));
  });

t.test('a tax in the price, one on top and a city tax are whole in every line', async (t) => {
  const scene = property([ofTax('VAT', { included: true }), ofTax('TOP', { value: 3.33 }), TAXES[3]!]);
  const stay = { checkIn: DAY + 15, checkOut: DAY + 17, rateCode: 'DEP', adults: 2 };
  const { attempt: charged } = scene.accept(startBookingCommand({ stay }));
  const { nights } = scene.accept(bookCommand({ stay })).reservation;
  // 3.21 percent off 12,345 are 396: 11,949 a night, of which 861 are in it; 398 and 1,016 come on top of it.
  const lines = [
    { code: 'TAX', amount: 1_016 * YEN },
    { code: 'VAT', amount: 861 * YEN, included: true },
    { code: 'TOP', amount: 398 * YEN },
  ];
  t.match(nights[0], { rate: 11_088 * YEN, taxes: 2_275 * YEN, fees: 933 * YEN });
  for (const line of lines)
    t.match(
      nights[0]!.taxLines!.find(({ code }) => code === line.code),
      line,
    );
  // A night is 14,296, and 33.33 percent of two are 9,529.71.
  t.equal(charged.amount, 9_530 * YEN);
});

t.test('an amount with cents is refused where there are none, naming its field', async (t) => {
  const scene = property();
  const refused = (command: Command, ...pointers: string[]) => {
    const { code, details } = scene.refuse(command);
    t.equal(code, 'VALIDATION_FAILED');
    t.match(
      details.errors,
      pointers.map((pointer) => ({ pointer, code: 'NO_CENTS', detail: /JPY/ })),
    );
  };
  const rates = baseRates('STD', 12_345_50) as RatesCommand;
  const season = { name: 'Cents', start: DAY, end: DAY, multiplier: 100, amount: 50 };
  refused(
    { ...rates, seasons: [season], rates: rates.rates.slice(0, 1) },
    '/rates/0/rate',
    '/seasonalAdjustments/0/adjustment',
  );
  const occupancyRules = { extraPersonRate: 1 };
  const put = (changed: Parameters<typeof plan>[0]) =>
    ({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'CENT', ...changed }), mode: 'create' }) as const;
  refused(put({ minRate: 101, adjustmentAmount: -50 }), '/minRate', '/adjustmentAmount');
  refused(put({ occupancyRules }), '/rules/occupancyRules/extraPersonRate');
  refused(promotion({ promoCode: 'CENT', discount: { type: 'FIXED_AMOUNT', value: 150 } }), '/discount/value');
  refused(group(1, { blocks: [{ roomType: 'STD', day: DAY + 5, rooms: 1, rate: 8_050 }] }), '/blocks/0/rate');
  refused(put({ terms: { ...DEPOSITS.terms!, changeFee: 150 } }), '/terms/changeFee');
  const taxes = [ofTax('VAT', { value: 7.77 }), ofTax('CITY', { kind: 'PER_STAY', value: 150, on: 'ROOM' })];
  const next = propertyOf({ currency: 'JPY', policies: { ...RULES, feePerNight: 250, taxes } });
  refused(
    { type: 'UPDATE_PROPERTY', property: next },
    '/metadata/policies/feePerNight',
    '/metadata/policies/taxes/1/value',
  );
  const command = startBookingCommand();
  const { attempt: charged } = scene.accept(command);
  const { reservation } = scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(charged) });
  const { id: reservationId } = reservation;
  const by = { reason: 'noise', by: 'desk', refundId: freshId() };
  refused({ type: 'GIVE_REFUND', reservationId, amount: 150, ...by }, '/amount');
  refused({ type: 'WAIVE_PENALTY', reservationId, amount: 150, ...by }, '/amount');
  const came = { paymentId: charged.paymentId, eventId: 'e', status: 'SUCCESS', currency: 'JPY', at: NOW } as const;
  refused({ type: 'TAKE_PAYMENT_RESULT', reservationId, refundId: freshId(), amount: 101, ...came }, '/amount');
  refused(checkOutCommand(reservationId, { charges: [{ description: 'Bar', amount: 1 }] }), '/finalCharges/0/amount');
});

t.test('what was set in a currency with cents is rounded when the property sells in one without', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false, feePerNight: 250 } });
  scene.accept(baseRates('STD', 10_050));
  const next = propertyOf({ currency: 'KRW', policies: { paymentRequired: false, feePerNight: 200 } });
  scene.accept({ type: 'UPDATE_PROPERTY', property: next });
  const query = { ...partyOfPersons(1), checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', roomType: 'STD' };
  t.match(scene.view.quote(query, NOW).rates, [{ nightly: [10_000, 10_000], taxes: 2_000 }], 'half to even');
  t.equal(incrementOf('KRW'), 100);
});
