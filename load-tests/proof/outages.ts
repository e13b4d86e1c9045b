import { randomUUID } from 'node:crypto';

import type { Runtime } from '../../src/platform/launch/runtimes.mjs';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Services, startServices } from '../../test/services/start.ts';
import { HttpClient } from '../client/http.ts';
import { oneNightBooking } from '../cluster/booker.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import { ClusterWorld } from '../cluster/cluster-world.ts';
import { openProperties, type SmallProperty } from '../cluster/properties.ts';
import { TopicReader } from '../events/topic-reader.ts';
import { FAULTS } from '../nemesis/faults.ts';

export type OutageOptions = { runtime: Runtime; nodes: number };

/** Outages of the nemesis; with one node, those that need no other. */
const OF_NODES: Readonly<Record<string, 'one' | 'several'>> = {
  'connections frozen': 'one',
  'database frozen 20 s': 'one',
  'database away 30 to 120 s': 'one',
  'PostgreSQL ends the lease connections': 'one',
  'kill -9 of a node': 'one',
  'virtual machine paused 60 s': 'one',
  'Redis ended for 10 s, empty afterwards': 'one',
  'Redis split for 20 s': 'several',
  'one node at another Redis, SIGTERM of another': 'several',
  'lines of a node cut both ways for 6 s': 'several',
};

type Outage = { name: string; run: () => Promise<void> };
/** Seconds from the end of the outage, for the last of the nodes; `undefined` when not within the limit. */
type Back = { name: string; booking?: number; round?: number; event?: number };

const ROOMS = { STD: 400 };
const NIGHTS = 60;
const BROKER_AWAY_MS = 20_000;
/** The promise of the first booking; rounds have at most three of the shortest period, events a back-off of 5 s. */
const BACK_WITHIN_MS = { booking: 30_000, round: 60_000, event: 60_000 };
const LOOK_EVERY_MS = 100;
const ANSWER_MS = 5_000;
/** So that an outage meets a service that has recovered from the one before. */
const CALM_MS = 5_000;

/**
 * Each outage once, and the time after its end until every node has sold a room, has run a regular round, and the event
 * of that sale is in Kafka, without any help. Prints a table.
 * @returns whether all recovered within their limits
 */
export async function proveOutages({ runtime, nodes }: OutageOptions): Promise<boolean> {
  await using broker = await startServices({ only: ['kafka', 'registry'] });
  await using world = await ClusterWorld.open({ runtime, nodes, proxies: true, env: broker.env });
  const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
  using client = new HttpClient({ sockets: 4 * nodes, headers, timeoutMs: ANSWER_MS });
  const properties = await openProperties(world, client, nodes, {
    rooms: ROOMS,
    nights: NIGHTS,
    clock: () => ({ timezone: 'UTC', policies: { autoConfirmation: true } }),
  });
  await using reader = await TopicReader.open(broker.env['KAFKA_BROKERS']!);
  const scene = new Scene(world, client, properties, reader);
  console.log(`${runtime}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}; seconds from the end of each outage`);
  console.log(`${'outage'.padEnd(50)}  booking    round    event`);
  await scene.back('warm-up', performance.now());
  let stored = true;
  for (const outage of outagesOf(world, broker)) {
    await outage.run();
    const back = await scene.back(outage.name, performance.now());
    console.log(lineOf(back));
    stored &&= back.booking !== undefined && back.round !== undefined && back.event !== undefined;
    await pause(CALM_MS);
  }
  const lost = await scene.lost();
  console.log(`${scene.acknowledged.length} bookings acknowledged, ${lost.length} lost`);
  return stored && lost.length === 0;
}

function outagesOf(world: ClusterWorld, { kafka }: Services): Outage[] {
  const [node, other = node] = world.nodes as [ClusterNode, ClusterNode?];
  const known = FAULTS.filter(({ name }) => OF_NODES[name] === 'one' || (OF_NODES[name] && world.nodes.length > 1));
  const broker: Outage = {
    name: `broker killed, away for ${BROKER_AWAY_MS / 1_000} s`,
    async run() {
      await kafka!.kill();
      await pause(BROKER_AWAY_MS);
      await kafka!.start();
    },
  };
  // The seed of the longest outage: in the middle of its bounds.
  const stage = { world, node, other, random: () => 0.5 };
  return [...known.map(({ name, run }) => ({ name, run: () => run(stage) })), broker];
}

/** Requests to the service after each outage, and the bookings that it has acknowledged. */
class Scene {
  readonly acknowledged: string[] = [];
  readonly #world: ClusterWorld;
  readonly #client: HttpClient;
  readonly #properties: readonly SmallProperty[];
  readonly #reader: TopicReader;
  #wishes = 0;

  constructor(world: ClusterWorld, client: HttpClient, properties: readonly SmallProperty[], reader: TopicReader) {
    this.#world = world;
    this.#client = client;
    this.#properties = properties;
    this.#reader = reader;
  }

  async back(name: string, since: number): Promise<Back> {
    const each = await Promise.all(
      this.#world.nodes.map(async (node, n) => {
        const property = this.#properties[n]!;
        const [sold, round] = await Promise.all([this.#booking(node, property, since), this.#round(node, since)]);
        return { booking: sold?.after, round, event: sold && (await this.#event(property, sold.seq, since)) };
      }),
    );
    const last = (of: 'booking' | 'round' | 'event'): number | undefined => {
      const times = each.map((one) => one[of]);
      return times.includes(undefined) ? undefined : Math.max(...(times as number[]));
    };
    return { name, booking: last('booking'), round: last('round'), event: last('event') };
  }

  /** Acknowledged reservations that are missing. */
  async lost(): Promise<string[]> {
    const sql = 'select id from reservations where tenant_id = $1';
    const rows = await this.#world.query<{ id: string }>(sql, [this.#world.tenantId]);
    const there = new Set(rows.map(({ id }) => id));
    return this.acknowledged.filter((id) => !there.has(id));
  }

  /** Repeats one booking at a node until it is sold. */
  #booking(node: ClusterNode, property: SmallProperty, since: number) {
    const night = 2 + (this.#wishes++ % (NIGHTS - 4));
    const body = JSON.stringify(oneNightBooking(property, night, this.#wishes));
    const headers = { 'idempotency-key': randomUUID() };
    const call = { method: 'POST', url: `${node.url('RESERVATION')}/api/v1/reservations`, headers, body };
    return within(BACK_WITHIN_MS.booking, since, async () => {
      const answer = await this.#client.call(call).catch(() => undefined);
      if (answer?.status !== 201) return undefined;
      this.acknowledged.push((JSON.parse(answer.text) as { reservationId: string }).reservationId);
      return { after: performance.now() - since, seq: Number(answer.headers['x-property-seq']) };
    });
  }

  /** Waits for a run of any regular round of a node that ended after the outage. */
  #round(node: ClusterNode, since: number): Promise<number | undefined> {
    const call = { method: 'GET', url: `${node.url('RESERVATION')}/actuator/prometheus` };
    return within(BACK_WITHIN_MS.round, since, async () => {
      const answer = await this.#client.call(call).catch(() => undefined);
      const ages = [...(answer?.text ?? '').matchAll(/^jobs_round_age\{round="[^"]+"\} (\S+)$/gm)].map(([, age]) =>
        Number(age),
      );
      const after = performance.now() - since;
      const youngest = Math.min(...ages) * 1_000;
      return youngest < after ? after - youngest : undefined;
    });
  }

  /** When it was sent: a reader of a broker that was away is let in again only when its old session has ended. */
  #event({ propertyId }: SmallProperty, seq: number, since: number): Promise<number | undefined> {
    const key = `${this.#world.tenantId}:${propertyId}`;
    return within(BACK_WITHIN_MS.event, since, async () => {
      const sent = this.#reader.records.find(
        (one) => one.topic === 'reservation.created' && one.key === key && Number(one.headers['seq']) >= seq,
      );
      return sent && Math.max(0, sent.sentAt - performance.timeOrigin - since);
    });
  }
}

async function within<T>(ms: number, since: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  while (performance.now() < since + ms) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

function lineOf({ name, booking, round, event }: Back): string {
  const cells = [booking, round, event].map((ms) =>
    (ms === undefined ? 'NEVER' : (ms / 1_000).toFixed(2)).padStart(7),
  );
  return `${name.padEnd(50)}  ${cells.join('  ')}`;
}
