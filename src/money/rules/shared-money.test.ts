import t from 'tap';

import { reservation } from '../../testing/property-world.ts';
import { chargesOfOthers } from './shared-money.ts';

t.test('charges of who has booked are without what the sharer pays of them', async (t) => {
  const charge = (description: string, more = {}) => {
    return { description, amount: 501, day: 1, quantity: 3, kind: 'EXTRA' as const, ...more };
  };
  const charges = [
    charge('Own', { window: 'GUEST' }),
    charge('Secret', { window: 'SHARER' }),
    charge('Divided'),
    charge('Divided back', { amount: -501, quantity: -3 }),
  ];
  const sharer = { guestId: 's', firstName: 'Bo', lastName: 'Diddley', email: 'bo@example.com' };
  const of = { ...reservation(), charges, sharer };
  const shown = (routing: typeof of.routing) =>
    chargesOfOthers({ ...of, routing }).map(({ description, amount, quantity }) => [description, amount, quantity]);
  t.same(shown([{ kind: 'EXTRA', window: 'SHARER', percent: 50 }]), [
    ['Own', 501, 3],
    ['Divided', 251, 1],
    ['Divided back', -251, -1],
  ]);
  t.same(shown([{ kind: 'EXTRA', window: 'SHARER' }]), [['Own', 501, 3]]);
  t.equal(shown(undefined).length, 3);
});
