import fc from 'fast-check';
import t from 'tap';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

const HOUR = 3_600_000;

/** A property that has a room for everybody. */
function property(): Scene {
  const scene = Scene.property({ policies: { earlyDepartureNights: 0 } });
  for (const roomType of ['STD', 'DLX'])
    scene.accept({ type: 'SET_INVENTORY', roomType, start: DAY, end: DAY + 30, totalRooms: 50 });
  scene.accept({
    type: 'PUT_ROOMS',
    rooms: ['101', '102', '103'].map((number) => plainRoom(number)),
    mode: 'create',
  });
  return scene;
}

const POLICY: Record<string, { hours: number | null; part: (nights: number[]) => number }> = {
  BAR: { hours: 48, part: ([first = 0]) => first },
  FLEX: { hours: 24, part: ([first = 0]) => first },
  NRF: { hours: null, part: (nights) => nights.reduce((sum, one) => sum + one, 0) },
};

/** It becomes later, and the business date rolls with it. */
function goTo(scene: Scene, now: number): void {
  scene.now = now;
  scene.accept({ type: 'TICK' });
}

/** What a cancellation would keep now, by the words of docs/reference/reservations.md#cancel. */
function penaltyNow({ stay, nights, paid: money }: Reservation, now: number): number {
  const { hours, part } = POLICY[stay.rateCode]!;
  // Check-in time of the property is 15:00, two hours ahead of UTC.
  const arrival = stay.checkIn * 24 * HOUR + 13 * HOUR;
  if (hours !== null && now < arrival - hours * HOUR) return 0;
  return Math.min(money, part(nights.map(({ rate, taxes, fees }) => rate + taxes + fees)));
}

function paidBooking(scene: Scene, rateCode: string, nights: number): string {
  const stay = { rateCode, checkIn: DAY + 4, checkOut: DAY + 4 + nights };
  const command = startBookingCommand({ stay });
  const { attempt } = scene.accept(command);
  return scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt, scene.now) })
    .reservation.id;
}

const move = fc.record({
  what: fc.constantFrom('dates', 'shorter', 'type', 'guests', 'wait', 'in', 'out', 'missing', 'cancel'),
  by: fc.integer({ min: -3, max: 6 }),
  hours: fc.integer({ min: 1, max: 60 }),
});

/** Does a move of a guest, or does not where it is refused. */
function play(scene: Scene, id: string, { what, by, hours }: { what: string; by: number; hours: number }): void {
  const { stay } = scene.state.reservations.get(id)!;
  const byDesk = { reason: 'the guest asked', modifiedBy: 'desk' };
  const change = (wanted: Parameters<typeof modifyCommand>[1]) => ({ ...modifyCommand(id, wanted), ...byDesk });
  try {
    if (what === 'wait') goTo(scene, scene.now + hours * HOUR);
    else if (what === 'dates') scene.accept(change({ checkIn: stay.checkIn + by, checkOut: stay.checkOut + by }));
    else if (what === 'shorter') scene.accept(change({ checkOut: stay.checkOut - 1 - Math.abs(by) }));
    else if (what === 'type') scene.accept(change({ roomType: stay.roomType === 'STD' ? 'DLX' : 'STD' }));
    else if (what === 'guests') scene.accept(change({ adults: 1 + (hours % 2) }));
    else if (what === 'in') scene.accept(checkInCommand(id, { at: scene.now }));
    else if (what === 'out') scene.accept(checkOutCommand(id, { at: undefined }));
    else if (what === 'missing') scene.accept(noShowCommand(id));
    else scene.accept(cancelCommand(id));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

t.test('no sequence of changes is cheaper than cancelling at its first one', async (t) => {
  let changed = 0;
  let costly = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('BAR', 'FLEX', 'NRF'),
      fc.integer({ min: 1, max: 5 }),
      fc.array(move, { minLength: 2, maxLength: 8 }),
      (rateCode, nights, moves) => {
        const scene = property();
        const id = paidBooking(scene, rateCode, nights);
        let least = 0;
        for (const one of moves) {
          const before = scene.state.reservations.get(id)!;
          const penalty =
            before.status === 'CONFIRMED' || before.status === 'CHECKED_IN' ? penaltyNow(before, scene.now) : 0;
          play(scene, id, one);
          const after = scene.state.reservations.get(id)!;
          if (JSON.stringify(after.stay) === JSON.stringify(before.stay) && after.status === before.status) continue;
          changed += 1;
          least = Math.max(least, penalty);
          if (least > 0) costly += 1;
          if (after.paid < least || folioTotals(after).total < least)
            throw new Error(`${least} would have been kept, ${after.paid} is paid of ${folioTotals(after).total}`);
        }
      },
    ),
    { numRuns: inCiOrNightly(400, 5_000) },
  );
  t.comment(`${changed} changes, ${costly} of them where a cancellation would have cost something`);
  t.ok(costly > 100, 'often enough to say something');
});

t.test('the evasions that were found', async (t) => {
  const scene = property();
  const dates = (id: string, checkIn: number, checkOut: number) => modifyCommand(id, { checkIn, checkOut });
  const shortened = paidBooking(scene, 'NRF', 4);
  t.equal(scene.refuse(dates(shortened, DAY + 4, DAY + 5)).code, 'TERMS_FORBID_CHANGE', 'shortened');
  t.equal(scene.refuse(dates(shortened, DAY + 20, DAY + 24)).code, 'TERMS_FORBID_CHANGE', 'moved');
  const longer = scene.accept(dates(shortened, DAY + 4, DAY + 9));
  t.ok(longer.additional > 0, 'more nights can be had');

  const moved = paidBooking(scene, 'BAR', 2);
  goTo(scene, (DAY + 4) * 24 * HOUR + 13 * HOUR - 30 * HOUR);
  const { nights, paid: money } = scene.state.reservations.get(moved)!;
  const first = nights[0]!.rate + nights[0]!.taxes + nights[0]!.fees;
  scene.accept(dates(moved, DAY + 20, DAY + 22));
  const { reservation } = scene.accept(cancelCommand(moved));
  t.match(reservation, { status: 'CANCELLED', paid: first, cancellation: { penalty: first, refund: money - first } });

  const early = paidBooking(scene, 'NRF', 4);
  const { paid: whole } = scene.state.reservations.get(early)!;
  goTo(scene, (DAY + 4) * 24 * HOUR + 14 * HOUR);
  scene.accept(checkInCommand(early, { at: scene.now }));
  goTo(scene, scene.now + 24 * HOUR);
  const left = scene.accept(checkOutCommand(early, { at: undefined }));
  t.equal(left.reservation.paid, whole, 'left early: nothing comes back');
  t.same(left.refunds, []);
});

t.test('terms are those of the booking: a policy that is changed since changes no reservation', async (t) => {
  const scene = property();
  const id = paidBooking(scene, 'BAR', 2);
  const { property: now } = scene.state;
  const policies = { ...now!.metadata.policies, freeCancellationHours: 24 * 30 };
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...now!, metadata: { ...now!.metadata, policies } } });
  t.match(scene.accept(cancelCommand(id)).reservation.cancellation, { penalty: 0 });
});

t.test('who leaves on the day that he booked is not early, though the business date has not rolled', async (t) => {
  for (const nightAuditHour of [3, 11]) {
    const scene = property();
    const { property: now } = scene.state;
    const policies = { ...now!.metadata.policies, nightAuditHour, earlyDepartureNights: 0 };
    scene.accept({ type: 'UPDATE_PROPERTY', property: { ...now!, metadata: { ...now!.metadata, policies } } });
    const id = paidBooking(scene, 'NRF', 2);
    const { paid: whole } = scene.state.reservations.get(id)!;
    goTo(scene, (DAY + 4) * 24 * HOUR + 14 * HOUR);
    scene.accept(checkInCommand(id, { at: scene.now }));
    // 01:30, or 10:30, of the departure day at the property.
    goTo(scene, (DAY + 6) * 24 * HOUR + (nightAuditHour === 3 ? -0.5 : 8.5) * HOUR);
    const { reservation, refunds } = scene.accept(checkOutCommand(id, { at: undefined }));
    t.match(reservation, { paid: whole, nights: { length: 2 }, stay: { checkOut: DAY + 6 } });
    t.same(refunds, []);
  }
});
