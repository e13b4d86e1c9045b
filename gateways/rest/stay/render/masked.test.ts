import t from 'tap';

import { ROLES } from '../../../../src/kernel/rules/caller.ts';
import { property, reservation } from '../../../../src/testing/property-world.ts';
import { invoice } from './invoice.ts';
import { renderListedReservation, wholeReservation } from './reservation.ts';

const PRIVATE = ['ada@example.com', '+351 123', 'Augusta Byron', 'Ockham Park', 'Horsley', 'Surrey', 'KT24', '/link'];
const target = property();
const known = reservation();
const booked = {
  ...known,
  guest: { ...known.guest, phone: '+351 123' },
  billing: {
    method: 'CREDIT_CARD' as const,
    card: 'sealed',
    address: {
      name: 'Augusta Byron',
      addressLine1: 'Ockham Park',
      city: 'Horsley',
      state: 'Surrey',
      zipCode: 'KT24',
      country: 'GB',
    },
  },
};

void t.test('no answer about a reservation tells a VIEWER how to reach its guest', async (t) => {
  for (const role of ROLES) {
    const caller = { tenantId: 'acme', subject: 'u', requestId: 'r', role };
    const texts = [
      wholeReservation(booked, target, caller, 'NONE'),
      renderListedReservation(booked, caller, 'NONE'),
      invoice({ reservation: booked, party: 'REST' }, target, caller, '/link'),
    ].map((answer) => JSON.stringify(answer));
    const leaked = PRIVATE.filter((secret) => texts.some((text) => text.includes(secret)));
    t.same(leaked, role === 'VIEWER' ? [] : PRIVATE, role);
  }
  const seen = wholeReservation(booked, target, { role: 'VIEWER' }, 'NONE');
  t.match(seen, { paymentDetails: { billingAddress: { name: 'A*** B***', addressLine1: 'O***', country: 'GB' } } });
});
