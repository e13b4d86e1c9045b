import t from 'tap';

import type { Sharer } from '../../../src/guests/rules/guest.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  postCommand,
  startBookingCommand,
  startPaymentCommand,
  voidCommand,
} from '../../../src/testing/property-world.ts';

const SHARER: Sharer = { guestId: freshId(), firstName: 'Bo', lastName: 'Diddley', email: 'bo@example.com' };
const OTHER: Sharer = { guestId: freshId(), firstName: 'Muddy', lastName: 'Waters', email: 'muddy@example.com' };
const STAY = { checkIn: DAY, checkOut: DAY + 2, adults: 2 };

function booked(options: Parameters<typeof bookCommand>[0] = {}) {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { id } = scene.accept(bookCommand({ stay: STAY, ...options })).reservation;
  const now = (): Reservation => scene.state.reservations.get(id)!;
  const named = (sharer: Sharer | null, more: Partial<CommandOf<'MODIFY'>> = {}) =>
    modifyCommand(id, {}, { sharer, ...more });
  return { scene, id, now, named };
}

const route = (reservationId: string, window: 'SHARER' | 'GUEST' = 'SHARER') => ({
  type: 'ROUTE_FOLIO' as const,
  reservationId,
  rules: [{ kind: 'EXTRA' as const, window }],
  by: 'desk',
});

void t.test('a booking has a sharer, who becomes a profile with its commit', async (t) => {
  const scene = Scene.property();
  const command = startBookingCommand({ stay: STAY, sharer: SHARER, sharerKey: 'k1.other' });
  const { reservation } = scene.accept(command);
  t.same(reservation.sharer, SHARER);
  const { guests } = scene.sealed.at(-1)!.changes;
  t.match(guests, [{ guest: { firstName: 'Ada' } }, { guest: SHARER, wrappedKey: 'k1.other' }]);
});

void t.test('a change names a sharer and takes it away, and says which profile it is', async (t) => {
  const { scene, now, named } = booked();
  const { changes } = scene.accept(named(SHARER));
  t.match(changes, { sharer: { from: undefined, to: SHARER.guestId } });
  t.match(scene.sealed.at(-1)!.changes.guests, [{ guest: SHARER, wrappedKey: undefined }]);
  t.same(now().sharer, SHARER);
  t.notOk(JSON.stringify(scene.last.entries).includes('Diddley'), 'the journal has no name');
  scene.accept(modifyCommand(now().id, {}, { specialRequests: ['A cot'] }));
  t.same(now().sharer, SHARER, 'another change leaves it');
  scene.accept(named({ ...SHARER, firstName: 'Ellas', phone: '+1' }));
  t.match(now().sharer, { firstName: 'Ellas', phone: '+1', former: ['Bo'] }, 'erasure finds the former name');
  scene.accept(route(now().id));
  scene.accept(named(null));
  t.same([now().sharer, now().routing], [undefined, undefined]);
});

void t.test('who cannot share a room is refused, and nothing is stored', async (t) => {
  const guest = { guestId: freshId(), firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
  const same = { ...SHARER, lastName: 'BYRON', email: 'Ada@Example.com' };
  const cases: [string, string, Parameters<typeof booked>[0], Sharer][] = [
    ['SAME_GUEST', '', { guest }, { ...SHARER, guestId: guest.guestId }],
    ['SAME_GUEST', '', { guest }, same],
    ['ONE_PERSON', '', { stay: { ...STAY, adults: 1 } }, SHARER],
    ['MISSING', '/email', {}, { ...SHARER, email: '' }],
  ];
  for (const [code, pointer, options, sharer] of cases) {
    const { scene, now, named } = booked(options);
    const before = now();
    t.match(scene.refuse(named(sharer)).details, { errors: [{ code, pointer: `/modifications/sharer${pointer}` }] });
    t.equal(now(), before);
    const whole = bookCommand({ stay: STAY, ...options, sharer });
    t.match(scene.refuse(whole).details, { errors: [{ code, pointer: `/sharer${pointer}` }] });
  }
  const { scene, now } = booked({ sharer: SHARER });
  t.match(scene.refuse(modifyCommand(now().id, { adults: 1 }, { modifiedBy: 'desk', reason: 'alone' })).details, {
    errors: [{ code: 'ONE_PERSON' }],
  });
  const walkIn = booked({ source: { channel: 'WALKIN' } });
  walkIn.scene.accept(walkIn.named({ ...SHARER, email: '' }));
});

void t.test('a sharer who has postings or payments stays, until they are somebody else’s', async (t) => {
  const { scene, id, now, named } = booked({ sharer: SHARER });
  const { posting } = scene.accept({ ...postCommand(id, { code: 'BAR' }), window: 'SHARER' });
  for (const next of [null, OTHER]) t.match(scene.refuse(named(next)), { code: 'INVALID_STATE' });
  const { attempt } = scene.accept({ ...startPaymentCommand(id), window: 'SHARER' });
  scene.accept(endPaymentCommand(id, paid(attempt)));
  scene.accept(voidCommand(id, posting.postingId));
  t.match(scene.refuse(named(null)), { code: 'INVALID_STATE' }, 'the money is the sharer’s');
  scene.accept({
    type: 'GIVE_REFUND',
    reservationId: id,
    refundId: freshId(),
    amount: attempt.amount,
    paymentId: attempt.paymentId,
    reason: 'other guest',
    by: 'boss',
  });
  t.match(scene.refuse(named(null)), { code: 'INVALID_STATE' }, 'the refund is not paid out yet');
  const refund = now().payments.at(-1)!;
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: { ...refund, status: 'COMPLETED' } });
  scene.accept(named(OTHER));
  t.same(now().sharer, OTHER);
});

void t.test('erasing one of two guests leaves the other', async (t) => {
  const { scene, id, now } = booked({
    sharer: SHARER,
    specialRequests: ['A cot', 'Quiet for Diddley'],
    companions: [{ firstName: 'Bo', lastName: 'Diddley' }],
  });
  scene.accept(cancelCommand(id));
  const { guest } = now();
  scene.accept({ type: 'ERASE_GUEST', reservationId: id, guestId: SHARER.guestId, names: ['Ellas McDaniel'] });
  t.same(now().sharer, { guestId: SHARER.guestId, firstName: '', lastName: '', email: '' });
  t.same(now().guest, guest);
  t.same(now().specialRequests, ['A cot', 'guest'], 'texts of who has booked stay, but for the name');
  t.same(now().companions, []);
  t.notOk(JSON.stringify(now()).includes('Diddley'));

  const other = booked({ sharer: SHARER });
  other.scene.accept(cancelCommand(other.id));
  other.scene.accept({ type: 'ERASE_GUEST', reservationId: other.id, guestId: other.now().guest.guestId, names: [] });
  t.match(other.now(), { guest: { firstName: '', email: '' }, sharer: SHARER });
  other.scene.accept({ type: 'ERASE_GUEST', reservationId: other.id, guestId: SHARER.guestId });
  t.match(other.now().sharer, { firstName: '' }, 'and then the other one');
});
