import t from 'tap';

import { guestAfter } from '../../guests/rules/guest.ts';
import { atLeast, ROLES } from '../../kernel/rules/caller.ts';
import { totals } from '../../money/rules/night.ts';
import { reservation } from '../../testing/property-world.ts';
import { type ReservationAction, allows } from './reservation-states.ts';
import { RESERVATION_STATUSES } from './reservation.ts';

void t.test('each action is allowed in exactly the states of the table', async (t) => {
  const allowed = (action: ReservationAction) => RESERVATION_STATUSES.filter((status) => allows(status, action));
  t.same(allowed('confirm'), ['PENDING']);
  t.same(allowed('cancel'), ['PENDING', 'CONFIRMED']);
  t.same(allowed('modify'), ['PENDING', 'CONFIRMED', 'CHECKED_IN']);
  t.same(allowed('expire'), ['PENDING']);
});

void t.test('the total is base, taxes and fees summed over the nights', async (t) => {
  const nights = [
    { day: 1, rate: 100, taxes: 10, fees: 3 },
    { day: 2, rate: 200, taxes: 20, fees: 3 },
  ];
  t.same(totals(nights), { base: 300, taxes: 30, fees: 6, total: 336 });
});

void t.test('a role may do what lesser roles may, and no more', async (t) => {
  for (const [i, role] of ROLES.entries())
    for (const [j, least] of ROLES.entries()) t.equal(atLeast(role, least), i >= j, `${role} for ${least}`);
});

void t.test('a change of a guest affects only named members, and null removes the phone', async (t) => {
  const { guest } = reservation();
  const reached = guestAfter(guest, { phone: '+351 1', lastName: 'King' });
  t.same(reached, { ...guest, phone: '+351 1', lastName: 'King', former: ['Byron'] }, 'the former name is retained');
  t.same(guestAfter(reached, {}), reached);
  t.same(guestAfter(reached, { phone: null }), { ...guest, lastName: 'King', former: ['Byron', '+351 1'] });
});
