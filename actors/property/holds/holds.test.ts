import t from 'tap';

import type { Command } from '../../../src/kernel/rules/commands.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  envelope,
  freshId,
  group,
  keyed,
  NOW,
  paid,
  placeHoldCommand,
  plan,
  promotion,
  property,
  restrict,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const HOLD_MS = 900_000;
const PAYING_MS = 120_000;

/** A property with a hold of so many STD rooms. */
function holding(rooms: number, scene = Scene.property()) {
  const hold = scene.accept(placeHoldCommand(rooms));
  const start = () => {
    const command = startBookingCommand({ fromHold: hold.id });
    const { attempt, reservation } = scene.accept(command);
    const { holdId } = command;
    const failed = { ...attempt, status: 'FAILED' as const };
    return {
      reservation,
      confirm: { type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt) } satisfies Command,
      abandon: { type: 'ABANDON_BOOKING', holdId, payment: failed } satisfies Command,
    };
  };
  const left = () => scene.state.holds.get(hold.id)?.rooms;
  return { scene, hold, start, left };
}

void t.test('a hold takes its rooms from sale, all or none, at the price of the moment', async (t) => {
  const { scene, hold } = holding(2);
  t.match(hold, {
    kind: 'EXPLICIT',
    rooms: 2,
    expiresAt: NOW + HOLD_MS,
    terms: { rooms: 2, rates: [[10_000, 10_000]] },
  });
  t.match(scene.cell(DAY + 5), { held: 2, available: 1 });
  t.match(scene.last.entries[0]!.facts, { holds: [['PLACED', hold.id, 'STD', DAY + 5, DAY + 7, 2, NOW + HOLD_MS]] });
  const refused = scene.refuse(placeHoldCommand(2));
  t.match(refused, { code: 'ROOM_NOT_AVAILABLE', details: { date: '2026-06-06' } });
  t.match(refused.details.alternatives?.[0], { roomType: 'DLX' });
  scene.accept(placeHoldCommand(1));
  t.equal(scene.refuse(placeHoldCommand(1)).code, 'ROOM_NOT_AVAILABLE');
  const three = scene.refuse(placeHoldCommand(3, { checkIn: DAY + 6, checkOut: DAY + 8 }));
  t.equal(three.details.alternatives?.[0]?.roomType, 'STD', 'DLX has two rooms only: other days are offered');
});

void t.test('what refuses a booking refuses a hold', async (t) => {
  const scene = Scene.property();
  const { code, details } = scene.refuse(placeHoldCommand(1, { checkIn: DAY - 1, checkOut: DAY + 40 }));
  t.equal(code, 'VALIDATION_FAILED');
  t.same(
    details.errors?.map(({ pointer }) => pointer),
    ['/checkIn', '/checkOut'],
  );
  t.equal(scene.refuse(placeHoldCommand(1, { roomType: 'NONE' })).code, 'UNKNOWN_ROOM_TYPE');
  t.equal(scene.refuse(placeHoldCommand(1, { rateCode: 'NONE' })).code, 'UNKNOWN_RATE_CODE');
  t.equal(scene.refuse(placeHoldCommand(1, { adults: 3 })).code, 'OCCUPANCY_EXCEEDED');
  scene.accept(restrict({ stopSell: true }, { start: DAY + 6, end: DAY + 6 }));
  t.match(scene.refuse(placeHoldCommand(1)), { code: 'STOP_SELL', details: { date: '2026-06-07' } });
  scene.accept(restrict({ stopSell: false, minStayArrival: 3 }));
  t.equal(scene.refuse(placeHoldCommand(1)).code, 'MIN_STAY');
});

void t.test('rules and prices that changed since do not matter to who has a hold', async (t) => {
  const { scene, hold } = holding(1);
  scene.accept(restrict({ stopSell: true }));
  scene.accept(baseRates('STD', 50_000));
  scene.accept({
    type: 'UPDATE_PROPERTY',
    property: property({ policies: { taxPercent: 50, feePerPersonNight: 999 } }),
  });
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 20, totalRooms: 0 });
  const { reservation } = scene.accept(bookCommand({ fromHold: hold.id }));
  t.same(totals(reservation.nights), { base: 20_000, taxes: 2_000, fees: 800, total: 22_800 });
  t.match(scene.cell(DAY + 5), { held: 1, booked: 0 });
});

void t.test('each booking takes one room out of it, until none is left', async (t) => {
  const { scene, hold, start, left } = holding(3);
  const first = start();
  t.match(scene.last.entries[0]!.facts, { holds: [['USED', hold.id, 'STD', DAY + 5, DAY + 7, 2, hold.expiresAt]] });
  t.notOk(scene.last.entries[0]!.facts.cells, 'no cell has changed');
  t.equal(left(), 2);
  t.match(scene.cell(DAY + 5), { held: 3, booked: 0 });
  scene.accept(first.confirm);
  t.match(scene.cell(DAY + 5), { held: 2, booked: 1 });
  scene.accept(bookCommand({ fromHold: hold.id }));
  t.match(scene.cell(DAY + 5), { held: 2, booked: 1 }, 'an unpaid one is held in its own name');
  scene.accept(bookCommand({ fromHold: hold.id, wrappedKey: undefined }));
  t.equal(left(), 0);
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id })).code, 'ROOM_NOT_AVAILABLE');
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  t.match(scene.cell(DAY + 5), { held: 0, booked: 1, available: 2 });
});

void t.test('where no payment is required the room is booked at once', async (t) => {
  const { scene, hold, left } = holding(2, Scene.property({ policies: { paymentRequired: false } }));
  t.equal(scene.accept(bookCommand({ fromHold: hold.id })).reservation.status, 'CONFIRMED');
  t.match(scene.cell(DAY + 5), { held: 1, booked: 1, available: 1 });
  t.equal(left(), 1);
});

void t.test('a declined payment brings the room back to the hold, or frees it when the hold has ended', async (t) => {
  const { scene, hold, start, left } = holding(1);
  const declined = start();
  t.equal(left(), 0);
  scene.accept(declined.abandon);
  t.match(scene.last.entries[0]!.facts, {
    holds: [['RETURNED', hold.id, 'STD', DAY + 5, DAY + 7, 1, hold.expiresAt]],
  });
  t.equal(left(), 1);
  t.match(scene.cell(DAY + 5), { held: 1, available: 2 });
  scene.now = hold.expiresAt - 1_000;
  const late = start();
  scene.pass(1_000);
  scene.accept(late.abandon);
  t.match(scene.cell(DAY + 5), { held: 0, available: 3 }, 'it is not valid any more');
  scene.pass(HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  t.match(scene.cell(DAY + 5), { held: 0, available: 3 });
});

void t.test('a booking that is declined after its hold was released frees its room', async (t) => {
  const { scene, hold, start } = holding(2);
  const { abandon } = start();
  scene.accept({ type: 'RELEASE_HOLD', holdId: hold.id });
  t.match(scene.cell(DAY + 5), { held: 1 });
  scene.accept(abandon);
  t.match(scene.cell(DAY + 5), { held: 0, available: 3 });
});

void t.test('a payment without an end brings its room back once, whatever becomes of it', async (t) => {
  const { scene, start, left } = holding(1);
  const { abandon, confirm } = start();
  scene.pass(PAYING_MS + HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  t.equal(left(), 1);
  t.match(scene.cell(DAY + 5), { held: 1 });
  t.equal(scene.refuse(confirm).code, 'HOLD_EXPIRED');
  scene.accept(abandon);
  t.equal(left(), 1);
  t.match(scene.cell(DAY + 5), { held: 1 });
});

void t.test('a repeat under its key takes no second room', async (t) => {
  const { scene, hold, left } = holding(2);
  const key = keyed('k', freshId());
  const [first, second] = scene.batch(
    envelope(bookCommand({ fromHold: hold.id }), key),
    envelope(bookCommand({ fromHold: hold.id }), key),
  ).outcomes;
  t.equal(first!.kind, 'accepted');
  t.match(second, { kind: 'refused', error: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
  t.equal(left(), 1);
});

void t.test('another stay than the one that is held is refused with every field that differs', async (t) => {
  const { scene, hold } = holding(1);
  const stay = { roomType: 'DLX', checkIn: DAY + 4, checkOut: DAY + 8, rateCode: 'NRF' };
  const { code, details } = scene.refuse(bookCommand({ fromHold: hold.id, stay }));
  t.equal(code, 'VALIDATION_FAILED');
  t.same(
    details.errors?.map(({ pointer }) => pointer).toSorted(),
    ['checkIn', 'checkOut', 'rateCode', 'roomType'].map((field) => `/stayDetails/${field}`),
  );
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id, stay: { adults: 3 } })).code, 'OCCUPANCY_EXCEEDED');
  t.equal(scene.refuse(bookCommand({ fromHold: freshId() })).code, 'HOLD_NOT_FOUND');
  const paying = startBookingCommand();
  scene.accept(paying);
  t.equal(
    scene.refuse(bookCommand({ fromHold: paying.holdId })).code,
    'HOLD_NOT_FOUND',
    'one of a booking is nobody else’s',
  );
  t.match(scene.refuse(bookCommand({ fromHold: hold.id, maxTotal: 100 })), { code: 'PRICE_CHANGED' });
});

void t.test('other guests pay what the nights of the hold cost for as many', async (t) => {
  const scene = Scene.property();
  const before = scene.state.plans.get('BAR')!;
  const occupancyRules = { singleRate: 8_000, doubleRate: 10_000, extraPersonRate: 3_000 };
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ ...before, occupancyRules }), mode: 'replace' });
  const { hold } = holding(3, scene);
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ ...before, status: 'ACTIVE' }), mode: 'replace' });
  const totalOf = (adults: number, children = 0) =>
    totals(scene.accept(bookCommand({ fromHold: hold.id, stay: { adults, children } })).reservation.nights);
  t.match(totalOf(1), { base: 16_000, fees: 400 });
  t.match(totalOf(2), { base: 20_000, fees: 800 });
  t.match(totalOf(2, 1), { base: 26_000, fees: 1_200 });
});

void t.test('a promotion takes its part off the price of the hold', async (t) => {
  const { scene, hold } = holding(2);
  scene.accept(promotion());
  const { reservation } = scene.accept(bookCommand({ fromHold: hold.id, promoCode: 'TEN' }));
  t.match(totals(reservation.nights), { base: 18_000, taxes: 1_800 });
  t.equal(scene.state.promotions.get('TEN')?.used, 1);
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id, promoCode: 'NONE' })).code, 'PROMO_NOT_APPLICABLE');
});

void t.test('a hold is used until 100 ms before its end; later bookings get HOLD_EXPIRED', async (t) => {
  const { scene, hold } = holding(3);
  scene.now = hold.expiresAt - HOLD_GUARD_MS;
  scene.accept(bookCommand({ fromHold: hold.id }));
  scene.pass(1);
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id })).code, 'HOLD_EXPIRED');
  scene.now = hold.expiresAt + HOLD_GUARD_MS;
  t.match(scene.cell(DAY + 5), { held: 3 });
  t.equal(scene.accept({ type: 'EXPIRE' }).released, 1);
  t.match(scene.last.entries[0]!.facts, {
    holds: [['EXPIRED', hold.id, 'STD', DAY + 5, DAY + 7, 0, hold.expiresAt]],
  });
  t.match(scene.cell(DAY + 5), { held: 1, available: 2 });
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id })).code, 'HOLD_EXPIRED');
  t.equal(scene.refuse({ type: 'EXTEND_HOLD', holdId: hold.id }).code, 'HOLD_EXPIRED');
  t.equal(scene.refuse({ type: 'RELEASE_HOLD', holdId: hold.id }).code, 'HOLD_NOT_FOUND');
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.equal(
    scene.refuse(bookCommand({ fromHold: hold.id })).code,
    'HOLD_NOT_FOUND',
    'after the roll nobody remembers it',
  );
  t.equal(scene.state.holds.size, 1);
});

void t.test('a hold is extended once, from the moment of the request', async (t) => {
  const { scene, hold } = holding(1);
  scene.pass(600_000);
  const extend = { type: 'EXTEND_HOLD' as const, holdId: hold.id };
  t.match(scene.accept(extend), { expiresAt: NOW + 600_000 + HOLD_MS, rooms: 1, terms: { extended: true } });
  t.equal(scene.refuse(extend).code, 'INVALID_STATE');
  scene.now = hold.expiresAt + HOLD_GUARD_MS;
  t.equal(scene.accept({ type: 'EXPIRE' }).released, 0);
  scene.accept(bookCommand({ fromHold: hold.id }));
  t.equal(scene.refuse({ ...extend, holdId: freshId() }).code, 'HOLD_NOT_FOUND');
});

void t.test('a hold that is released gives back what is left of it, once', async (t) => {
  const { scene, hold } = holding(3);
  scene.accept(bookCommand({ fromHold: hold.id }));
  const release = { type: 'RELEASE_HOLD' as const, holdId: hold.id };
  t.match(scene.accept(release), { id: hold.id, rooms: 0 });
  t.match(scene.cell(DAY + 5), { held: 1, available: 2 });
  t.equal(scene.refuse(release).code, 'HOLD_NOT_FOUND');
  t.equal(scene.refuse(bookCommand({ fromHold: hold.id })).code, 'HOLD_NOT_FOUND');
});

void t.test('a hold that is used up can be neither extended nor released', async (t) => {
  const { scene, hold } = holding(1);
  scene.accept(bookCommand({ fromHold: hold.id }));
  for (const type of ['EXTEND_HOLD', 'RELEASE_HOLD'] as const)
    t.match(scene.refuse({ type, holdId: hold.id }), { code: 'INVALID_STATE', message: /used/ });
  t.match(scene.cell(DAY + 5), { held: 1 });
});

void t.test('all clients of a property together have at most 1,000 holds open', async (t) => {
  const scene = Scene.property({ policies: { overbookingLimit: 10_000 } });
  const place = () => scene.batch(envelope(placeHoldCommand(1))).outcomes[0]!;
  for (let n = 0; n < 1_000; n++) place();
  t.equal(scene.state.holds.size, 1_000);
  const extra = { bound: 'property-holds', limit: 1_000 };
  t.match(place(), {
    error: { code: 'QUOTA_EXCEEDED', details: { extra, retryAfterSeconds: HOLD_MS / 1000 } },
  });
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  for (let n = 0; n < 10; n++) scene.accept({ type: 'EXPIRE' });
  t.equal(place().kind, 'accepted', 'what has run out is not open');
});

void t.test('a property with an open hold stays, and one with holds that have ended goes', async (t) => {
  const { scene, hold } = holding(1);
  t.equal(scene.refuse({ type: 'DELETE_PROPERTY' }).code, 'PROPERTY_IN_USE');
  t.equal(scene.refuse({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' }).code, 'PROPERTY_IN_USE');
  scene.now = hold.expiresAt + HOLD_GUARD_MS;
  scene.accept({ type: 'EXPIRE' });
  scene.accept({ type: 'DELETE_PROPERTY' });
  t.equal(scene.state.holds.size, 0);
});

void t.test('blocks of a group are not for holds', async (t) => {
  const scene = Scene.property();
  scene.accept(group(2));
  scene.accept(placeHoldCommand(1));
  t.equal(scene.refuse(placeHoldCommand(1)).code, 'ROOM_NOT_AVAILABLE');
});

void t.test('rooms above the maximum of the buyer are not held', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const { total } = totals(reservation.nights);
  const error = scene.refuse({ ...placeHoldCommand(2), maxTotal: total - 1 });
  t.match(error, { code: 'PRICE_CHANGED', details: { extra: { newTotal: total / 100, currency: 'EUR' } } });
  scene.accept({ ...placeHoldCommand(2), maxTotal: total });
});
