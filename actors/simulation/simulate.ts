import { createHash } from 'node:crypto';

import { type Address, addressKey } from '../../src/kernel/rules/caller.ts';
import { envelope, settingUp } from '../../src/testing/property-world.ts';
import { check, RECONCILER } from './checker.ts';
import { Client } from './client.ts';
import { Cluster } from './cluster.ts';
import type { Fault } from './faults.ts';
import { OperationHistory } from './history.ts';
import { TRUST_MS } from './node.ts';
import { PROMISES, promising } from './promises.ts';
import { schedule } from './scenario/intervene.ts';
import type { Recorder } from './scenario/recorder.ts';
import { MISCHIEF_MS, type Scenario, scenarioOf } from './scenario/scenario.ts';
import type { OversoldNight } from './scenario/steps.ts';
import { SimulatedWorld } from './world.ts';

const PROPERTIES: Address[] = ['anchor', 'beacon'].map((propertyId) => ({ tenantId: 'acme', propertyId }));
const ROOMS = { STD: 3, DLX: 2 };
const PRICES = { STD: 10_000, DLX: 15_000 };
/** Time before the final read: far longer than rates are used unchecked and answers take. */
const LAST_LOOK_MS = 10_000;
const COMMANDS = 16;
const RECONCILE_MS = 700;
/** Far more events than any run with progress needs. */
const MAX_EVENTS = 200_000;
/** Without the fence a reconciler may try for ever what can never be written. */
const MAX_EVENTS_UNFENCED = 10_000;

/** One run: violations, injected faults, and a fingerprint of everything that happened. */
type SimulationRun = {
  seed: number;
  violations: string[];
  /** Rooms that were sold twice, counted from what is stored. */
  oversold: OversoldNight[];
  fired: Record<Fault, number>;
  commands: number;
  committed: number;
  trace: string[];
  fingerprint: string;
};

/**
 * Plays one seed: several nodes, clients and a database in this process, in virtual time.
 * @param recorder gets every step; the run is the same without one
 */
export async function simulate(
  seed: number,
  scenario: Omit<Scenario, 'seed'> = scenarioOf(seed),
  recorder?: Recorder,
): Promise<SimulationRun> {
  const world = new SimulatedWorld(seed, scenario.faults);
  const giveBack = world.time.install();
  try {
    return await play(world, { ...scenario, seed }, recorder);
  } finally {
    giveBack();
  }
}

async function play(
  world: SimulatedWorld,
  { seed, interventions, fence }: Scenario,
  recorder: Recorder | undefined,
): Promise<SimulationRun> {
  const { faults, time } = world;
  const history = new OperationHistory();
  faults.healed = true;
  const cluster = new Cluster(world);
  let ready = false;
  void setUp(cluster).then(() => (ready = true));
  await time.run(() => ready, MAX_EVENTS);
  faults.healed = false;
  cluster.database.store.hasFence = fence;
  recorder?.record(cluster, PROPERTIES);
  // A third of the seeds put all load on one property: batches follow each other without a pause.
  const rush = seed % 3 === 0;
  const length = rush ? 18 : 6;
  const clients = Array.from({ length }, (_, n) => new Client(`clerk-${n}`, world, cluster, history));
  const end = time.now + MISCHIEF_MS;
  const plan = { properties: rush ? PROPERTIES.slice(0, 1) : PROPERTIES, until: end, most: COMMANDS };
  for (const client of clients) void client.work({ ...plan, pause: rush ? 3 : 120 });
  cluster.makeMischief(PROPERTIES);
  schedule(cluster, interventions);
  reconcile(world, cluster);
  time.after(MISCHIEF_MS, () => (faults.healed = true));
  const most = fence ? MAX_EVENTS : MAX_EVENTS_UNFENCED;
  const progress = await time.run(() => faults.healed && clients.every(({ done }) => done), most);
  faults.healed = true;
  let looked = false;
  void lastLook(world, clients[0]!).then(() => (looked = true));
  if (progress) await time.run(() => looked, MAX_EVENTS);
  const violations = progress ? [] : ['no progress after everything has healed'];
  violations.push(...history.strange.slice(0, 3).map((text) => `strange: ${text}`));
  for (const to of PROPERTIES) violations.push(...checked(history, evidence(cluster, to)));
  const oversold = cluster.database.oversold.found;
  violations.push(...oversold.map(soldTwice));
  const { observed } = history;
  const committed = [...cluster.database.store.properties.values()].reduce(
    (sum, { journal }) => sum + journal.length,
    0,
  );
  for (const [key, property] of cluster.database.store.properties)
    world.note(`${key} ${property.ownership.seq} ${property.ownership.epoch} ${property.journal.at(-1)?.at}`);
  const fingerprint = createHash('sha256').update(world.trace.join('\n')).digest('hex').slice(0, 16);
  return {
    seed,
    violations,
    oversold,
    fired: faults.fired,
    commands: observed.length,
    committed,
    trace: world.trace,
    fingerprint,
  };
}

/** What the checker finds. Where the fence is broken, the model may find no state that fits what was accepted. */
function checked(...[history, found]: Parameters<typeof check>): string[] {
  try {
    return check(history, found);
  } catch (error) {
    return [`the model cannot follow what ${found.to.propertyId} has accepted: ${String(error)}`];
  }
}

function soldTwice({ property, roomType, night, rooms, booked, held }: OversoldNight): string {
  return `I1: ${roomType} of ${property} on ${night}: ${booked + held} sold or held, of ${rooms} rooms`;
}

/** What clients see at the end must be what the database holds. */
async function lastLook({ time }: SimulatedWorld, client: Client): Promise<void> {
  await time.wait(LAST_LOOK_MS);
  for (const to of PROPERTIES) while (!(await client.read(to))) await time.wait(100);
}

/**
 * Abandons holds whose payment was never completed, as the service's reconciler does; it continues after everything
 * heals.
 */
function reconcile(world: SimulatedWorld, cluster: Cluster): void {
  for (const to of PROPERTIES)
    for (const [, hold] of cluster.database.store.properties.get(addressKey(to))?.holds ?? []) {
      if (hold.kind !== 'LATE' || !hold.key || !hold.booking) continue;
      const { subject, ...key } = hold.key;
      const payment = { ...hold.booking.attempt, status: 'FAILED' as const };
      const command = { type: 'ABANDON_BOOKING' as const, holdId: hold.id, payment, refusal: { detail: 'late' } };
      const sent = { command, subject, requestId: RECONCILER, key, deadline: Infinity };
      void cluster
        .route(to)
        .execute(to, sent)
        .catch(() => undefined);
    }
  world.time.after(RECONCILE_MS, () => reconcile(world, cluster));
}

/** A cancellation is never free, so each paid one has an invoice. The model has no bound for unpaid holds. */
const POLICIES = { freeCancellationHours: 720, maxHeldPercent: 100 };

async function setUp(cluster: Cluster): Promise<void> {
  for (const to of PROPERTIES)
    for (const command of [
      ...settingUp({ propertyId: to.propertyId, policies: POLICIES }),
      ...promising(to.propertyId),
    ]) {
      // The first lease is still being taken.
      while (!cluster.route(to).alive) await new Promise((done) => setTimeout(done, 10));
      for (let done = false; !done;)
        done = await cluster
          .route(to)
          .execute(to, envelope(command))
          .then(
            () => true,
            () => new Promise<boolean>((later) => setTimeout(() => later(false), 20)),
          );
    }
}

function evidence({ database }: Cluster, to: Address): Parameters<typeof check>[1] {
  const property = database.store.properties.get(addressKey(to))!;
  return {
    to,
    rooms: ROOMS,
    promises: PROMISES,
    prices: PRICES,
    journal: property.journal,
    committedAt: (seq) => (seq === 0 ? 0 : (database.committedAt.get(`${addressKey(to)} ${seq}`) ?? Infinity)),
    cells: [...property.cells.values()],
    extraStays: [...property.extraStays.values()],
    documents: database.store.documentsOf(to),
    history: database.prices,
    trustMs: TRUST_MS,
  };
}
