import t from 'tap';

import type { Reservation } from '../src/stay/rules/reservation.ts';
import { RunningHost, type HostTeardown } from '../src/testing/actors/running-host.ts';
import { bookCommand, DAY, modifyCommand } from '../src/testing/property-world.ts';

/** A property that has slept while somebody broke the row of a reservation. */
async function broken(t: HostTeardown, paymentRequired: boolean, how: (whole: Reservation) => Partial<Reservation>) {
  const running = await RunningHost.property(t, { policies: { paymentRequired } });
  const whole = (await running.send(bookCommand())).result.reservation;
  running.store.reservations.set(whole.id, { tenantId: 'acme', reservation: { ...whole, ...how(whole) } });
  running.crash();
  return { running, id: whole.id, call: () => running.send(modifyCommand(whole.id, {}, { guest: { phone: '1' } })) };
}

t.test('nothing is decided on a reservation whose money does not add up as it was read', async (t) => {
  for (const how of [() => ({ paid: 1 }), ({ nights }: Reservation) => ({ nights: nights.slice(1) })]) {
    const { running, id, call } = await broken(t, false, how);
    await t.rejects(call(), { name: 'MoneyFault' });
    t.equal(running.violations, 1);
    t.match(running.store.reservations.get(id)!.reservation, { version: 1, guest: { phone: undefined } });
  }
});

t.test('what would be written without adding up is not, and takes no other command with it', async (t) => {
  const { running, id, call } = await broken(t, true, () => ({ paid: 1 }));
  const [fault, other] = await Promise.allSettled([
    call(),
    running.send(bookCommand({ stay: { checkIn: DAY + 1 } })),
  ]);
  t.match(fault, { status: 'rejected', reason: { name: 'MoneyFault' } });
  t.equal(other.status, 'fulfilled');
  t.equal(running.violations, 2, 'when it was loaded, and when it would have been written');
  t.match(running.store.reservations.get(id)!.reservation, { version: 1 });
  t.match(running.errors, [{ wrong: /1 is paid/ }, { type: 'MODIFY' }]);
});
