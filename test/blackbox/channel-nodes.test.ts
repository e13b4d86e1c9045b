import tap, { test } from 'tap';

import { servicesOrSkip } from '../services/needed.ts';
import { auditIsClean } from './audit.ts';
import { channelToken, ChannelWorld } from './channel-world.ts';
import type { Answer } from './http.ts';
import { trySignal } from './launched.ts';
import { type CallOptions, Service } from './service.ts';
import { until } from './waiting.ts';

/** Leases of nodes have to run out. */
tap.setTimeout(400_000);

const PATIENCE_MS = 60_000;

/** A channel over two nodes: whichever is killed, the other one goes on sending (docs/concepts/subscriptions.md#position). */
const found = servicesOrSkip(tap, ['redis']);
if (found) {
  const env = { INNKEEPER_NODES: '2', REDIS_URL: found.redis, CHANNEL_ALLOW_PRIVATE: '1' };
  const service = await Service.start(env);
  tap.teardown(() => service.remove());

  /** The answer of the first node that decides. */
  const anywhere = (method: string, path: string, base: 'rateUrl' | 'reservationUrl', options: CallOptions) =>
    until(`${method} ${path}`, PATIENCE_MS, async (): Promise<Answer<{ changed?: boolean }> | undefined> => {
      for (const node of service.nodes) {
        const answer = await service
          .call<{ changed?: boolean }>(method, `${node[base]}${path}`, options)
          .catch(() => undefined);
        if (answer && answer.status < 500 && !answer.text.includes('IN_PROGRESS')) return answer;
      }
      return undefined;
    });

  void test('nodes are killed in turns while a channel sells and prices change', async (t) => {
    const world = await ChannelWorld.synced(t, service, 'generic-json', { property: { pricedNights: 120 } });
    const { property, channel } = world;
    const authorization = `Bearer ${await channelToken(service)}`;
    const sell = (n: number) =>
      anywhere('PUT', `/api/v1/channels/${world.channelId}/bookings/NODE-${n}`, 'reservationUrl', {
        authorization,
        body: {
          externalRoom: 'TWIN',
          externalRate: 'BEST',
          checkIn: property.day(10 + n),
          checkOut: property.day(12 + n),
          adults: 2,
          total: 200,
          guest: { firstName: 'Ada', lastName: 'Booker' },
        },
      });
    const price = (n: number) =>
      anywhere('PUT', '/api/v1/rates/nights', 'rateUrl', {
        role: 'MANAGER',
        body: {
          propertyId: property.propertyId,
          nights: [{ roomType: 'DBL', date: property.day(10 + n), rate: 300 + n }],
        },
      });
    for (let round = 0; round < 4; round += 1) {
      const { pid, name } = service.nodes[round % 2]!;
      trySignal(pid, 'SIGKILL');
      const killed = performance.now();
      const before = channel.messages.length;
      for (const n of [round * 3, round * 3 + 1, round * 3 + 2]) {
        const answer = await sell(n);
        t.ok(answer.status === 201 || answer.status === 200, `${answer.status} ${answer.text.slice(0, 300)}`);
        t.equal((await sell(n)).json.changed, false, 'once');
        t.equal((await price(n)).status, 200);
      }
      await until('the other node sends', PATIENCE_MS, () =>
        channel.messages.length > before && world.has('DOUBLE/BEST', 12 + round * 3).rate === (302 + round * 3) * 100
          ? true
          : undefined,
      );
      t.comment(
        `${name} killed: the channel had the newest price after ${Math.round(performance.now() - killed)} ms`,
      );
      await until('the killed node is back', PATIENCE_MS, async () => {
        const { pid: now, reservationUrl } = service.nodes[round % 2]!;
        if (now === pid) return undefined;
        const ready = await service.call('GET', `${reservationUrl}/actuator/health/readiness`).catch(() => undefined);
        return ready?.status === 200 || undefined;
      });
    }
    await world.quiet();
    for (const [roomType, line] of [
      ['TWN', 'TWIN/BEST'],
      ['DBL', 'DOUBLE/BB'],
    ] as const)
      t.same(
        Array.from({ length: 60 }, (_, night) => world.has(line, night).availability),
        await property.left(0, 60, roomType),
      );
    t.same(await property.left(9, 4, 'TWN'), [8, 7, 6, 6]);
    t.same(channel.violations, []);
    await auditIsClean(t, property);
  });
}
