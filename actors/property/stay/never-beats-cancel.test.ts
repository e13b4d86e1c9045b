import fc from 'fast-check';
import t from 'tap';

import {
  evasiveGuests,
  goTo,
  paidBooking,
  playEvasion,
  spaciousProperty,
} from '../../../src/testing/actors/guest-moves.ts';
import {
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
} from '../../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../../test/loop/nightly.ts';

const HOUR = 3_600_000;

t.test('no sequence of changes is cheaper than cancelling at its first one', async (t) => {
  let changed = 0;
  let costly = 0;
  fc.assert(
    fc.property(evasiveGuests, (guest) => {
      const played = playEvasion(guest);
      changed += played.changed;
      costly += played.costly;
    }),
    { numRuns: inCiOrNightly(400, 5_000) },
  );
  t.comment(`${changed} changes, ${costly} of them where a cancellation would have cost something`);
  t.ok(costly > 100, 'often enough to say something');
});

t.test('the evasions that were found', async (t) => {
  const scene = spaciousProperty();
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
  const scene = spaciousProperty();
  const id = paidBooking(scene, 'BAR', 2);
  const { property: now } = scene.state;
  const policies = { ...now!.metadata.policies, freeCancellationHours: 24 * 30 };
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...now!, metadata: { ...now!.metadata, policies } } });
  t.match(scene.accept(cancelCommand(id)).reservation.cancellation, { penalty: 0 });
});

t.test('who leaves on the day that he booked is not early, though the business date has not rolled', async (t) => {
  for (const nightAuditHour of [3, 11]) {
    const scene = spaciousProperty();
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
