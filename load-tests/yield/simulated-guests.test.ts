import t from 'tap';

import { cancellationChance } from './simulated-guests.ts';

void t.test('bookings are cancelled as often as the table says of their lead time', async (t) => {
  t.same([cancellationChance(0), cancellationChance(13), cancellationChance(364)], [0.05, 0.15, 0.42]);
});
