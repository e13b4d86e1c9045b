import t from 'tap';

import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  cancelCommand,
  DAY,
  freshId,
  id,
  paid,
  plan,
  promotion,
  restrict,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const NIGHT = DAY + 5;

/** Three STD rooms at 100.00 and two DLX at 150.00, 10 percent tax and fees of the test property. */
function opened(policies: Partial<Policies> = {}): Scene {
  return Scene.property({ policies: { maxHeldPercent: 100, ...policies } });
}

type Wish = Partial<Stay> & { promoCode?: string };

const bookingOf = (bookingId: string, { promoCode, ...stay }: Wish) => {
  const { booking } = startBookingCommand({ stay });
  return { ...booking, bookingId, ...(promoCode !== undefined && { promoCode }) };
};

function starting(wishes: readonly Wish[], maxTotal?: number) {
  const { attempt } = startBookingCommand();
  const bookingId = freshId();
  const rooms = wishes.map((wish) => {
    return { holdId: freshId(), booking: bookingOf(bookingId, wish), paymentId: freshId() };
  });
  return { type: 'START_ROOMS' as const, rooms, attempt, ...(maxTotal !== undefined && { maxTotal }) };
}

const unpaid = (wishes: readonly Wish[]) => {
  const bookingId = freshId();
  const rooms = wishes.map((wish) => ({ booking: bookingOf(bookingId, wish), pendingPaymentId: freshId() }));
  return { type: 'BOOK_ROOMS' as const, rooms };
};

const STD = { roomType: 'STD' };
const DLX = { roomType: 'DLX' };
const counts = (scene: Scene, type = 'STD') => {
  const { booked, held } = scene.cell(NIGHT, type);
  return { booked, held };
};
const all = ({ reservation, others = [] }: { reservation: Reservation; others?: Reservation[] }): Reservation[] => [
  reservation,
  ...others,
];

void t.test('all rooms are held, paid by one attempt, and confirmed together', async (t) => {
  const scene = opened();
  const { holdId, attempt, ...held } = scene.accept(starting([STD, DLX, STD]));
  t.equal(attempt.amount, 2 * 22_800 + 33_800);
  t.same(
    [counts(scene), counts(scene, 'DLX')],
    [
      { booked: 0, held: 2 },
      { booked: 0, held: 1 },
    ],
  );
  const done = scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) });
  const rooms = all(done);
  t.same(
    rooms.map(({ stay }) => stay.roomType),
    ['STD', 'DLX', 'STD'],
  );
  t.same(
    rooms.map(({ paid: one }) => one),
    [22_800, 33_800, 22_800],
  );
  t.same(new Set(rooms.map(({ status }) => status)), new Set(['CONFIRMED']));
  t.same(
    rooms.map(({ bookingId }) => bookingId),
    Array(3).fill(held.reservation.bookingId),
  );
  t.same(
    rooms.map(({ payments }) => payments[0]!.partOf),
    [undefined, attempt.paymentId, attempt.paymentId],
  );
  t.same(
    [counts(scene), counts(scene, 'DLX')],
    [
      { booked: 2, held: 0 },
      { booked: 1, held: 0 },
    ],
  );
  t.same(rooms.map(moneyFault), [undefined, undefined, undefined]);
  t.equal([...scene.state.holds].length, 0);
});

void t.test('a refund of one room belongs to its own part of the charge', async (t) => {
  const scene = opened();
  const { holdId, attempt } = scene.accept(starting([STD, DLX]));
  const { others } = scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) });
  const { reservation } = scene.accept(cancelCommand(others![0]!.id));
  const [charge, refund] = reservation.payments as [Payment, Payment];
  t.match(refund, { type: 'REFUND', amount: 33_800, chargeId: charge.paymentId });
  t.equal(charge.partOf, attempt.paymentId, 'by which the provider knows it');
});

void t.test('where one room is refused, nothing of the others is left', async (t) => {
  const scene = opened();
  const before = scene.state;
  for (const command of [starting([STD, DLX, DLX, DLX]), unpaid([STD, DLX, DLX, DLX])]) {
    const { code, details } = scene.refuse(command);
    t.equal(code, 'ROOM_NOT_AVAILABLE');
    t.match(details.extra, { room: 3 });
    t.same(
      [counts(scene), counts(scene, 'DLX')],
      [
        { booked: 0, held: 0 },
        { booked: 0, held: 0 },
      ],
    );
    t.same([[...scene.state.holds], scene.state.unfinished], [[], before.unfinished]);
  }
  scene.accept(unpaid([STD, STD, STD]));
  t.same(counts(scene), { booked: 0, held: 3 }, 'exactly what is there');
});

void t.test('where every fault is wanted, each refused room is named after those before it', async (t) => {
  const scene = opened();
  const list = (wishes: readonly Wish[]) => ({ ...unpaid(wishes), everyFault: true as const });
  const command = list([DLX, STD, { roomType: 'NOPE' }, DLX, DLX, STD]);
  for (const dryRun of [true, false]) {
    const { seq } = scene.state;
    const error = scene.refuse({ ...command, dryRun });
    t.match(error, { code: 'ROOMING_LIST_REJECTED', message: '2 of 6 lines cannot be booked.' });
    t.match(error.details.extra, {
      rooms: [
        { room: 2, code: 'UNKNOWN_ROOM_TYPE' },
        { room: 4, code: 'ROOM_NOT_AVAILABLE', date: /-/ },
      ],
    });
    t.same(
      [counts(scene), counts(scene, 'DLX'), scene.state.seq],
      [{ booked: 0, held: 0 }, { booked: 0, held: 0 }, seq],
    );
  }
  const rooms = list([DLX, STD, DLX, STD]);
  t.equal(all(scene.accept({ ...rooms, dryRun: true })).length, 4);
  t.same(counts(scene, 'DLX'), { booked: 0, held: 0 }, 'a dry run books nothing');
  t.equal(all(scene.accept(rooms)).length, 4);
  t.same(
    [counts(scene), counts(scene, 'DLX')],
    [
      { booked: 0, held: 2 },
      { booked: 0, held: 2 },
    ],
  );
  t.equal(scene.last.entries.length, 1, 'in one row of the journal');
});

void t.test('rules and limits count the rooms of one booking together', async (t) => {
  const scene = opened();
  scene.accept(promotion({ inventory: { totalRooms: 2 } }));
  const TEN = { ...STD, promoCode: 'TEN' };
  t.equal(scene.refuse(unpaid([TEN, TEN, TEN])).code, 'PROMO_EXHAUSTED');
  t.equal(scene.state.promotions.get('TEN')?.used, 0);
  scene.accept(unpaid([TEN, TEN]));
  t.equal(scene.state.promotions.get('TEN')?.used, 2);
  t.equal(scene.refuse(starting([STD, DLX], 56_599)).code, 'PRICE_CHANGED');
  scene.accept(starting([STD, DLX], 56_600));
  scene.accept(restrict({ stopSell: true }, { roomType: 'DLX' }));
  t.match(scene.refuse(unpaid([DLX])), { code: 'STOP_SELL', details: { extra: { room: 0 } } });
});

void t.test('rooms that cost more together than an amount can store are refused', async (t) => {
  const scene = opened();
  scene.accept(baseRates('STD', 1_600_000_000, NIGHT, NIGHT + 1));
  t.equal(scene.refuse(unpaid([STD, STD, STD])).code, 'VALIDATION_FAILED');
});

void t.test('a declined card frees all rooms', async (t) => {
  const scene = opened();
  const { holdId, attempt } = scene.accept(starting([STD, DLX, STD]));
  scene.accept({ type: 'ABANDON_BOOKING', holdId, payment: { ...attempt, status: 'FAILED' } });
  t.same(
    [counts(scene), counts(scene, 'DLX')],
    [
      { booked: 0, held: 0 },
      { booked: 0, held: 0 },
    ],
  );
  t.equal([...scene.state.holds].length, 0);
});

void t.test('money that comes too late books none of the rooms, and its hold waits for the refund', async (t) => {
  const scene = opened();
  const { holdId, attempt, expiresAt } = scene.accept(starting([STD, DLX, STD]));
  scene.now = expiresAt + 1_000;
  scene.accept({ type: 'EXPIRE' });
  t.same(
    [counts(scene), counts(scene, 'DLX')],
    [
      { booked: 0, held: 0 },
      { booked: 0, held: 0 },
    ],
  );
  t.same(
    [...scene.state.holds].map(([one, { kind }]) => [one, kind]),
    [[holdId, 'LATE']],
  );
  const payment = paid(attempt, scene.now);
  t.equal(scene.refuse({ type: 'CONFIRM_BOOKING', holdId, payment }).code, 'HOLD_EXPIRED');
  scene.accept({ type: 'ABANDON_BOOKING', holdId, payment: { ...payment, status: 'REFUNDED' } });
  t.equal([...scene.state.holds].length, 0);
});

void t.test('one room alone of a booking that is being paid is neither confirmed nor given up', async (t) => {
  const scene = opened();
  const command = starting([STD, DLX]);
  const { attempt } = scene.accept(command);
  const { holdId } = command.rooms[1]!;
  const payment = paid(attempt, scene.now);
  t.equal(scene.refuse({ type: 'CONFIRM_BOOKING', holdId, payment }).code, 'HOLD_EXPIRED');
  t.equal(scene.refuse({ type: 'ABANDON_BOOKING', holdId, payment }).code, 'HOLD_NOT_FOUND');
});

void t.test('rooms whose plans ask for nothing now are booked beside those that are paid', async (t) => {
  const scene = opened();
  scene.accept({
    type: 'PUT_RATE_PLAN',
    plan: plan({ id: id(93), code: 'DESK', guarantee: 'NONE' }),
    mode: 'create',
  });
  const { holdId, attempt } = scene.accept(starting([{ ...STD, rateCode: 'DESK' }, DLX]));
  t.equal(attempt.amount, 33_800);
  const rooms = all(scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) }));
  t.same(
    rooms.map(({ paid: one, payments }) => [one, payments.length]),
    [
      [0, 1],
      [33_800, 1],
    ],
  );
  t.same(rooms.map(moneyFault), [undefined, undefined]);
});
