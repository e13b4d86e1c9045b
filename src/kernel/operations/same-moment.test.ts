import t from 'tap';

import { sameMoment } from './same-moment.ts';

t.test('looks once while nothing else runs, and anew after that', async (t) => {
  let looks = 0;
  const look = sameMoment(() => (looks += 1));
  t.same([look(), look(), look()], [1, 1, 1]);
  await Promise.resolve();
  t.equal(look(), 2);
});
