import fc from 'fast-check';
import t from 'tap';

import { withoutPerson } from '../../../src/guests/rules/erasure.ts';
import { bookingsOf } from '../../../src/kernel/rules/journal.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { moves } from '../../../src/testing/actors/random-moves.ts';
import { RandomRun } from '../../../src/testing/actors/random-run.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import { importCommand, importedStay, pastStay } from '../../../src/testing/imported-stays.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  freshId,
  NOW,
  plainRoom,
} from '../../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

const STATES = ['CONFIRMED', 'PENDING', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'NO_SHOW'] as const;

function charge(amount: number, type: Payment['type'] = 'CHARGE'): Payment {
  const at = NOW - 86_400_000;
  return {
    paymentId: freshId(),
    type,
    amount,
    method: 'CASH',
    status: 'COMPLETED',
    transactionId: 'T-1',
    processedAt: at,
    createdAt: at,
  };
}

const withRooms = (): Scene => {
  const scene = Scene.property();
  scene.accept({
    type: 'PUT_ROOMS',
    rooms: [plainRoom('101'), plainRoom('201', { roomType: 'DLX' })],
    mode: 'create',
  });
  return scene;
};

void t.test('a reservation of every state is stored with the money that it has', async (t) => {
  const scene = withRooms();
  const payment = charge(9_000);
  const paid = { payments: [payment], paymentDays: { [payment.paymentId]: DAY - 1 } };
  const stays = [
    importedStay({ status: 'CONFIRMED', ...paid }),
    importedStay({ status: 'PENDING' }),
    importedStay({ status: 'CHECKED_IN', checkIn: DAY - 1, checkOut: DAY + 1, roomNumber: '101' }),
    pastStay('CHECKED_OUT', { payments: [charge(16_000)] }),
    pastStay('CANCELLED', { payments: [charge(8_000)], retained: 8_000 }),
    pastStay('NO_SHOW', { retained: 3_000 }),
  ];
  const { outcomes } = scene.accept(importCommand(stays));
  t.same(
    outcomes,
    stays.map(({ reservationId }) => ({ reservationId, version: 1 })),
  );
  const stored = stays.map(({ reservationId }) => scene.state.reservations.get(reservationId)!);
  t.same(
    stored.map(({ status }) => status),
    stays.map(({ status }) => status),
  );
  t.same(
    stored.map((one) => folioTotals(one).total),
    [16_000, 16_000, 16_000, 16_000, 8_000, 3_000],
  );
  t.same(
    stored.map(({ paid: one }) => one),
    [9_000, 0, 0, 16_000, 8_000, 0],
  );
  t.same(stored.map(moneyFault), Array(6).fill(undefined));
  t.equal(scene.state.unfinished, 3);
  t.match(scene.state.rooms.get('101'), { status: 'OCCUPIED', reservationId: stays[2]!.reservationId });
  t.same(scene.cell(DAY + 5).booked, 2);
  t.same(scene.cell(DAY).booked, 1);
  t.equal(scene.last.draft.documents.length, 0, 'invoices of that time are of the system before');
  t.equal(scene.state.books.night(DAY + 5).pickup, 0, 'what was sold before is no pickup of today');
  t.equal(scene.state.books.night(DAY + 5).revenue, 16_000);
  t.same(
    stored[0]!.posted,
    { money: { [payment.paymentId]: DAY - 1 } },
    'a payment counts on the day that the file says',
  );
  t.same(stored[3]!.posted, { left: DAY - 4 });
  const [entry] = scene.last.entries;
  t.same(
    bookingsOf(entry!).map(({ event, status }) => `${event} ${status}`),
    stays.map(({ status }) => `CREATED ${status}`),
  );
  t.equal(scene.last.draft.history[3]!.to, 'CHECKED_OUT');
});

void t.test('a stay that was over when it was imported has no invoice here, whatever is refunded', async (t) => {
  const scene = withRooms();
  const left = pastStay('CHECKED_OUT', { payments: [charge(16_000)] });
  const missed = pastStay('NO_SHOW', { payments: [charge(8_000)], retained: 8_000 });
  scene.accept(importCommand([left, missed]));
  for (const { reservationId } of [left, missed]) {
    const refund = { reservationId, refundId: freshId(), amount: 3_000, reason: 'noise', by: 'boss' };
    const { reservation } = scene.accept({ type: 'GIVE_REFUND', ...refund });
    t.same(reservation.documents, undefined);
    t.match(invoiceOf(reservation), { status: 'PRO_FORMA', issuedAt: undefined });
    t.equal(moneyFault(reservation), undefined);
    t.match(invoiceOf(withoutPerson(reservation)), { status: 'PRO_FORMA' }, 'also when its guest is erased');
  }
  t.equal(scene.last.draft.documents.length, 0);
});

void t.test('one that is imported before its end has an invoice when it ends here', async (t) => {
  const scene = withRooms();
  const arriving = importedStay({ checkIn: DAY, checkOut: DAY + 1, payments: [charge(8_000)] });
  scene.accept(importCommand([arriving]));
  scene.accept(checkInCommand(arriving.reservationId));
  scene.endDay();
  const { reservation } = scene.accept(checkOutCommand(arriving.reservationId));
  t.match(reservation.documents, [{ kind: 'INVOICE' }]);
});

void t.test('what an imported reservation does next is what others do', async (t) => {
  const scene = withRooms();
  const coming = importedStay({ checkIn: DAY, checkOut: DAY + 2 });
  const given = importedStay();
  scene.accept(importCommand([coming, given]));
  const { reservation } = scene.accept(checkInCommand(coming.reservationId));
  t.equal(reservation.status, 'CHECKED_IN');
  const cancelled = scene.accept(cancelCommand(given.reservationId)).reservation;
  t.equal(cancelled.status, 'CANCELLED');
  t.equal(scene.cell(DAY + 5).booked, 0);
});

void t.test('a full hotel refuses what does not fit, and stores it where overbooking is allowed', async (t) => {
  const scene = Scene.property();
  const stays = Array.from({ length: 5 }, () => importedStay());
  const { outcomes } = scene.accept(importCommand(stays));
  t.same(
    outcomes.map(({ refused }) => refused?.code),
    [undefined, undefined, undefined, 'ROOM_NOT_AVAILABLE', 'ROOM_NOT_AVAILABLE'],
  );
  t.equal(scene.refuse(bookCommand()).code, 'ROOM_NOT_AVAILABLE');
  const before = plain(scene.state);
  scene.batch();
  t.same(scene.accept(importCommand([importedStay()])).outcomes[0]!.refused?.code, 'ROOM_NOT_AVAILABLE');
  t.same(plain(scene.state), before, 'a commit of refusals only changes nothing');
  scene.accept(importCommand([importedStay()], true));
  t.match(scene.cell(DAY + 5), { booked: 4, available: 0 });
});

void t.test('states that do not fit their dates are refused, and the others are stored', async (t) => {
  const scene = withRooms();
  const wrong = [
    importedStay({ status: 'CHECKED_OUT' }),
    importedStay({ status: 'NO_SHOW' }),
    pastStay('CONFIRMED'),
    pastStay('PENDING'),
    pastStay('CHECKED_IN', { roomNumber: '101' }),
    importedStay({ status: 'CHECKED_IN', checkIn: DAY, checkOut: DAY + 1 }),
    importedStay({ roomType: 'SUITE' }),
    importedStay({ checkIn: DAY + 5_000 }),
    importedStay({ payments: [charge(100, 'REFUND')] }),
    importedStay({ roomNumber: '999' }),
    importedStay({ roomNumber: '201' }),
  ];
  const right = importedStay({ roomNumber: '101' });
  const { outcomes } = scene.accept(importCommand([...wrong, right, importedStay({ roomNumber: '101' })]));
  t.ok(outcomes.slice(0, wrong.length).every(({ refused }) => refused));
  t.equal(outcomes[wrong.length]!.refused, undefined);
  t.equal(outcomes.at(-1)!.refused?.code, 'ROOM_TAKEN');
});

void t.test('sent again it is there once; replaced, it gives its nights back', async (t) => {
  const scene = Scene.property();
  const stay = importedStay();
  scene.accept(importCommand([stay]));
  const before = plain(scene.state);
  scene.accept(importCommand([stay]));
  t.same(plain(scene.state), before);
  const moved = { ...importedStay({ checkIn: DAY + 6 }), reservationId: stay.reservationId, ifVersion: 1 };
  t.same(scene.accept(importCommand([moved])).outcomes[0]!.refused, undefined);
  t.same(
    [5, 6, 7].map((n) => scene.cell(DAY + n).booked),
    [0, 1, 1],
  );
  t.equal(scene.state.reservations.get(stay.reservationId)!.version, 2);
  const same = scene.accept(importCommand([moved])).outcomes[0]!;
  t.same(same, { reservationId: stay.reservationId, version: 2 }, 'its record was lost, and it is stored');
  t.equal(scene.state.reservations.get(stay.reservationId)!.version, 2);
  const older = { ...moved, ifVersion: 0 };
  t.equal(scene.accept(importCommand([older])).outcomes[0]!.refused?.code, 'STALE_VERSION');
  const ended = {
    ...pastStay('CANCELLED'),
    stay: moved.stay,
    nights: moved.nights,
    reservationId: stay.reservationId,
    ifVersion: 2,
  };
  scene.accept(importCommand([ended]));
  t.same(
    [5, 6, 7].map((n) => scene.cell(DAY + n).booked),
    [0, 0, 0],
  );
  t.equal(scene.state.unfinished, 0);
});

void t.test('a change whose record was lost may be changed again, unless somebody has changed it here', async (t) => {
  const scene = withRooms();
  const stay = importedStay();
  const again = (own: object) => ({ ...importedStay(), reservationId: stay.reservationId, ifVersion: 1, ...own });
  scene.accept(importCommand([stay]));
  scene.pass(1_000);
  scene.accept(importCommand([again({ specialRequests: ['Quiet'] })]));
  scene.pass(1_000);
  const other = scene.accept(importCommand([again({ specialRequests: ['A cot'] })])).outcomes[0]!;
  t.same(other, { reservationId: stay.reservationId, version: 3 });
  scene.accept(cancelCommand(stay.reservationId));
  const late = scene.accept(importCommand([again({ ifVersion: 3 })])).outcomes[0]!;
  t.equal(late.refused?.code, 'STALE_VERSION', 'what was done here stays');

  const arriving = importedStay({ checkIn: DAY, checkOut: DAY + 2 });
  scene.accept(importCommand([arriving]));
  const inHouse = { ...arriving, status: 'CHECKED_IN' as const, roomNumber: '101', ifVersion: 1 };
  scene.accept(importCommand([inHouse]));
  t.equal(scene.accept(importCommand([inHouse])).outcomes[0]!.refused, undefined, 'also of a guest in house');
});

void t.test('a dry run says the same, and nothing is stored', async (t) => {
  const scene = Scene.property();
  const stays = Array.from({ length: 4 }, () => importedStay());
  const before = plain(scene.state);
  const { outcomes } = scene.accept({ ...importCommand(stays), dryRun: true });
  t.same(
    outcomes.map(({ refused }) => refused?.code),
    [undefined, undefined, undefined, 'ROOM_NOT_AVAILABLE'],
  );
  t.same(plain(scene.state), before);
});

const rows = fc.record({
  status: fc.constantFrom(...STATES),
  roomType: fc.constantFrom('STD', 'DLX'),
  from: fc.integer({ min: -3, max: 8 }),
  nights: fc.integer({ min: 1, max: 4 }),
});

void t.test(
  'imports beside bookings sell no cell that was not free, and every counter is what they add up to',
  async () => {
    const played = fc.tuple(
      moves,
      fc.array(fc.tuple(fc.nat(40), fc.array(rows, { minLength: 1, maxLength: 8 })), { maxLength: 6 }),
    );
    fc.assert(
      fc.property(played, ([wanted, imports]) => {
        const run = new RandomRun();
        for (const [index, move] of wanted.entries()) {
          run.play(move);
          for (const [, all] of imports.filter(([at]) => at === index)) {
            const before = run.free();
            const { today } = run.scene.state;
            const stays = all.map(({ status, roomType, from, nights }) =>
              importedStay({ status, roomType, checkIn: today + from, checkOut: today + from + nights }),
            );
            run.scene.accept(importCommand(stays));
            for (const one of run.scene.last.draft.reservations.put()) run.reservations.set(one.id, one);
            for (const [key, free] of run.free()) if (free < 0 && free < before.get(key)!) return false;
          }
          for (const [key, [booked, held]] of run.recount()) {
            const [type, day] = key.split(' ');
            const slab = run.scene.state.slabs.get(type!)!;
            if (slab.count(Number(day), 'booked') !== booked || slab.count(Number(day), 'held') !== held)
              return false;
          }
        }
        return true;
      }),
      { numRuns: inCiOrNightly(60, 600) },
    );
  },
);
