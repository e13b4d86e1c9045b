import t from 'tap';

import { SignedText } from '../../../src/kernel/operations/signed-text.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { NewPromotion } from '../../../src/kernel/rules/commands/rates.ts';
import type { VerifiedQuote } from '../../../src/kernel/rules/commands/stay.ts';
import type { InquiryId } from '../../../src/kernel/rules/ids.ts';
import { incrementOf } from '../../../src/kernel/rules/money.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import { QuoteTokens, verifyQuote } from '../../../src/rates/operations/quote-token.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { partyOfPersons, type Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  freshId,
  modifyCommand,
  placeHoldCommand,
  plainRoom,
  plan,
  promotion,
  property,
  PROPERTY_ID,
  roomType,
  stayWish,
} from '../../../src/testing/property-world.ts';

const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);
const DAY_MS = 86_400_000;
const FREE = { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0, paymentRequired: false };

type Case = {
  own?: Partial<RatePlan>;
  promoted?: Partial<NewPromotion>;
  stay?: Partial<Stay>;
  change: Partial<Stay>;
  /** Prices of its nights after the change. */
  costs: number[];
  currency?: string;
};

const nights = (from: number, to: number) => ({ checkIn: DAY + from, checkOut: DAY + to });
const MIN_4 = { conditions: { minimumStay: 4 } };
const OCCUPANCY = [{ included: 2, extraAdult: 4_000, single: -3_000, bands: {} }];

const CASES: Record<string, Case> = {
  'length of stay, shortened': {
    own: { lengthOfStayRules: [{ minNights: 5, percent: -40 }] },
    stay: nights(10, 16),
    change: nights(10, 11),
    costs: [10_000],
  },
  'length of stay, extended': {
    own: { lengthOfStayRules: [{ minNights: 2, percent: -40 }] },
    stay: nights(10, 11),
    change: nights(9, 11),
    costs: [6_300, 6_000],
  },
  'days in advance, moved nearer': {
    own: { advanceRules: [{ minDays: 12, percent: -40 }] },
    stay: nights(13, 15),
    change: nights(11, 14),
    costs: [10_500, 10_500, 10_000],
  },
  'more guests': {
    own: { occupancyPricing: OCCUPANCY },
    stay: { ...nights(10, 12), ...partyOfPersons(1) },
    change: partyOfPersons(4),
    costs: [18_000, 18_000],
  },
  'fewer guests': {
    own: { occupancyPricing: OCCUPANCY },
    stay: { ...nights(10, 12), ...partyOfPersons(4) },
    change: partyOfPersons(1),
    costs: [7_000, 7_000],
  },
  'more guests, by one set of rates': {
    own: { occupancyRules: { singleRate: 8_000, doubleRate: 10_000, extraPersonRate: 3_000 } },
    stay: { ...nights(10, 12), ...partyOfPersons(1) },
    change: partyOfPersons(3),
    costs: [13_000, 13_000],
  },
  'free nights': {
    promoted: { discount: { type: 'FREE_NIGHTS', value: 1 }, ...MIN_4 },
    stay: nights(10, 14),
    change: nights(10, 11),
    costs: [10_000],
  },
  'an amount off': {
    promoted: { discount: { type: 'FIXED_AMOUNT', value: 20_000 }, ...MIN_4 },
    stay: nights(10, 14),
    change: nights(10, 11),
    costs: [10_000],
  },
  'everything off': {
    promoted: { discount: { type: 'PERCENTAGE', value: 100 }, ...MIN_4 },
    stay: nights(10, 14),
    change: nights(10, 12),
    costs: [10_000, 10_000],
  },
  'percent off a plan that is derived': {
    own: { parentCode: 'ROOT', adjustmentPercent: 10 },
    promoted: { discount: { type: 'PERCENTAGE', value: 33.33 }, ...MIN_4 },
    stay: nights(10, 15),
    change: nights(10, 12),
    costs: [11_000, 11_000],
  },
};

function opened({ own = {}, promoted, currency = 'EUR' }: Case): Scene {
  const scene = Scene.property({ currency, policies: FREE });
  const sleeps = { maxAdults: 4, maxGuests: 4 };
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 20, sleeps), mode: 'replace' });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const rules = { lengthOfStayRules: [{ minNights: 5, percent: -40 }] };
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'ROOT', ...rules }), mode: 'create' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'OWN', ...own }), mode: 'create' });
  if (promoted) scene.accept(promotion(promoted));
  return scene;
}

/** The ways in which a price is promised. Each gives what the booking takes after prices have changed. */
const PROMISES: Record<string, (scene: Scene, stay: Stay, promoCode?: string) => object> = {
  token: (scene, stay, promoCode) => ({ quote: tokenOf(scene, stay, promoCode), promoCode }),
  hold: (scene, stay, promoCode) => ({ fromHold: scene.accept(placeHoldCommand(1, stay)).id, promoCode }),
  inquiry: (scene, stay, promoCode) => {
    const wanted = { inquiryId: freshId() as InquiryId, stay, guest: { firstName: 'A', lastName: 'B' } };
    const command: CommandOf<'KEEP_INQUIRY'> = {
      type: 'KEEP_INQUIRY',
      inquiry: wanted,
      ...(promoCode && { promoCode }),
    };
    const { inquiry } = scene.accept(command);
    return { quote: inquiry.quote, inquiryId: inquiry.inquiryId, promoCode };
  },
};

function tokenOf(scene: Scene, stay: Stay, promoCode?: string): VerifiedQuote {
  const { roomType: type, ...of } = stay;
  const query = { ...of, ...(promoCode !== undefined && { promoCode }) };
  const rate = scene.view.quote(query, scene.now).rates.find((one) => one.roomType === type)!;
  const token = new QuoteTokens(signed, PROPERTY_ID, query, scene.now, scene.view.charges).of(rate);
  t.ok(token.length < 600, 'short enough for a query');
  return verifyQuote(signed, token, PROPERTY_ID, stay);
}

const dearer = (scene: Scene): void => void scene.accept(baseRates('STD', 10_500));

/** Books by a promise, or directly, before one night or all have another price. */
function booked(of: Case, promise?: string): { scene: Scene; it: Reservation } {
  const scene = opened(of);
  const stay = stayWish({ rateCode: 'OWN', ...of.stay });
  const promoCode = of.promoted && 'TEN';
  const options = promise === undefined ? { promoCode } : PROMISES[promise]!(scene, stay, promoCode);
  if (promise !== undefined) dearer(scene);
  const it = scene.accept(bookCommand({ stay, ...options })).reservation;
  if (promise === undefined) dearer(scene);
  return { scene, it };
}

const prices = ({ nights: all }: Reservation): number[] => all.map(priceOf);

for (const [name, of] of Object.entries(CASES))
  for (const promise of Object.keys(PROMISES))
    void t.test(`${promise}, ${name}: a change is priced as if the stay had been booked then`, async (t) => {
      const direct = booked(of);
      const { scene, it } = booked(of, promise);
      t.same(prices(it), prices(direct.it), 'sold at the promised price');
      t.same(it.basis?.promotion, direct.it.basis?.promotion);
      t.same(
        it.basis?.nights.map(({ list }) => list),
        direct.it.basis?.nights.map(({ list }) => list),
      );
      const change = modifyCommand(it.id, of.change);
      const preview = scene.accept({ ...change, dryRun: true }).reservation;
      const { reservation } = scene.accept(change);
      t.same(prices(preview), prices(reservation));
      t.same(prices(reservation), of.costs);
      const expected = direct.scene.accept(modifyCommand(direct.it.id, of.change)).reservation;
      t.same(prices(expected), of.costs, 'what a direct booking costs');
    });

for (const promise of Object.keys(PROMISES))
  void t.test(`${promise}: who leaves early loses the discount for a longer stay`, async (t) => {
    const own = { lengthOfStayRules: [{ minNights: 5, percent: -40 }] };
    const { scene, it } = booked({ own, stay: nights(0, 6), change: {}, costs: [] }, promise);
    t.same(
      prices(it),
      it.nights.map(() => 6_000),
    );
    scene.accept(checkInCommand(it.id));
    scene.now += DAY_MS;
    scene.accept({ type: 'TICK' });
    const { reservation } = scene.accept(checkOutCommand(it.id, { at: undefined, forced: true }));
    t.same(prices(reservation), [10_000]);
  });

void t.test('conditions are judged as of the day of the promise', async (t) => {
  const own = { advanceRules: [{ minDays: 12, percent: -40 }] };
  const scene = opened({ own, change: {}, costs: [] });
  const stay = stayWish({ rateCode: 'OWN', ...nights(13, 15) });
  const options = PROMISES.inquiry!(scene, stay);
  scene.now += 3 * DAY_MS;
  scene.accept({ type: 'TICK' });
  const { id } = scene.accept(bookCommand({ stay, ...options })).reservation;
  t.same(prices(scene.accept(modifyCommand(id, nights(13, 14))).reservation), [6_000]);
});

void t.test('the price before a discount is the promised one to the cent, in the promised currency', async (t) => {
  for (const [currency, other, base] of [
    ['EUR', 'USD', 99_999],
    ['JPY', 'EUR', 999_900],
  ] as const)
    for (const promise of Object.keys(PROMISES)) {
      const half = { discount: { type: 'PERCENTAGE', value: 50 }, conditions: { minimumStay: 2 } } as const;
      const of = { promoted: half, currency, change: {}, costs: [] };
      const scene = opened(of);
      scene.accept(baseRates('STD', base));
      const stay = stayWish(nights(10, 12));
      const options = PROMISES[promise]!(scene, stay, 'TEN');
      scene.accept({ type: 'UPDATE_PROPERTY', property: property({ currency: other, policies: FREE }) });
      const { id } = scene.accept(bookCommand({ stay, ...options })).reservation;
      const { reservation } = scene.accept(modifyCommand(id, nights(10, 11)));
      t.same([reservation.currency, prices(reservation)], [currency, [base]], `${promise}, ${incrementOf(currency)}`);
    }
});

void t.test('nights that are added later are priced with the others while the plan stays the same', async (t) => {
  const own = { lengthOfStayRules: [{ minNights: 5, percent: -40 }] };
  for (const promise of Object.keys(PROMISES)) {
    const { scene, it } = booked({ own, stay: nights(10, 11), change: {}, costs: [] }, promise);
    const longer = scene.accept(modifyCommand(it.id, nights(10, 15))).reservation;
    t.same(prices(longer), [6_000, 6_300, 6_300, 6_300, 6_300], promise);
    const shorter = scene.accept(modifyCommand(it.id, nights(11, 13))).reservation;
    t.same(prices(shorter), [10_500, 10_500], promise);
  }
});

void t.test('promises of the release before are sold as before', async (t) => {
  const own = { lengthOfStayRules: [{ minNights: 5, percent: -40 }] };
  const stay = stayWish({ rateCode: 'OWN', ...nights(10, 16) });
  const scene = opened({ own, change: {}, costs: [] });
  const { basis: _none, ...quote } = tokenOf(scene, stay);
  const hold = scene.accept(placeHoldCommand(1, stay));
  delete scene.state.holds.get(hold.id)!.terms!.basis;
  const current = scene.accept(bookCommand({ stay, quote })).reservation;
  t.ok(current.basis?.lineage, 'at a price that has not changed since');
  t.same(prices(scene.accept(modifyCommand(current.id, nights(10, 11))).reservation), [10_000]);
  dearer(scene);
  for (const options of [{ fromHold: hold.id }, { quote: { ...quote, quoteId: 'q2' } }]) {
    const { reservation } = scene.accept(bookCommand({ stay, ...options }));
    t.same(
      prices(reservation),
      reservation.nights.map(() => 6_000),
    );
    t.same(prices(scene.accept(modifyCommand(reservation.id, nights(10, 11))).reservation), [6_000]);
  }
});
