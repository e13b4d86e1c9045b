import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { errorOf, RunningHost } from '../../testing/actors/running-host.ts';
import { PROPERTY_ID, property } from '../../testing/property-world.ts';
import { followTenant } from './follow-tenant.ts';

t.test('only properties with changes are activated and written, and a failing one delays no other', async (t) => {
  const running = await RunningHost.property(t);
  for (const propertyId of ['second', 'third', 'gone']) await running.setUp({ propertyId });
  const own = property();
  own.metadata.ownPolicies = { depositPercent: 100 };
  own.metadata.policies = { ...own.metadata.policies, taxPercent: 0, feePerPersonNight: 0, horizonNights: 730 };
  const second = { ...own, propertyId: 'second', metadata: { ...own.metadata, ownPolicies: {} } };
  await running.send({ type: 'UPDATE_PROPERTY', property: own });
  await running.send({ type: 'UPDATE_PROPERTY', property: second }, { propertyId: 'second' });
  const properties = ['gone', PROPERTY_ID.propertyId, 'second', 'third'].map(
    (id) => running.store.properties.get(`${PROPERTY_ID.tenantId}:${id}`)!.property!,
  );
  properties[0] = { ...second, propertyId: 'gone' };
  await running.send({ type: 'DELETE_PROPERTY' }, { propertyId: 'gone' });
  const warned: unknown[] = [];
  let policies: Partial<Policies> = { depositPercent: 30 };
  const services = {
    properties: running.host,
    propertyReader: {
      list: async (_tenant: string, _limit: number, after?: object) =>
        after ? { items: properties.slice(2) } : { items: properties.slice(0, 2), next: { createdAt: 0, id: 'x' } },
    },
    settings: { policies: async () => policies },
    log: { warn: (what: unknown) => warned.push(what) },
  } as unknown as Services;
  const seqs = () =>
    properties.map(
      ({ propertyId: id }) => running.store.properties.get(`${PROPERTY_ID.tenantId}:${id}`)!.journal.length,
    );
  const before = seqs();
  t.equal(await followTenant(services, PROPERTY_ID.tenantId), 1);
  t.same(
    seqs().map((seq, index) => seq - before[index]!),
    [0, 0, 1, 0],
  );
  t.match(warned, [{ item: 'acme/gone' }]);
  const view = await running.host.view({ ...PROPERTY_ID, propertyId: 'second' });
  t.equal(view.setup.property.metadata.policies.depositPercent, 30);
  policies = {};
  t.equal(await errorOf(running.host.view({ ...PROPERTY_ID, propertyId: 'gone' })), 'PROPERTY_NOT_FOUND');
});
