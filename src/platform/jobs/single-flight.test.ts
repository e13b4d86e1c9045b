import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { Gate } from '../../testing/fake-clock.ts';
import { SingleFlight } from './single-flight.ts';

/** Looks that end when the test opens their gates, and whether two were ever under way at once. */
function world(): { looks: SingleFlight<number>; gates: Gate[]; most: () => number } {
  const gates: Gate[] = [];
  let under = 0;
  let most = 0;
  const looks = new SingleFlight(async () => {
    most = Math.max(most, ++under);
    const gate = new Gate();
    const count = gates.push(gate);
    await gate.opened;
    under -= 1;
    return count;
  });
  return { looks, gates, most: () => most };
}

t.test('a call during a run shares that run, and a later call starts another one', async (t) => {
  const { looks, gates } = world();
  const both = [looks.look(), looks.look()];
  gates[0]!.open();
  t.same(await Promise.all(both), [1, 1]);
  const next = looks.look();
  gates[1]!.open();
  t.equal(await next, 2);
});

t.test('a look of now begins when the one under way has ended, also in an error', async (t) => {
  const { looks, gates, most } = world();
  const first = looks.look();
  const again = looks.lookAgain();
  t.equal(gates.length, 1);
  gates[0]!.open();
  await first;
  await new Promise((turn) => setImmediate(turn));
  gates[1]!.open();
  t.equal(await again, 2);
  t.equal(most(), 1);

  let fails = true;
  const failing = new SingleFlight(async () => {
    if (fails) throw new Error('no');
  });
  const failed = failing.look();
  const after = failing.lookAgain();
  fails = false;
  await t.rejects(failed);
  await t.resolves(after);
  await failing.done();
});

t.test('later calls abandon a run that hangs, and share one that makes progress', async (t) => {
  const hanging = new Gate();
  let begun = 0;
  const looks = new SingleFlight(async () => {
    if (++begun === 1) await hanging.opened;
    return begun;
  }, 20);
  const first = looks.look();
  for (let n = 0; n < 4; n++) {
    await pause(10);
    looks.progressed();
    void looks.look();
  }
  t.equal(begun, 1, 'it gets on');
  await pause(25);
  t.equal(await looks.look(), 2);
  hanging.open();
  await first;
  t.equal(await looks.look(), 3, 'its late end is not taken for the end of another');
});
