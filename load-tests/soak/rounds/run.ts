import { randomUUID } from 'node:crypto';

import type { Runtime } from '../../../src/platform/launch/runtimes.mjs';
import { pause } from '../../../test/blackbox/waiting.ts';
import { HttpClient } from '../../client/http.ts';
import { oneNightBooking } from '../../cluster/booker.ts';
import type { ClusterNode } from '../../cluster/cluster-node.ts';
import { ClusterWorld } from '../../cluster/cluster-world.ts';
import { openProperties, type SmallProperty } from '../../cluster/properties.ts';
import { type Roll, rollsOf } from './properties.ts';

export type SoakOptions = { minutes: number; nodes: number; runtime: Runtime };

/** Observations of one regular round over all nodes. */
export type RoundSeen = {
  name: string;
  periodSeconds: number;
  samples: number;
  maxAgeSeconds: number;
  failures: number;
};

/** Observation of one night audit. */
export type AuditSeen = Roll & { propertyId: string; doneAt: number | undefined };

export type SoakFindings = {
  rounds: RoundSeen[];
  audits: AuditSeen[];
  bookings: { confirmed: number; refused: number };
  /** Samples of a node that did not answer. */
  silent: number;
  /** Lines of `/actuator/health` that were not UP or UNKNOWN, with their number. */
  unhealthy: ReadonlyMap<string, number>;
  endedAt: number;
};

const SAMPLE_MS = 5_000;
const BOOKING_MS = 1_000;
const ROOMS = { STD: 400 };
const NIGHTS = 60;
/** Each roll has two properties, so that they are on different nodes. */
const PER_ROLL = 2;

/** Runs a cluster at real pace and observes it. */
export async function runSoak({ minutes, nodes, runtime }: SoakOptions): Promise<SoakFindings> {
  await using world = await ClusterWorld.open({ runtime, nodes, proxies: false });
  const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
  using client = new HttpClient({ sockets: 8, headers, timeoutMs: 10_000 });
  const rolls = rollsOf(Date.now());
  const rollOf = (n: number): Roll => rolls[n % rolls.length]!;
  const properties = await openProperties(world, client, rolls.length * PER_ROLL, {
    rooms: ROOMS,
    nights: NIGHTS,
    clock: (n) => ({ timezone: rollOf(n).timezone, policies: { nightAuditHour: rollOf(n).nightAuditHour } }),
  });
  const audits = properties.map(({ propertyId }, n) => ({ ...rollOf(n), propertyId, doneAt: undefined }));
  const seen = new Soak(world, client, audits);
  const until = performance.now() + minutes * 60_000;
  const booking = book(world, client, properties, until, seen.findings.bookings);
  while (performance.now() < until) {
    await seen.look();
    await pause(SAMPLE_MS);
  }
  await booking;
  return { ...seen.findings, endedAt: Date.now() };
}

/** Observes rounds, health and audits of a cluster. */
class Soak {
  readonly #world: ClusterWorld;
  readonly #client: HttpClient;
  readonly #rounds = new Map<string, RoundSeen>();
  readonly #unhealthy = new Map<string, number>();
  readonly findings: SoakFindings;

  constructor(world: ClusterWorld, client: HttpClient, audits: AuditSeen[]) {
    this.#world = world;
    this.#client = client;
    const unhealthy = this.#unhealthy;
    this.findings = { audits, rounds: [], bookings: { confirmed: 0, refused: 0 }, silent: 0, unhealthy, endedAt: 0 };
  }

  async look(): Promise<void> {
    await Promise.all(
      this.#world.nodes.map((node) => this.#sample(node).catch(() => void (this.findings.silent += 1))),
    );
    this.findings.rounds = [...this.#rounds.values()];
    for (const audit of this.findings.audits) audit.doneAt ??= await this.#auditedAt(audit);
  }

  async #sample(node: ClusterNode): Promise<void> {
    const url = `${node.url('RESERVATION')}/actuator`;
    const { text } = await this.#client.call({ method: 'GET', url: `${url}/prometheus` });
    const series = (metric: string): [name: string, value: number][] =>
      [...text.matchAll(new RegExp(`^${metric}\\{round="([^"]+)"\\} (\\S+)$`, 'gm'))].map(([, name, value]) => [
        name!,
        Number(value),
      ]);
    const periods = new Map(series('jobs_round_period'));
    const failures = new Map(series('jobs_round_failures'));
    for (const [name, age] of series('jobs_round_age')) {
      const round = this.#rounds.get(name) ?? {
        name,
        periodSeconds: periods.get(name) ?? 0,
        samples: 0,
        maxAgeSeconds: 0,
        failures: 0,
      };
      round.samples += 1;
      round.maxAgeSeconds = Math.max(round.maxAgeSeconds, age);
      round.failures = Math.max(round.failures, failures.get(name) ?? 0);
      this.#rounds.set(name, round);
    }
    const health = await this.#client.call({ method: 'GET', url: `${url}/health` });
    const { components } = JSON.parse(health.text) as { components: Record<string, { status: string }> };
    for (const [name, { status }] of Object.entries(components))
      if (status === 'DOWN' || status === 'OUT_OF_SERVICE')
        this.#unhealthy.set(name, (this.#unhealthy.get(name) ?? 0) + 1);
  }

  /** Time at which the audit of the ended date was done. */
  async #auditedAt({ propertyId, at }: AuditSeen): Promise<number | undefined> {
    if (Date.now() < at) return undefined;
    const rows = await this.#world.query<{ at: Date }>(
      `select at from daily_jobs where tenant_id = $1 and property_id = $2 and job = 'NIGHT_AUDIT'`,
      [this.#world.tenantId, propertyId],
    );
    return rows[0]?.at.getTime();
  }
}

/** One booking a second, over all nodes and properties. */
async function book(
  world: ClusterWorld,
  client: HttpClient,
  properties: readonly SmallProperty[],
  until: number,
  count: SoakFindings['bookings'],
): Promise<void> {
  for (let n = 0; performance.now() < until; n += 1) {
    const property = properties[n % properties.length]!;
    const node = world.nodes[n % world.nodes.length]!;
    const night = 2 + (n % (NIGHTS - 4));
    const body = JSON.stringify(oneNightBooking(property, night, n));
    const call = { method: 'POST', url: `${node.url('RESERVATION')}/api/v1/reservations`, body };
    const answer = await client
      .call({ ...call, headers: { 'idempotency-key': randomUUID() } })
      .catch(() => undefined);
    if (answer?.status === 201) count.confirmed += 1;
    else count.refused += 1;
    await pause(BOOKING_MS);
  }
}
