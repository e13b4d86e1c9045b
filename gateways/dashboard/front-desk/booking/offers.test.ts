import t from 'tap';

import { bookingBodyOf } from './bodies.ts';
import {
  chargedNow,
  offerOf,
  offersOf,
  partyKey,
  paysFor,
  roomsOfForm,
  sumOfAmounts,
  tooMany,
  withOffers,
} from './offers.ts';
import type { BookingForm, StayOffer, Plan, PlanQuote, RoomTypeQuote, RoomForm } from './shapes.ts';

const NONE = { kind: 'NONE' as const, value: 0 };

function plan(code: string, changes: Partial<Plan> = {}): Plan {
  const terms = {
    cancellation: { freeUntilHours: 48, penalty: { kind: 'NIGHTS' as const, value: 1 } },
    earlyDeparture: NONE,
    noShow: NONE,
    change: 'FREE' as const,
  };
  const shown = { code, name: code, inherits: [], depositSchedule: null, releaseHour: null, terms };
  return { ...shown, ...changes } as unknown as Plan;
}

function rate(roomType: string, totalRate: number, changes: Partial<RoomTypeQuote> = {}): RoomTypeQuote {
  const shown = {
    roomType,
    currency: 'EUR',
    dailyRates: [
      { date: '2026-03-01', rate: totalRate, availability: 3 },
      { date: '2026-03-02', rate: 0, availability: 2 },
    ],
    totalRate,
    taxes: 0.1,
    fees: 0.2,
    bookable: true,
    quoteToken: `token ${roomType}`,
    guarantee: 'PREPAY',
    cancellation: { policyName: 'STANDARD', deadlineDate: null },
  };
  return { ...shown, ...changes } as unknown as RoomTypeQuote;
}

const quote = (rates: RoomTypeQuote[], unavailable: PlanQuote['unavailable'] = []): PlanQuote =>
  ({ rates, unavailable }) as unknown as PlanQuote;
const room = (changes: Partial<RoomForm> = {}): RoomForm => ({
  adults: 2,
  childAges: [],
  roomType: '',
  rateCode: 'BAR',
  ...changes,
});
const form = (changes: Partial<BookingForm> = {}): BookingForm => ({
  kind: 'reservation',
  checkIn: '2026-03-01',
  checkOut: '2026-03-03',
  differ: false,
  rooms: [room()],
  roomNumber: '',
  guestId: '',
  firstName: ' Ada ',
  lastName: 'King',
  email: 'ada@example.com',
  phone: '',
  requests: '',
  promoCode: '',
  channel: 'PHONE',
  pays: 'CARD',
  companyId: '',
  ...changes,
});

const BAR = plan('BAR', { inherits: ['guarantee', 'terms'] });
const FLEX = plan('FLEX');
const found = offersOf([
  { plan: FLEX, quote: quote([rate('STD', 110), rate('DLX', 165)]) },
  {
    plan: BAR,
    quote: quote(
      [rate('DLX', 150), rate('STD', 100), rate('STE', 300, { bookable: false, dailyRates: [soldOut()] })],
      [{ roomType: 'LOFT', code: 'STOP_SELL', date: '2026-03-01', detail: 'It is not sold.' }],
    ),
  },
]);

function soldOut(): RoomTypeQuote['dailyRates'][number] {
  return { date: '2026-03-02', rate: 300, availability: 0 };
}

t.test('offers stand by price with taxes and fees, and say what is not sold', async (t) => {
  t.same(
    found.offers.map(({ roomType, plan: { code }, total, left }) => [roomType, code, total, left]),
    [
      ['STD', 'BAR', 100.3, 2],
      ['STD', 'FLEX', 110.3, 2],
      ['DLX', 'BAR', 150.3, 2],
      ['DLX', 'FLEX', 165.3, 2],
    ],
    'the fullest night counts',
  );
  t.same(found.notSold, [
    { roomType: 'STE', reason: 'SOLD_OUT 2026-03-02' },
    { roomType: 'LOFT', reason: 'It is not sold.' },
  ]);
  t.equal(sumOfAmounts([0.1, 0.2]), 0.3, 'cents are exact');
});

t.test('a type that was asked for is never exchanged for another one', async (t) => {
  const offers = new Map([['2/', found]]);
  t.match(withOffers([room()], offers), [{ roomType: 'STD', rateCode: 'BAR' }], 'the cheapest type to begin with');
  t.match(withOffers([room({ roomType: 'DLX', rateCode: 'GONE' })], offers), [{ roomType: 'DLX', rateCode: 'BAR' }]);
  t.match(withOffers([room({ roomType: 'STE' })], offers), [{ roomType: 'STE' }]);
  const chosen = room({ roomType: 'DLX', rateCode: 'FLEX' });
  t.same(withOffers([chosen], offers), [chosen]);
});

t.test('the card pays what is due by then, and all of it under a plan without a guarantee of its own', async (t) => {
  const [offer] = offersOf([{ plan: BAR, quote: quote([rate('STD', 99.7)]) }]).offers as [StayOffer];
  const at = (changes: Partial<Plan>, guarantee: StayOffer['guarantee'] = 'PREPAY'): number =>
    chargedNow({ ...offer, guarantee, plan: plan('X', changes) }, '2026-03-20', '2026-03-01');
  t.equal(chargedNow(offer, '2026-03-20', '2026-03-01'), 100);
  t.equal(at({}), 100, 'no schedule');
  const schedule = [
    { percent: 30, due: { at: 'BOOKING' as const } },
    { percent: 20, due: { daysBefore: 14 } },
    { percent: 50, due: { daysBefore: 30 } },
  ];
  t.equal(at({ depositSchedule: schedule }), 80, 'what was due 30 days before is due now');
  t.equal(at({}, 'CARD'), 0);
  t.equal(at({}, 'NONE'), 0);
  const none = { ...offer, guarantee: 'NONE' as const };
  t.same(paysFor([none], 'walk-in'), ['LATER', 'CARD', 'CASH', 'TERMINAL']);
  t.same(paysFor([offer, none], 'reservation'), ['CARD', 'CASH', 'LATER']);
  t.same(paysFor([offer], 'walk-in'), ['CARD', 'CASH', 'TERMINAL'], 'nobody is checked in whose room is only held');
});

t.test('one room is booked by its quote, several by their total, and no card is sent that is not used', async (t) => {
  const [offer] = found.offers as [StayOffer];
  const one = bookingBodyOf('inn', form({ roomNumber: '101' }), [offer], 'tok_visa');
  t.match(one, {
    path: '/api/v1/reservations',
    body: {
      guestInfo: { firstName: 'Ada' },
      stayDetails: { quoteToken: 'token STD', maxTotal: 100.3, rateCode: 'BAR', adults: 2 },
      roomWishes: [{ kind: 'ROOM', value: '101' }],
      paymentDetails: { cardToken: 'tok_visa' },
    },
  });
  const rooms = [room({ adults: 1, childAges: [4] }), room()];
  const two = bookingBodyOf('inn', form({ rooms, pays: 'CASH' }), [offer, offer], 'tok_visa');
  t.match(two, {
    path: '/api/v1/bookings',
    body: { stayDetails: { maxTotal: 200.6 }, rooms: [{ adults: 1, childAges: [4] }, { adults: 1 }] },
  });
  t.notMatch(JSON.stringify(two), /tok_visa|paymentDetails/);
  t.same(roomsOfForm({ rooms, differ: true }), rooms);
  t.equal(tooMany([offer, offer, offer])?.roomType, 'STD', 'two are left');
  t.equal(tooMany([offer, offer]), undefined);
});

t.test('a child whose age is not said yet has no offer of other guests', (t) => {
  const found = offersOf([{ plan: plan('BAR'), quote: quote([rate('STD', 100)]) }]);
  const offers = new Map([[partyKey(room()), found]]);
  t.ok(offerOf(room({ roomType: 'STD' }), offers));
  t.equal(offerOf(room({ roomType: 'STD', childAges: [null] }), offers), undefined);
  t.end();
});
