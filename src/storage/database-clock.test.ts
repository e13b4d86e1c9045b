import t, { type Test } from 'tap';

import { DatabaseClock } from './database-clock.ts';

const START = Date.UTC(2026, 0, 1);

/** A clock on a machine whose own time the test sets, and readings of a database that is `right` milliseconds later. */
function machine(t: Test, right = 0) {
  let local = START;
  const { now } = Date;
  Date.now = () => local;
  t.teardown(() => void (Date.now = now));
  const clock = new DatabaseClock();
  return {
    clock,
    pass: (ms: number) => void (local += ms),
    /** The database answered in the middle of the way, or rather later. */
    read(way: number, answered = way / 2, ahead = 0): void {
      const sent = local;
      local += way;
      clock.take({ database: sent + answered + right, ahead, sent, received: local });
    },
  };
}

void t.test('what fits the answer moves nothing, however long it was on its way', async (t) => {
  const { clock, read } = machine(t);
  for (const [way, answered] of [
    [1, 0],
    [500, 499],
    [500, 1],
    [3_000, 2_900],
  ] as const) {
    read(way, answered);
    t.equal(clock.now(), Date.now());
  }
});

void t.test('a database of another time is found within the way of the quickest answer', async (t) => {
  for (const right of [-7_200_000, 45_000]) {
    const { clock, read } = machine(t, right);
    for (const way of [400, 30, 4, 200]) read(way);
    const wrong = clock.now() - (Date.now() + right);
    t.ok(Math.abs(wrong) <= 4, `${wrong} ms`);
  }
});

void t.test('small steps back are waited for, and a clock that was plainly wrong is set right', async (t) => {
  const { clock, pass, read } = machine(t, 1_000);
  read(0);
  const before = clock.now();
  pass(-300);
  t.equal(clock.now(), before, 'held');
  pass(301);
  t.equal(clock.now(), before + 1);
  pass(-60_000);
  t.equal(clock.now(), before + 1 - 60_000);
});

void t.test('the development clock goes forward by what it was put forward, and never back', async (t) => {
  const { clock, read } = machine(t);
  read(20);
  const before = clock.now();
  read(0, 0, 60_000);
  t.equal(clock.now(), before + 60_000);
  // A renewal of the lease that was read before, and told after.
  read(0, 0, 0);
  t.equal(clock.now(), before + 60_000);
});
