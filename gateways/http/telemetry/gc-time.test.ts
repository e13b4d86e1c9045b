import { test } from 'tap';

import { gcTime } from './gc-time.ts';

void test('time of garbage collection adds up on Node, and is unknown on Deno', async (t) => {
  if (process.versions['deno'] !== undefined) {
    t.equal(gcTime(), undefined);
    return;
  }
  t.type(gcTime(), 'number');
  const deadline = Date.now() + 10_000;
  let [collected, objects] = [0, 0];
  for (let round = 0; collected === 0 && Date.now() < deadline; round += 1) {
    const garbage = Array.from({ length: 100_000 }, (_, n) => ({ n, text: `${round}-${n}` }));
    objects += garbage.length;
    // Entries arrive in a task of their own.
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    collected = gcTime() ?? 0;
  }
  t.ok(collected > 0, `${collected} ms for ${objects} objects`);
});
