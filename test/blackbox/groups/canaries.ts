import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';

import { Canary } from '../canary.ts';
import { describedRoutes, filled } from '../described-routes.ts';
import type { Service } from '../service.ts';
import { makeTenants } from '../tenants.ts';

const PROPERTY_ID = 'canary-house';

/** Requests under way at once, when ids are tried out. */
const AT_ONCE = 16;

/** Two tenants with the same ids live the same life at once: neither hears a word of the other (I8). */
export async function canaries(group: Test, service: Service): Promise<void> {
  await makeTenants(service, [{ tenantId: 'canary-amber' }, { tenantId: 'canary-cobalt' }]);
  const hatch = (tenantId: string, mark: string, price: number) =>
    Canary.hatch(service, { tenantId, mark, price, propertyId: PROPERTY_ID, phone: '+351 21 000 0000' });
  const amber = await hatch('canary-amber', 'Ambermark', 111.11);
  const cobalt = await hatch('canary-cobalt', 'Cobaltmark', 222.22);
  const both = [amber, cobalt];
  await Promise.all(both.map((one) => one.build()));
  await Promise.all(both.map((one) => one.listen()));
  await Promise.all(both.map((one) => one.live()));
  await Promise.all(both.map((one) => one.read()));
  // Frames follow their commit by milliseconds; what should not come is given time to come.
  await pause(1_000);
  for (const one of both) one.deafen();

  await group.test('answers, headers and frames hold nothing of the other', async (t) => {
    for (const [own, other] of [both, both.toReversed()] as [Canary, Canary][]) {
      t.ok(own.heard.length > 40, `${own.heard.length} texts`);
      t.ok(own.heard.filter((text) => text.includes(own.mark)).length > 15, 'its own mark is everywhere');
      const cents = String(other.price);
      const leaks = own.heard.filter((text) =>
        [other.mark, other.tenantId, cents].some((word) => text.includes(word)),
      );
      t.same(leaks, [], `${own.tenantId} heard of ${other.tenantId}`);
    }
  });
  await group.test('the ids of one are nothing in the other, on any route', async (t) => {
    const routes = (await describedRoutes(service)).filter(({ path }) => /^\/(api|dev)\/.*\{(?!tenantId)/.test(path));
    const foreign = [...amber.ids().difference(cobalt.ids())];
    t.ok(foreign.length >= 5, `${foreign.length} ids`);
    const tries = routes.flatMap((route) => foreign.map((id) => ({ route, id })));
    t.comment(`${tries.length} requests`);
    const opened: string[] = [];
    for (let at = 0; at < tries.length; at += AT_ONCE) {
      await Promise.all(
        tries.slice(at, at + AT_ONCE).map(async ({ route: { base, method, path }, id }) => {
          const ids = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id]));
          const url = base + filled(path, { ...ids, tenantId: cobalt.tenantId });
          const body = method === 'GET' ? undefined : {};
          const answer = await service.call(method, url, { tenantHeader: cobalt.tenantId, role: 'OWNER', body });
          if (![400, 404, 422].includes(answer.status)) opened.push(`${method} ${path} ${id}: ${answer.status}`);
          if (answer.text.includes(amber.mark)) opened.push(`${method} ${path} ${id} shows ${amber.mark}`);
        }),
      );
    }
    t.same(opened, []);
  });
  await group.test('metrics name no tenant, no property and no guest; the log names no guest', async (t) => {
    const { rateUrl, reservationUrl } = service.dev;
    for (const base of [rateUrl, reservationUrl]) {
      const { text } = await service.call('GET', `${base}/actuator/prometheus`);
      t.ok(text.includes('http_server_requests'));
      for (const word of [amber.mark, cobalt.mark, 'canary', PROPERTY_ID, 'demo'])
        t.notOk(text.toLowerCase().includes(word.toLowerCase()), `${word} in metrics`);
    }
    const lines = service.output.split('\n');
    for (const [own, other] of [both, both.toReversed()] as [Canary, Canary][]) {
      t.notOk(service.output.includes(own.mark), `${own.mark} in the log`);
      const mixed = lines.filter((line) => line.includes(own.tenantId) && line.includes(other.tenantId));
      t.same(mixed, [], 'no line is about both');
    }
    t.notMatch(service.output, /canary@example\.com|\+351 21/);
  });
  await group.test('the books of both are in order', async (t) => {
    for (const one of both) {
      const audit = await one.ask('GET', `/api/v1/admin/audit/${PROPERTY_ID}`);
      t.match(audit.json, { violations: [], oversold: [] }, one.tenantId);
    }
  });
}
