import t from 'tap';

import { proveLive } from '../../load-tests/proof/live.ts';
import { inCiOrNightly } from '../loop/nightly.ts';
import { arrival, openWs } from './live-client.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';

void t.test('clients of both transports lose and repeat nothing while the service dies and drains', async (t) => {
  t.ok(await proveLive(24, 2, inCiOrNightly(25, 0)), 'npm run prove -- live says more');
});

void t.test('the feed names the same guests before and after a restart', async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());
  const property = await BlackboxProperty.open(service);
  const feed = async (): Promise<unknown> => {
    const client = await openWs(service.dev.liveUrl);
    client.send({ t: 'auth', token: service.token('demo', 'MANAGER'), tenantId: 'demo' });
    const window = { start: property.day(0), days: 60 };
    client.send({ t: 'subscribe', propertyId: property.propertyId, topics: ['feed'], window });
    const snapshot = await arrival(client, 'a snapshot', (one) => one.t === 'snapshot');
    client.close();
    return snapshot.feed;
  };
  await feed();
  await property.booked({ guest: { lastName: 'Stays' } });
  const { reservationId } = await property.booked({ guest: { lastName: 'Leaves' } });
  must(await service.reservations('DELETE', `/${reservationId}`, { body: {} }), 200);
  await property.book({ card: 'tok_declined' });
  const before = await feed();
  t.match(before, [{}], 'there is one');
  t.match(JSON.stringify(before), /"type":"CANCELLED"[^}]*Leaves/, 'who leaves is named');
  await service.killHard();
  await service.up();
  t.same(await feed(), before);
});
