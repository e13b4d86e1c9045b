import { Controller, Get } from '@nestjs/common';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';

import { TenantShare } from '../../../src/platform/coordination/tenant-share.ts';
import type { Associations } from '../../../src/tenants/ports.ts';
import { associationsOfTests, startHttpWorld, verifierOfTests } from '../../../src/testing/http-world.ts';
import { Authenticator } from '../../auth/authenticator.ts';
import { Needs } from '../route.ts';

const MOST = 2;
let inProgress = 0;
let atOnce = 0;
let release = Promise.withResolvers<void>();

@Controller('api/v1/slow')
class Slow {
  @Get()
  @Needs('reservation.read')
  async read() {
    inProgress += 1;
    atOnce = Math.max(atOnce, inProgress);
    await release.promise;
    inProgress -= 1;
    return { done: true };
  }
}

@Controller('api/v1/quick')
class Quick {
  @Get()
  @Needs('reservation.read')
  read() {
    return { done: true };
  }
}

const isFull = (): boolean => inProgress >= MOST;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}

/** A request on a connection of its own. */
function slowRequest(url: string, path = 'slow', as = 'demo-staff'): ClientRequest {
  const headers = { authorization: `Bearer ${as}`, 'x-tenant-id': 'demo' };
  const sent = request(`${url}/api/v1/${path}`, { agent: false, headers });
  sent.on('error', () => undefined);
  sent.end();
  return sent;
}

void test('requests of a tenant beyond its share wait for its own, and another tenant is answered meanwhile', async (t) => {
  const world = await startHttpWorld({ controllers: [Slow, Quick] }, { share: new TenantShare(MOST, MOST) });
  t.teardown(() => world[Symbol.asyncDispose]());
  const rival = () => world.call('/api/v1/quick', { as: 'rival-staff', tenant: 'rival' });
  await rival();
  const noisy = Array.from({ length: 12 }, () => world.call('/api/v1/slow', { as: 'demo-staff' }));
  await until(isFull);
  t.equal((await rival()).status, 200);
  t.equal(atOnce, MOST, 'no more than its share are in progress');
  release.resolve();
  t.same([...new Set((await Promise.all(noisy)).map(({ status }) => status))], [200], 'all are answered in the end');
});

void test('a request whose client has hung up counts until its work is done, and then no more', async (t) => {
  release = Promise.withResolvers<void>();
  const world = await startHttpWorld({ controllers: [Slow, Quick] }, { share: new TenantShare(MOST, MOST) });
  t.teardown(() => world[Symbol.asyncDispose]());
  const rival = () => world.call('/api/v1/quick', { as: 'rival-staff', tenant: 'rival' });
  await rival();
  const hangUps = Array.from({ length: MOST }, () => slowRequest(world.url));
  await until(isFull);
  for (const one of hangUps) one.destroy();
  let isAnswered = false;
  const next = world.call('/api/v1/quick', { as: 'demo-staff' }).then(({ status }) => {
    isAnswered = true;
    return status;
  });
  await pause(300);
  await rival();
  t.notOk(isAnswered, 'the work of who hung up goes on');
  release.resolve();
  t.equal(await next, 200);
});

void test('requests whose clients hang up before they have a place hold none', async (t) => {
  release = Promise.withResolvers<void>();
  const identified = Promise.withResolvers<void>();
  let asked = 0;
  const slowly: Associations = {
    async find(tenantId, issuer, subject) {
      if (subject === 'demo-viewer') {
        asked += 1;
        await identified.promise;
      }
      return associationsOfTests().find(tenantId, issuer, subject);
    },
  };
  const authenticator = new Authenticator(verifierOfTests, slowly);
  const share = new TenantShare(MOST, MOST);
  const world = await startHttpWorld({ controllers: [Slow, Quick] }, { share, authenticator });
  t.teardown(() => world[Symbol.asyncDispose]());
  const rival = () => world.call('/api/v1/quick', { as: 'rival-staff', tenant: 'rival' });
  await rival();
  const hangUps = Array.from({ length: 2 * MOST }, () => slowRequest(world.url, 'quick', 'demo-viewer'));
  await until(() => asked > 0);
  await pause(100);
  for (const one of hangUps) one.destroy();
  await pause(100);
  identified.resolve();
  await pause(100);
  await rival();
  t.equal((await world.call('/api/v1/quick', { as: 'demo-staff' })).status, 200);
});
