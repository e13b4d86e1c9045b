import t from 'tap';

import { totals } from '../../../src/money/rules/night.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  type BookingOptions,
  charge,
  DAY,
  freshId,
  NOW,
  paid,
  plan,
  property,
  roomType,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const PAYING_MS = 120_000;
const QUERY = { checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2) };

/** Starts a paid booking and returns what is needed to end it. */
function started(scene: Scene, options: BookingOptions = {}) {
  const command = startBookingCommand(options);
  const { attempt, expiresAt, reservation } = scene.accept(command);
  const confirm = { type: 'CONFIRM_BOOKING' as const, holdId: command.holdId, payment: paid(attempt) };
  const payment = { ...attempt, status: 'FAILED' as const };
  return {
    ...command,
    attempt,
    expiresAt,
    reservation,
    confirm,
    abandon: { type: 'ABANDON_BOOKING' as const, holdId: command.holdId, payment },
  };
}

void t.test('a paid create holds the rooms and puts the attempt on record with the exact price', async (t) => {
  const scene = Scene.property();
  const { attempt, reservation, expiresAt } = started(scene);
  t.same(totals(reservation.nights), { base: 20_000, taxes: 2_000, fees: 800, total: 22_800 });
  t.equal(attempt.amount, 22_800);
  t.equal(expiresAt, NOW + PAYING_MS);
  t.match(scene.cell(DAY + 5), { total: 3, held: 1, booked: 0, available: 2 });
  t.match(scene.cell(DAY + 7), { held: 0 }, 'the day of departure is not a night');
  t.equal(scene.state.unfinished, 0, 'it is not a reservation yet');
});

void t.test('held rooms become booked ones when the money is there', async (t) => {
  const scene = Scene.property();
  const { confirm } = started(scene);
  const { reservation } = scene.accept(confirm);
  t.match(reservation, {
    status: 'CONFIRMED',
    paid: 22_800,
    timeline: [{ event: 'CREATED', by: 'tester' }],
    version: 1,
  });
  t.match(scene.cell(DAY + 5), { held: 0, booked: 1, available: 2 });
  t.equal(scene.state.holds.size, 0);
  t.equal(scene.state.unfinished, 1);
});

void t.test('a booking that is given up frees its rooms at once, and cannot be confirmed any more', async (t) => {
  const scene = Scene.property();
  const { confirm, abandon } = started(scene);
  scene.accept(abandon);
  t.match(scene.cell(DAY + 5), { held: 0, booked: 0, available: 3 });
  t.equal(scene.refuse(confirm).code, 'HOLD_EXPIRED');
  t.equal(scene.refuse(abandon).code, 'HOLD_NOT_FOUND');
});

void t.test('a hold is confirmed until 100 ms before its expiry and not a millisecond longer', async (t) => {
  t.equal(HOLD_GUARD_MS, 100);
  const scene = Scene.property();
  const early = started(scene);
  const late = started(scene);
  scene.now = NOW + PAYING_MS - 100;
  t.equal(scene.accept(early.confirm).reservation.status, 'CONFIRMED');
  scene.pass(1);
  t.equal(scene.refuse(late.confirm).code, 'HOLD_EXPIRED');
});

void t.test('the rooms of an expired hold are sellable from 100 ms after, never before', async (t) => {
  const scene = Scene.property();
  started(scene);
  scene.now = NOW + PAYING_MS + 99;
  t.equal(scene.accept({ type: 'EXPIRE' }).released, 0);
  t.equal(scene.cell(DAY + 5).held, 1);
  scene.pass(1);
  t.equal(scene.accept({ type: 'EXPIRE' }).released, 1);
  t.equal(scene.cell(DAY + 5).held, 0);
});

void t.test('a hold that expired while it was paid waits as LATE for its money, without rooms', async (t) => {
  const scene = Scene.property();
  const { confirm, abandon, holdId } = started(scene);
  scene.pass(PAYING_MS + 100);
  scene.accept({ type: 'EXPIRE' });
  t.match(scene.state.holds.get(holdId), { kind: 'LATE' });
  for (let n = 0; n < 3; n++) started(scene);
  t.equal(scene.cell(DAY + 5).held, 3, 'all rooms are sold again');
  t.equal(scene.refuse(confirm).code, 'HOLD_EXPIRED');
  scene.accept(abandon);
  t.equal(scene.state.holds.get(holdId), undefined);
  t.equal(scene.cell(DAY + 5).held, 3, 'it had no rooms to give back');
});

void t.test('a create without a card is PENDING and holds its rooms for the time of the property', async (t) => {
  const scene = Scene.property({ policies: { holdDurationSeconds: 900 } });
  const { reservation } = scene.accept(bookCommand());
  const pending = { method: null, status: 'PENDING', amount: 22_800 };
  t.match(reservation, { status: 'PENDING', paid: 0, holdExpiresAt: NOW + 900_000, payments: [pending] });
  t.equal(scene.cell(DAY + 5).held, 1);
  scene.pass(900_100);
  scene.accept({ type: 'EXPIRE' });
  const after = scene.state.reservations.get(reservation.id);
  t.match(after, {
    status: 'CANCELLED',
    cancellation: { reason: 'HOLD_EXPIRED', penalty: 0 },
    payments: [{ status: 'CANCELLED' }],
  });
  t.match(scene.cell(DAY + 5), { held: 0, booked: 0 });
  t.equal(scene.state.unfinished, 0);
});

void t.test('where no payment is required, a create is CONFIRMED and unpaid', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  t.match(scene.accept(bookCommand()).reservation, {
    status: 'CONFIRMED',
    paid: 0,
    payments: [],
    holdExpiresAt: undefined,
  });
  t.match(scene.cell(DAY + 5), { held: 0, booked: 1 });
});

void t.test(
  'without automatic confirmation a paid create stays PENDING and keeps its rooms without expiry',
  async (t) => {
    const scene = Scene.property({ policies: { autoConfirmation: false } });
    const { reservation } = scene.accept(started(scene).confirm);
    t.match(reservation, { status: 'PENDING', paid: 22_800 });
    scene.pass(86_400_000);
    scene.accept({ type: 'EXPIRE' });
    t.match(scene.cell(DAY + 5), { booked: 1, held: 0 });
  },
);

void t.test('the last room is sold once; who comes after learns the night and what else there is', async (t) => {
  const scene = Scene.property();
  for (let n = 0; n < 3; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 7 } }));
  const error = scene.refuse(bookCommand());
  t.equal(error.code, 'ROOM_NOT_AVAILABLE');
  t.equal(error.details.date, '2026-06-07');
  t.same(error.details.alternatives, [
    { roomType: 'DLX', checkIn: '2026-06-06', checkOut: '2026-06-08' },
    { roomType: 'STD', checkIn: '2026-06-05', checkOut: '2026-06-07' },
    { roomType: 'STD', checkIn: '2026-06-08', checkOut: '2026-06-10' },
  ]);
});

void t.test('each rule refuses with its own code', async (t) => {
  const scene = Scene.property();
  const strict = plan({
    code: 'STRICT',
    minLengthOfStay: 2,
    maxLengthOfStay: 3,
    minAdvanceBooking: 2,
    maxAdvanceBooking: 10,
  });
  scene.state = { ...scene.state, plans: new Map([...scene.state.plans, ['STRICT', strict]]) };
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('NEW', 5), mode: 'create' });
  const at = (from: number, nights: number, rateCode = 'BAR') => ({
    checkIn: DAY + from,
    checkOut: DAY + from + nights,
    rateCode,
  });
  const cases: [string, BookingOptions][] = [
    ['UNKNOWN_RATE_CODE', { stay: { rateCode: 'NOPE' } }],
    ['UNKNOWN_ROOM_TYPE', { stay: { roomType: 'NOPE' } }],
    ['OCCUPANCY_EXCEEDED', { stay: { adults: 3 } }],
    ['OCCUPANCY_EXCEEDED', { stay: { adults: 2, children: 2 } }],
    ['MIN_STAY', { stay: at(5, 1, 'STRICT') }],
    ['MAX_STAY', { stay: at(5, 4, 'STRICT') }],
    ['MIN_ADVANCE', { stay: at(1, 2, 'STRICT') }],
    ['MAX_ADVANCE', { stay: at(11, 2, 'STRICT') }],
    ['NO_RATE', { stay: { roomType: 'NEW' } }],
    ['VALIDATION_FAILED', { stay: at(-1, 2) }],
    ['VALIDATION_FAILED', { stay: at(30, 2) }],
    ['VALIDATION_FAILED', { stay: at(5, 0) }],
    ['PRICE_CHANGED', { maxTotal: 22_799 }],
  ];
  for (const [code, options] of cases) t.equal(scene.refuse(bookCommand(options)).code, code);
  t.equal(
    scene.accept(bookCommand({ maxTotal: 22_800 })).reservation.status,
    'PENDING',
    'exactly the most that is wanted',
  );
  t.equal(
    scene.accept(bookCommand({ stay: at(30, 1) })).reservation.status,
    'PENDING',
    'the last night of the window',
  );
  t.equal(scene.accept(bookCommand({ stay: at(0, 1) })).reservation.status, 'PENDING', 'the night of today');
});

void t.test('a price above what an amount can hold is refused, not lost in the store', async (t) => {
  const scene = Scene.property();
  scene.accept(baseRates('STD', 9_999_999_999));
  t.equal(scene.refuse(bookCommand()).code, 'VALIDATION_FAILED');
});

void t.test('a quote is honoured at its price after rates went up, once, and before it expires', async (t) => {
  const scene = Scene.property();
  const quote = { quoteId: 'q1', expiresAt: NOW + 900_000, nightly: [10_000, 10_000] };
  scene.accept(baseRates('STD', 50_000));
  t.equal(totals(scene.accept(bookCommand({ quote })).reservation.nights).base, 20_000);
  t.equal(scene.refuse(bookCommand({ quote })).code, 'QUOTE_EXPIRED', 'used once');
  scene.now = NOW + 900_000;
  t.equal(scene.refuse(bookCommand({ quote: { ...quote, quoteId: 'q2' } })).code, 'QUOTE_EXPIRED');
});

void t.test('a quote is not sold beyond the last room, and may be used again when its payment failed', async (t) => {
  const scene = Scene.property();
  const quote = { quoteId: 'q1', expiresAt: NOW + 900_000, nightly: [1, 1] };
  const { abandon } = started(scene, { quote });
  t.equal(scene.refuse(bookCommand({ quote })).code, 'QUOTE_EXPIRED');
  scene.accept(abandon);
  for (let n = 0; n < 3; n++) scene.accept(bookCommand());
  t.equal(scene.refuse(bookCommand({ quote })).code, 'ROOM_NOT_AVAILABLE');
});

void t.test('the price that is quoted is the price that is booked, of every plan', async (t) => {
  for (const rateCode of ['BAR', 'FLEX', 'NRF']) {
    const scene = Scene.property();
    const { total, taxes, fees } = scene.view.quote({ ...QUERY, rateCode }, NOW).rates[1]!;
    const { nights } = scene.accept(bookCommand({ stay: { roomType: 'DLX', rateCode } })).reservation;
    t.same({ base: total, taxes, fees, total: total + taxes + fees }, totals(nights), rateCode);
  }
});

void t.test('a change of taxes and limits holds for quotes at once', async (t) => {
  const scene = Scene.property();
  const quoted = () => scene.view.quote({ ...QUERY, roomType: 'STD' }, NOW).rates[0]!;
  t.match(quoted(), { taxes: 2_000, dailyText: /"availability":3/ });
  scene.accept({
    type: 'UPDATE_PROPERTY',
    property: property({ policies: { taxPercent: 20, overbookingLimit: 4 } }),
  });
  t.match(quoted(), { taxes: 4_000, dailyText: /"availability":7/ });
  t.equal(scene.cell(DAY + 5).available, 7);
});

void t.test('a quote shows a sold out type as not bookable and a rule that forbids as unavailable', async (t) => {
  const scene = Scene.property();
  for (let n = 0; n < 3; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 7 } }));
  const { rates, unavailable } = scene.view.quote({ ...QUERY, checkOut: DAY + 8, adults: 2 }, NOW);
  t.match(rates, [
    { roomType: 'STD', bookable: false, dailyText: /"rate":100.00,"availability":0/ },
    { roomType: 'DLX', bookable: true },
  ]);
  t.same(unavailable, []);
  const crowd = scene.view.quote({ ...QUERY, adults: 3 }, NOW);
  t.match(crowd, { rates: [], unavailable: [{ code: 'OCCUPANCY_EXCEEDED' }, { code: 'OCCUPANCY_EXCEEDED' }] });
});

void t.test(
  'a guest is stored with the step that first names him, so that two bookings of his do not collide later',
  async (t) => {
    const scene = Scene.property();
    const command = startBookingCommand();
    scene.accept(command);
    t.match(
      [...scene.last.draft.guests.values()],
      [{ guest: { guestId: command.booking.guest.guestId }, wrappedKey: 'k1.wrapped' }],
    );
    const { attempt } = scene.state.holds.get(command.holdId)!.booking!;
    scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) });
    t.same(
      [...scene.last.draft.guests.values()].filter(({ wrappedKey }) => wrappedKey !== undefined),
      [],
    );
  },
);

void t.test('to confirm or give up what was never held is refused', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  for (const holdId of [freshId(), reservation.id]) {
    t.equal(scene.refuse({ type: 'CONFIRM_BOOKING', holdId, payment: charge() }).code, 'HOLD_EXPIRED');
    t.equal(scene.refuse({ type: 'ABANDON_BOOKING', holdId, payment: charge() }).code, 'HOLD_NOT_FOUND');
  }
});
