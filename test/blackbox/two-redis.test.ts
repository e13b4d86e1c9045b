import { randomUUID } from 'node:crypto';
import tap, { test } from 'tap';

import { HttpClient } from '../../load-tests/client/http.ts';
import type { ClusterNode } from '../../load-tests/cluster/cluster-node.ts';
import { ClusterWorld } from '../../load-tests/cluster/cluster-world.ts';
import { dayOf, openProperties, type SmallProperty } from '../../load-tests/cluster/properties.ts';
import { findProgram } from '../services/debian.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { SCRIPT } from './launched.ts';
import { until } from './waiting.ts';

/** Leases of three nodes have to run out. */
tap.setTimeout(300_000);

const PROPERTIES = 10;
/** What a person would wait for, on a machine that does ten other things. */
const SERVED_WITHIN_MS = 30_000;
/** Longer than a refused search for an owner takes. */
const TRY_MS = 8_000;

/** Each test of this file is about the same three nodes, one of which has another Redis from its start. */
if (findProgram('redis-server') !== undefined || servicesOrSkip(tap, ['redis']) !== undefined) {
  const runtime = SCRIPT === 'start' ? 'deno' : 'node';
  const world = await ClusterWorld.open({ runtime, nodes: 3, proxies: true, atOtherRedis: [2] });
  tap.teardown(() => world[Symbol.asyncDispose]());
  const [first, second, odd] = world.nodes as [ClusterNode, ClusterNode, ClusterNode];
  const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
  const http = new HttpClient({ sockets: 32, headers, timeoutMs: TRY_MS });
  tap.teardown(() => http[Symbol.dispose]());
  const properties = await openProperties(world, http, PROPERTIES, { rooms: { STD: 50 }, nights: 60 });

  /** @returns 201, or what was said instead */
  const book = async (node: ClusterNode, property: SmallProperty): Promise<number> => {
    const stayDetails = { roomType: 'STD', checkIn: dayOf(property, 20), checkOut: dayOf(property, 21), adults: 1 };
    const guestInfo = { firstName: 'Ada', lastName: 'Guest', email: `ada.${randomUUID()}@example.com` };
    const body = JSON.stringify({ propertyId: property.propertyId, guestInfo, stayDetails });
    const url = `${node.url('RESERVATION')}/api/v1/reservations`;
    const call = { method: 'POST', url, body, headers: { 'idempotency-key': randomUUID() } };
    return (await http.call(call).catch(() => ({ status: 0 }))).status;
  };
  /** Every property is booked at every node, each as often as it takes. @returns milliseconds until all were */
  const bookEverywhere = async (nodes: ClusterNode[]): Promise<number> => {
    const began = performance.now();
    const each = nodes.flatMap((node) =>
      properties.map((property) =>
        until(`${property.propertyId} at ${node.name}`, SERVED_WITHIN_MS, async () =>
          (await book(node, property)) === 201 ? true : undefined,
        ),
      ),
    );
    await Promise.all(each);
    return performance.now() - began;
  };
  const missing = async (node: ClusterNode): Promise<unknown> => {
    const url = `${node.url('RESERVATION')}/actuator/metrics/cluster.redis.missing`;
    const { text } = await http.call({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${world.operatorToken}` },
    });
    return (JSON.parse(text) as { measurements?: { value: number }[] }).measurements?.[0]?.value;
  };
  const missedBy = (expected: [ClusterNode, number][]) =>
    until('who is missed', SERVED_WITHIN_MS, async () => {
      for (const [node, count] of expected) if ((await missing(node)) !== count) return undefined;
      return true;
    });

  void test('a node at another Redis: everybody serves every property, and it is said', async (t) => {
    t.comment(`served by all after ${Math.round(await bookEverywhere([odd, first, second]))} ms`);
    await missedBy([
      [first, 1],
      [second, 1],
      [odd, 2],
    ]);
  });

  void test('SIGTERM of one of the others: its properties are served by everybody within seconds', async (t) => {
    await first.terminate();
    // The odd one is called first: it may take unowned properties, and the other has to find them there.
    const ms = (await bookEverywhere([odd])) + (await bookEverywhere([second, odd]));
    t.comment(`served by all after ${Math.round(ms)} ms`);
    await missedBy([
      [second, 1],
      [odd, 1],
    ]);
  });

  void test('a node that starts meanwhile, and one Redis again', async (t) => {
    await first.start();
    t.comment(`served by all after ${Math.round(await bookEverywhere([odd, second, first]))} ms`);
    world.redisLineOf(odd).leadTo(world.services.redis!.url);
    await missedBy([first, second, odd].map((node) => [node, 0]));
    t.comment(`served by all after ${Math.round(await bookEverywhere([first, second, odd]))} ms`);
  });
}
