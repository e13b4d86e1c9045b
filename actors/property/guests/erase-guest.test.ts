import t from 'tap';

import { bookingsOf } from '../../../src/kernel/rules/journal.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, cancelCommand, NOW } from '../../../src/testing/property-world.ts';
import { Ring } from '../../ring.ts';

const guest = { phone: '+34 600', preferences: { bedType: 'KING' } };
const billing = { method: 'CREDIT_CARD' as const, address: { name: 'Ada Byron', city: 'London' }, card: 'sealed' };

function cancelled() {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand({ guest, billing, specialRequests: ['a crib for Ada'] }));
  scene.accept(cancelCommand(reservation.id, { description: 'Ada is ill', cancelledBy: 'Ada Byron' }));
  return { scene, id: reservation.id, erase: { type: 'ERASE_GUEST' as const, reservationId: reservation.id } };
}

void t.test('the person leaves the reservation and its memory; the books and the chain go on', async (t) => {
  const { scene, id, erase } = cancelled();
  const before = scene.state.reservations.get(id)!;
  const { seq, head } = scene.state;
  scene.accept(erase);
  const after = scene.state.reservations.get(id)!;
  t.notMatch(JSON.stringify(after), /Ada|Byron|example|\+34|\bKING|London|sealed|crib/);
  const { confirmationNumber, status, stay, nights, payments } = before;
  t.match(after, { confirmationNumber, status, stay, nights, payments, billing: { method: 'CREDIT_CARD' } });
  t.match(after.cancellation, { reason: 'GUEST_REQUEST', cancelledBy: 'guest', penalty: 0 });
  t.equal(after.version, before.version + 1);
  t.equal(scene.state.seq, seq + 1);
  t.not(scene.state.head, head, 'the journal says that it happened');
});

void t.test('again, it changes nothing and has no number', async (t) => {
  const { scene, id, erase } = cancelled();
  scene.accept(erase);
  const { seq } = scene.state;
  const { version } = scene.state.reservations.get(id)!;
  scene.accept(erase);
  t.equal(scene.state.seq, seq);
  t.equal(scene.state.reservations.get(id)!.version, version);
});

void t.test('a stay that is not over keeps its guest', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  t.equal(scene.refuse({ type: 'ERASE_GUEST', reservationId: reservation.id }).code, 'GUEST_IN_USE');
});

void t.test('newcomers to a feed do not get the name of an erased guest', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const entries = scene.last.entries.map((entry) => ({ ...entry, at: NOW }));
  const ring = new Ring({ seq: entries[0]!.seq - 1, older: async () => [] });
  for (const entry of entries) ring.push(entry);
  t.equal(ring.recent()[0]?.guestName, 'Ada Byron');
  ring.forgetName('somebody else');
  t.equal(ring.recent()[0]?.guestName, 'Ada Byron');
  ring.forgetName(reservation.id);
  t.match(ring.recent(), [{ seq: entries[0]!.seq, guestName: undefined }]);
  t.equal(bookingsOf(ring.recent()[0]!)[0]?.reservationId, reservation.id);
});
