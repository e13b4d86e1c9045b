import t from 'tap';

import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import { bookingsOf } from '../../src/kernel/rules/journal.ts';
import { instantAt } from '../../src/kernel/rules/property-time.ts';
import { totals } from '../../src/money/rules/night.ts';
import type { Stay } from '../../src/rates/rules/stay.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  type BookingOptions,
  cancelCommand,
  DAY,
  freshId,
  modifyCommand,
  paid,
  startBookingCommand,
} from '../../src/testing/property-world.ts';

const HOUR = 3_600_000;
const arrival = instantAt(DAY + 5, '15:00', 'Europe/Berlin');

/** A paid, confirmed reservation of two STD nights from the fifth day on. */
function confirmed(scene: Scene, options: BookingOptions = {}): string {
  const command = startBookingCommand(options);
  const { attempt } = scene.accept(command);
  return scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) }).reservation.id;
}

void t.test('a cancel before the deadline gives everything back and frees the rooms', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  scene.now = arrival - 48 * HOUR - 1;
  const command = cancelCommand(id);
  const { reservation } = scene.accept(command);
  t.match(reservation, {
    status: 'CANCELLED',
    paid: 0,
    version: 2,
    cancellation: { penalty: 0, refund: 22_800, refundId: command.refundId },
  });
  t.match(reservation.payments, [
    { type: 'CHARGE', status: 'COMPLETED' },
    { type: 'REFUND', status: 'PROCESSING', amount: 22_800, paymentId: command.refundId, method: 'CREDIT_CARD' },
  ]);
  t.match(scene.cell(DAY + 5), { booked: 0, available: 3 });
  t.equal(scene.state.unfinished, 0);
});

void t.test('after the deadline the first night is retained: penalty and refund are what was paid', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  scene.now = arrival - 48 * HOUR;
  const { cancellation } = scene.accept(cancelCommand(id)).reservation;
  t.match(cancellation, { penalty: 11_400, refund: 11_400, refundEligible: true, policyName: 'STANDARD' });
});

void t.test('each policy takes its own penalty', async (t) => {
  for (const [rateCode, hours, penalty] of [
    ['FLEX', 24.1, 0],
    ['FLEX', 24, 12_500],
    ['NRF', 1_000, 20_600],
  ] as const) {
    const scene = Scene.property();
    const id = confirmed(scene, { stay: { rateCode } });
    scene.now = Math.max(scene.now, arrival - hours * HOUR);
    const { reservation } = scene.accept(cancelCommand(id));
    const total = totals(reservation.nights).total;
    t.match(reservation.cancellation, { penalty, refund: total - penalty }, `${rateCode} ${hours} h before`);
  }
});

void t.test('without a wish for a refund nothing goes back', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(cancelCommand(confirmed(scene), { refundRequested: false }));
  t.match(reservation, { paid: 22_800, cancellation: { refund: 0, refundId: null } });
  t.equal(reservation.payments.length, 1);
});

void t.test(
  'a PENDING reservation is cancelled for nothing, with its hold and the payment it waited for',
  async (t) => {
    const scene = Scene.property();
    const { reservation } = scene.accept(bookCommand({ stay: { rateCode: 'NRF' } }));
    const after = scene.accept(cancelCommand(reservation.id)).reservation;
    t.match(after, { status: 'CANCELLED', holdExpiresAt: undefined, cancellation: { penalty: 0, refund: 0 } });
    t.match(after.payments, [{ status: 'CANCELLED' }], 'nobody may pay it any more');
    t.match(scene.cell(DAY + 5), { held: 0, booked: 0 });
    t.equal(scene.state.holds.size, 0);
  },
);

void t.test('a cancel is refused the second time, for a stranger, and with a stale version', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  t.equal(scene.refuse(cancelCommand(freshId())).code, 'RESERVATION_NOT_FOUND');
  t.equal(scene.refuse(cancelCommand(id, { ifVersion: 7 })).code, 'STALE_VERSION');
  scene.accept(cancelCommand(id, { ifVersion: 1 }));
  t.equal(scene.refuse(cancelCommand(id)).code, 'INVALID_STATE');
  t.match(scene.cell(DAY + 5), { booked: 0 }, 'rooms are given back once');
});

void t.test('the answer of the provider is noted at the refund', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const command = cancelCommand(id);
  const refund = scene.accept(command).reservation.payments.at(-1)!;
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: paid(refund) });
  t.match(scene.state.reservations.get(id)!.payments.at(-1), {
    type: 'REFUND',
    status: 'COMPLETED',
    paymentId: command.refundId,
  });
});

void t.test('remaining nights keep their price, new ones have the price of the moment', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  scene.accept(baseRates('STD', 20_000));
  const result = scene.accept(modifyCommand(id, { checkIn: DAY + 6, checkOut: DAY + 8 }));
  t.same(
    result.reservation.nights.map(({ day, rate }) => [day, rate]),
    [
      [DAY + 6, 10_000],
      [DAY + 7, 20_000],
    ],
  );
  t.match(result, { additional: 11_000, refund: 0 });
  t.same(
    [5, 6, 7].map((offset) => scene.cell(DAY + offset).booked),
    [0, 1, 1],
  );
  t.equal(result.dueDate, Math.min(result.modifiedAt + 7 * 24 * HOUR, instantAt(DAY + 6, '15:00', 'Europe/Berlin')));
});

void t.test(
  'another room type is priced anew; another party pays its own fees, at the rates that were booked',
  async (t) => {
    const scene = Scene.property();
    const id = confirmed(scene);
    scene.accept(baseRates('STD', 20_000));
    t.same(
      scene.accept(modifyCommand(id, { adults: 1 })).reservation.nights.map(({ rate, fees }) => [rate, fees]),
      [
        [10_000, 200],
        [10_000, 200],
      ],
    );
    const { reservation, changes } = scene.accept(modifyCommand(id, { roomType: 'DLX' }));
    t.same(
      reservation.nights.map(({ rate }) => rate),
      [15_000, 15_000],
    );
    t.same(changes.roomType, { from: 'STD', to: 'DLX' });
    t.match([scene.cell(DAY + 5, 'STD').booked, scene.cell(DAY + 5, 'DLX').booked], [0, 1]);
  },
);

void t.test('a cheaper stay gives back what was paid too much', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { reservation, refund, additional, dueDate } = scene.accept(modifyCommand(id, { nights: 1 }));
  t.match({ refund, additional, dueDate }, { refund: 11_400, additional: 0, dueDate: null });
  t.equal(reservation.paid, totals(reservation.nights).total);
  t.match(reservation.payments.at(-1), { type: 'REFUND', amount: 11_400, status: 'PROCESSING' });
});

void t.test('a change needs a room on every new night and none on those it has', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  for (let n = 0; n < 2; n++) scene.accept(bookCommand());
  t.equal(scene.cell(DAY + 6).available, 0);
  scene.accept(modifyCommand(id, { checkOut: DAY + 8 }));
  t.equal(scene.cell(DAY + 6).booked, 1);
  for (let n = 0; n < 3; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 8, checkOut: DAY + 9 } }));
  const error = scene.refuse(modifyCommand(id, { checkOut: DAY + 9 }));
  t.match([error.code, error.details.date], ['ROOM_NOT_AVAILABLE', '2026-06-09']);
  t.match(scene.state.reservations.get(id)!.stay, { checkOut: DAY + 8 }, 'it stays as it was');
});

void t.test('of dates, only nights move another one', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const stayAfter = (stay: CommandOf<'MODIFY'>['stay']): Partial<Stay> =>
    scene.accept(modifyCommand(id, stay)).reservation.stay;
  t.match(stayAfter({ checkIn: DAY + 4 }), { checkIn: DAY + 4, checkOut: DAY + 7 });
  t.match(stayAfter({ nights: 2 }), { checkIn: DAY + 4, checkOut: DAY + 6 });
  t.match(stayAfter({ checkOut: DAY + 7 }), { checkIn: DAY + 4, checkOut: DAY + 7 });
  const { code, details } = scene.refuse(modifyCommand(id, { checkIn: DAY + 7 }));
  t.match([code, details.errors?.[0]?.code], ['VALIDATION_FAILED', 'ZERO_NIGHTS']);
});

void t.test('of preferences, what is not named stays, and each is a change of its own', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const wish = (preferences: object): unknown =>
    scene.accept(modifyCommand(id, {}, { guest: { preferences } })).changes;
  t.same(wish({ bedType: 'KING', roomType: 'SUITE' }), {
    bedType: { from: undefined, to: 'KING' },
    preferredRoomType: { from: undefined, to: 'SUITE' },
  });
  t.same(wish({ bedType: 'TWIN' }), { bedType: { from: 'KING', to: 'TWIN' } });
  t.same(scene.state.reservations.get(id)!.guest.preferences, { bedType: 'TWIN', roomType: 'SUITE' });
});

void t.test('a cheaper stay is published with what remains paid', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { reservation, refund } = scene.accept(modifyCommand(id, { nights: 1 }));
  const events = bookingsOf(scene.last.entries.at(-1)!).map(({ event, total, paid }) => ({ event, total, paid }));
  t.ok(refund > 0);
  t.same(events, [{ event: 'MODIFIED', total: reservation.paid, paid: reservation.paid }]);
});

void t.test('a PENDING reservation moves with its hold', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  scene.accept(modifyCommand(reservation.id, { checkIn: DAY + 9, checkOut: DAY + 11 }));
  t.same(
    [5, 6, 9, 10].map((offset) => scene.cell(DAY + offset).held),
    [0, 0, 1, 1],
  );
  t.match(scene.state.holds.get(reservation.id), { checkIn: DAY + 9, checkOut: DAY + 11 });
  scene.pass(900_100);
  scene.accept({ type: 'EXPIRE' });
  t.same(
    [9, 10].map((offset) => scene.cell(DAY + offset).held),
    [0, 0],
  );
});

void t.test('a guest changes dates until the deadline, the property with a reason until check-in', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  scene.now = arrival - 24 * HOUR + 1;
  t.equal(scene.refuse(modifyCommand(id, { nights: 3 })).code, 'MODIFICATION_DEADLINE');
  t.equal(
    scene.refuse(modifyCommand(id, { adults: 1 }, { modifiedBy: 'guest', reason: 'please' })).code,
    'MODIFICATION_DEADLINE',
  );
  t.equal(
    scene.refuse(modifyCommand(id, { nights: 3 }, { modifiedBy: 'desk' })).code,
    'MODIFICATION_DEADLINE',
    'no reason',
  );
  t.equal(
    scene.accept(modifyCommand(id, {}, { guest: { phone: '1' } })).reservation.guest.phone,
    '1',
    'contact data any time',
  );
  const byDesk = { modifiedBy: 'desk', reason: 'asked by phone' };
  scene.now = arrival;
  t.equal(scene.accept(modifyCommand(id, { nights: 3 }, byDesk)).reservation.stay.checkOut, DAY + 8);
  scene.pass(6 * HOUR);
  t.equal(scene.accept(modifyCommand(id, { nights: 1 }, byDesk)).reservation.stay.checkOut, DAY + 6, 'a late guest');
});

void t.test('a dry run answers the same and leaves no trace', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { seq } = scene.state;
  const wish = modifyCommand(id, { nights: 3 });
  const dry = scene.accept({ ...wish, dryRun: true });
  t.match([scene.state.seq, scene.last.entries.length, scene.cell(DAY + 7).booked], [seq, 0, 0]);
  t.same(scene.accept(wish), dry);
});

void t.test(
  'nights that disagree with the dates, a stale version and a cancelled reservation are refused',
  async (t) => {
    const scene = Scene.property();
    const id = confirmed(scene);
    const disagree = scene.refuse(modifyCommand(id, { checkIn: DAY + 5, checkOut: DAY + 7, nights: 3 }));
    t.match(
      [disagree.code, disagree.details.errors?.[0]?.pointer],
      ['VALIDATION_FAILED', '/modifications/stayDetails/nights'],
    );
    t.equal(scene.refuse(modifyCommand(id, { nights: 3 }, { ifVersion: 2 })).code, 'STALE_VERSION');
    scene.accept(cancelCommand(id));
    t.equal(scene.refuse(modifyCommand(id, { nights: 3 })).code, 'INVALID_STATE');
  },
);

void t.test('changes name flat leaves, derived ones included, and nothing that stayed', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { changes } = scene.accept(modifyCommand(id, { nights: 3 }, { specialRequests: ['quiet'] }));
  t.same(changes, {
    checkOut: { from: '2026-06-08', to: '2026-06-09' },
    nights: { from: 2, to: 3 },
    totalAmount: { from: 22_800, to: 34_200 },
    specialRequests: { from: [], to: ['quiet'] },
  });
});

void t.test('remaining nights need no price of today', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { rateVersion, seq } = scene.state;
  const stored = { version: rateVersion + 1, seq, plans: [...scene.state.plans.values()], rates: [] };
  scene.accept({ type: 'RELOAD', stored });
  t.equal(scene.cell(DAY + 5).rate, null);
  const { nights } = scene.accept(modifyCommand(id, { checkOut: DAY + 6 })).reservation;
  t.match(nights, [{ day: DAY + 5, rate: 10_000 }]);
  t.equal(scene.refuse(modifyCommand(id, { checkOut: DAY + 8 })).code, 'NO_RATE');
});

void t.test('a phone that is taken away is gone, and published as a change', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  scene.accept(modifyCommand(id, {}, { guest: { phone: '+351 1' } }));
  const { reservation, changes } = scene.accept(modifyCommand(id, {}, { guest: { phone: null } }));
  t.same(changes, { phone: { from: '+351 1', to: undefined } });
  t.notOk('phone' in reservation.guest);
});

void t.test('nights that disagree with the dates are named in the words of every other field', async (t) => {
  const scene = Scene.property();
  const id = confirmed(scene);
  const { errors } = scene.refuse(modifyCommand(id, { checkOut: DAY + 8, nights: 1 })).details;
  t.match(errors, [{ pointer: '/modifications/stayDetails/nights', code: 'NIGHTS_DISAGREE' }]);
});
