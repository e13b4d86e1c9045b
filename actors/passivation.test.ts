import t from 'tap';

import type { ResidentProperty } from '../src/kernel/ports.ts';
import { partyOfPersons } from '../src/rates/rules/stay.ts';
import { quiet, RunningHost } from '../src/testing/actors/running-host.ts';
import { DAY, envelope, PROPERTY_ID, NOW } from '../src/testing/property-world.ts';
import { Host } from './host.ts';
import { PASSIVATE_AFTER_MS } from './limits.ts';

void t.test('an idle property is passivated, and its last view is handed over', async (t) => {
  const { store, clock } = await RunningHost.property(t);
  const left: ResidentProperty[] = [];
  let sweep: () => void = () => undefined;
  const interval = globalThis.setInterval;
  globalThis.setInterval = (work: () => void) => ((sweep = work), interval(() => {}, 1e9));
  const host = new Host({
    store,
    clock,
    log: quiet,
    lanes: 1,
    mayOwn: () => true,
    passivating: (resident) => left.push(resident),
  });
  globalThis.setInterval = interval;
  t.teardown(() => host[Symbol.asyncDispose]());
  const view = await host.view(PROPERTY_ID);
  t.match(host.residents(), [{ to: PROPERTY_ID, view: { seq: view.seq } }]);
  sweep();
  t.same([left.length, host.figures.actors], [0, 1], 'not while it is in use');
  clock.pass(PASSIVATE_AFTER_MS + 1);
  sweep();
  t.match(left, [{ to: PROPERTY_ID, view: { seq: view.seq } }]);
  t.equal(host.figures.actors, 0);
  t.equal((await host.view(PROPERTY_ID)).seq, view.seq, 'a call at that moment activates it again');
  await new Promise((done) => setTimeout(done, 5));
  const { type } = await host.execute(PROPERTY_ID, envelope({ type: 'TICK' })).then(
    () => ({ type: 'done' }),
    (error: Error) => ({ type: error.message }),
  );
  t.equal(type, 'done', 'and owns it, though its last life was released meanwhile');
});

void t.test('many properties are read without activating passive ones', async (t) => {
  const running = await RunningHost.property(t);
  await running.setUp({ propertyId: 'second' });
  const quoted = async (host: Host) => {
    const views = await host.views('acme', [PROPERTY_ID.propertyId, 'second', 'none'], {
      first: DAY + 5,
      last: DAY + 7,
    });
    const query = { checkIn: DAY + 5, checkOut: DAY + 7, ...partyOfPersons(2), rateCode: 'BAR' };
    return views.map((view) => ({ id: view.setup.property.propertyId, seq: view.seq, ...view.quote(query, NOW) }));
  };
  const resident = await quoted(running.host);
  t.equal(resident.length, 2);
  const passive = running.fresh();
  t.same(await quoted(passive), resident);
  t.equal(passive.figures.actors, 0);
  await passive.view(PROPERTY_ID);
  t.same(
    (await quoted(passive)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    resident,
  );
  t.equal(passive.figures.actors, 1, 'one is resident, the other stays passive');
  await passive[Symbol.asyncDispose]();
});

void t.test('a property that has slept over nights is looked at as of today', async (t) => {
  const running = await RunningHost.property(t);
  running.clock.pass(3 * 86_400_000);
  const host = running.fresh();
  const [view] = await host.views('acme', [PROPERTY_ID.propertyId], { first: DAY, last: DAY + 40 });
  t.equal(view!.businessDate, DAY + 3);
  t.same(
    view!.grid(0, DAY + 99, 'STD').map(({ day }) => day - DAY),
    Array.from({ length: 31 }, (_, n) => n + 3),
  );
  t.match(view!.grid(DAY + 33, DAY + 33, 'STD'), [{ total: 3, rate: null }], 'a night that has come meanwhile');
  t.equal(host.figures.actors, 0);
  await host[Symbol.asyncDispose]();
});
