import t from 'tap';

import { errorOf, RunningHost } from '../src/testing/actors/running-host.ts';
import { DAY, PROPERTY_ID, property } from '../src/testing/property-world.ts';

void t.test('a property that was deleted is activated to be restored, and for nothing else', async (t) => {
  const running = await RunningHost.property(t);
  const { seq } = await running.host.view(PROPERTY_ID);
  const grid = () => running.host.view(PROPERTY_ID).then((view) => view.grid(DAY, DAY + 40));
  const before = await grid();
  const published: string[] = [];
  await running.host.follow(PROPERTY_ID, undefined, {
    entry: ({ type }) => published.push(type),
    lost: () => published.push('lost'),
  });
  await running.send({ type: 'DELETE_PROPERTY' });
  t.same(published, ['DELETE_PROPERTY', 'lost']);
  t.equal(await errorOf(running.host.view(PROPERTY_ID)), 'PROPERTY_NOT_FOUND');
  t.equal(await errorOf(running.send({ type: 'TICK' })), 'PROPERTY_NOT_FOUND');
  t.equal(
    await errorOf(running.send({ type: 'CREATE_PROPERTY', property: property(), plans: [] })),
    'ALREADY_EXISTS',
  );
  const key = { key: 'k1', fingerprint: 'f', ref: '' };
  const back = await running.send({ type: 'RESTORE_PROPERTY' }, { key });
  t.match(back, { seq: seq + 2, replayed: false, result: { name: 'The Anchor' } });
  t.same(await grid(), before);
  t.match(await running.send({ type: 'RESTORE_PROPERTY' }, { key }), { seq: seq + 2, replayed: true });
  running.crash();
  t.same(await grid(), before, 'and after a restart');
  t.equal(running.host.figures.actors, 1);
});

void t.test('what was never there is not restored', async (t) => {
  const running = await RunningHost.property(t);
  const restore = running.send({ type: 'RESTORE_PROPERTY' }, { propertyId: 'never' });
  t.equal(await errorOf(restore), 'PROPERTY_NOT_FOUND');
  t.equal(running.host.residents().length, 1);
});

void t.test('an activated property follows its tenant before any read, and writes nothing otherwise', async (t) => {
  const running = await RunningHost.property(t);
  const target = property();
  target.metadata.ownPolicies = { taxPercent: 10, feePerPersonNight: 200, horizonNights: 30 };
  const { seq } = await running.send({ type: 'UPDATE_PROPERTY', property: target });
  running.store.tenantPolicies = { depositPercent: 50, taxPercent: 3 };
  t.equal((await running.host.view(PROPERTY_ID)).setup.property.metadata.policies.depositPercent, 100);
  running.crash();
  const view = await running.host.view(PROPERTY_ID);
  t.match(view.setup.property.metadata.policies, { depositPercent: 50, taxPercent: 10 });
  t.equal(view.seq, seq + 1);
  running.crash();
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq + 1);
});
