import t from 'tap';
import { HOUSE } from '../src/testing/property-world.ts';
import type { Resident } from '../src/ports/resident-properties.ts';
import { Host } from './host.ts';
import { PASSIVATE_AFTER_MS } from './limits.ts';
import { quiet, RunningHost } from './testing/running-host.ts';

void t.test('a property that nobody asks leaves memory, and its last view is handed over', async (t) => {
  const { store, clock } = await RunningHost.house(t);
  const left: Resident[] = [];
  let sweep: () => void = () => undefined;
  const interval = globalThis.setInterval;
  globalThis.setInterval = (work: () => void) => ((sweep = work), interval(() => {}, 1e9));
  const host = new Host({
    ...{ store, clock, log: quiet, lanes: 1, mayOwn: () => true },
    passivating: (resident) => left.push(resident),
  });
  globalThis.setInterval = interval;
  t.teardown(() => host[Symbol.asyncDispose]());
  const view = await host.view(HOUSE);
  t.match(host.residents(), [{ to: HOUSE, view: { seq: view.seq } }]);
  sweep();
  t.same([left.length, host.figures.actors], [0, 1], 'not while it is in use');
  clock.pass(PASSIVATE_AFTER_MS + 1);
  sweep();
  t.match(left, [{ to: HOUSE, view: { seq: view.seq } }]);
  await new Promise((done) => setTimeout(done, 5));
  t.equal(host.figures.actors, 0);
});
