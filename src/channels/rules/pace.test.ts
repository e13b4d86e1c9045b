import fc from 'fast-check';
import t from 'tap';

import { FULL_PACE, paceAfter, pauseBefore } from './pace.ts';

t.test(
  'in no minute are there more than 20 messages, and one that waits as long as it must may be sent',
  async () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 120 }), (pauses) => {
        const sent: number[] = [];
        let now = 1_700_000_000_000;
        let pace = FULL_PACE;
        for (const pause of pauses) {
          now += pause;
          now += pauseBefore(pace, now);
          if (pauseBefore(pace, now) > 0) return false;
          pace = paceAfter(pace, now);
          sent.push(now);
        }
        return sent.every((at) => sent.filter((other) => other > at - 60_000 && other <= at).length <= 20);
      }),
    );
  },
);

t.test('after a rest four go at once, and then one each 3.75 s', (t) => {
  const now = 1_700_000_000_000;
  let pace = FULL_PACE;
  for (let n = 0; n < 4; n++) {
    t.equal(pauseBefore(pace, now), 0);
    pace = paceAfter(pace, now);
  }
  t.equal(pauseBefore(pace, now), 3_750);
  t.equal(pauseBefore(pace, now, 2), 7_500);
  t.equal(pauseBefore(pace, now - 60_000), 3_750, 'a clock that goes back frees nothing');
  t.end();
});
