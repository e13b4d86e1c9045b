import t, { type Test } from 'tap';

import { DatabaseClock } from './database-clock.ts';

const START = Date.UTC(2026, 0, 1);

/** A machine whose clocks the test moves, and readings of a database that is `right` milliseconds later. */
function machine(t: Test, right = 0) {
  let wall = START;
  let since = 1_000;
  const { now } = Date;
  const { now: monotonic } = performance;
  Date.now = () => wall;
  performance.now = () => since;
  t.teardown(() => void ((Date.now = now), (performance.now = monotonic)));
  const pass = (ms: number): void => {
    wall += ms;
    since += ms;
  };
  const clock = new DatabaseClock();
  return {
    clock,
    pass,
    /** Somebody sets the clock of the machine. */
    set: (ms: number) => void (wall += ms),
    /** The database answered in the middle of the way, or earlier or later. */
    read(way: number, answered = way / 2, ahead = 0): void {
      const sent = wall;
      pass(way);
      clock.take({ database: START + since - 1_000 - way + answered + right, ahead, sent, received: wall });
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
    t.ok(Math.abs(wrong) <= 5, `${wrong} ms`);
  }
});

void t.test('small steps back are waited for, and a clock that was plainly wrong is set right', async (t) => {
  const little = machine(t, -1_000);
  const before = little.clock.now();
  little.read(0);
  t.equal(little.clock.now(), before, 'held');
  little.pass(990);
  t.equal(little.clock.now(), before, 'and held');
  little.pass(20);
  t.ok(little.clock.now() > before);
  for (const right of [1_000, -60_000]) {
    const { clock, read } = machine(t, right);
    const wrong = clock.now();
    read(0);
    t.ok(Math.abs(clock.now() - wrong - right) <= 1, `set by ${right} ms`);
  }
});

void t.test('who sets the clock of the machine does not move this one', async (t) => {
  const { clock, set, pass, read } = machine(t);
  read(2);
  const before = clock.now();
  for (const step of [3_600_000, -7_200_000]) {
    set(step);
    t.equal(clock.now(), before, 'at once');
    read(0);
    t.equal(clock.now(), before, 'nor at the next reading');
  }
  pass(10);
  t.equal(clock.now(), before + 10);
});

void t.test('the development clock goes forward by what it was put forward, and never back', async (t) => {
  const { clock, read } = machine(t);
  read(20);
  const before = clock.now();
  read(0, 0, 60_000);
  t.equal(clock.now(), before + 60_000);
  t.equal(clock.real(), before, 'tokens count by the time outside');
  // A renewal of the lease that was read before, and reported after.
  read(0, 0, 0);
  t.equal(clock.now(), before + 60_000);
});

void t.test(
  'it says to when it was put forward while it ran, and nothing of how far it was ahead before',
  async (t) => {
    const { clock, read, pass } = machine(t);
    read(2, 1, 3_600_000);
    t.equal(clock.putForwardAt, undefined, 'that far it was ahead when this process began');
    pass(1_000);
    read(2, 1, 7_200_000);
    const putForwardAt = clock.now();
    t.equal(clock.putForwardAt, putForwardAt);
    pass(1_000);
    read(2, 1, 7_200_000);
    t.equal(clock.putForwardAt, putForwardAt);
  },
);
