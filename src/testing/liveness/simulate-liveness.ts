import { createHash } from 'node:crypto';

import { checkBack, checkBelief, checkRounds } from './checker.ts';
import { LIVENESS_FAULTS, type LivenessFault, playFaults, type LivenessScene } from './faults.ts';
import { Machine } from './machine.ts';
import { SimulatedPostgres } from './postgres.ts';
import { SimulatedRedis } from './redis.ts';
import { LivenessWorld } from './world.ts';

const BACK_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 250;
/** The longest period of a round, three of which are waited for. */
const LONGEST_PERIOD_MS = 60_000;
/** Far more events than any run has. */
const MAX_EVENTS = 500_000;

/** One run: what went wrong, what was made to go wrong, and a fingerprint of everything that happened. */
type LivenessRun = {
  seed: number;
  violations: string[];
  fired: Record<LivenessFault, number>;
  virtualMs: number;
  committed: number;
  trace: string[];
  fingerprint: string;
};

/** Plays one seed: a node or three, PostgreSQL and Redis, on a time of their own, until long after everything healed. */
export async function simulateLiveness(seed: number): Promise<LivenessRun> {
  const world = new LivenessWorld(seed);
  const server = new SimulatedPostgres(world);
  const redis = new SimulatedRedis(world);
  const count = seed % 4 === 0 ? 3 : 1;
  const machines = Array.from({ length: count }, (_, n) => new Machine(`node-${n}`, world, server, redis));
  const scene: LivenessScene = { world, server, redis, machines };
  const fired = Object.fromEntries(LIVENESS_FAULTS.map((name) => [name, 0])) as LivenessRun['fired'];
  const look = (): void => {
    checkBelief(scene);
    world.time.after(LOOK_EVERY_MS, look);
  };
  server.onTaken = () => checkBelief(scene);
  look();
  let isOver = false;
  playFaults(scene, fired, (endMs) => followUp(scene, endMs, () => (isOver = true)));
  const done = await world.time.run(() => isOver || world.violations.length > 0, MAX_EVENTS);
  if (!done) world.violated('the simulation does not come to an end');
  const committed = machines.reduce((sum, { process }) => sum + process.committed.length, 0);
  const fingerprint = createHash('sha256').update(world.trace.join('\n')).digest('hex').slice(0, 16);
  const { trace, violations, elapsedMs: virtualMs } = world;
  return { seed, violations, fired, virtualMs, committed, trace, fingerprint };
}

/** Checks after the last fault has ended, and again after all rounds have had their time. */
function followUp(scene: LivenessScene, endMs: number, over: () => void): void {
  const { time, elapsedMs } = scene.world;
  const at = (afterMs: number, run: () => void): void => void time.after(endMs + afterMs - elapsedMs, run);
  at(BACK_WITHIN_MS, () => checkBack(scene, endMs));
  for (const everyMs of [15_000, 30_000, LONGEST_PERIOD_MS]) at(3 * everyMs, () => checkRounds(scene, everyMs));
  const lastMs = 3 * LONGEST_PERIOD_MS + 1_000;
  at(lastMs, () => {
    checkBack(scene, endMs + lastMs - BACK_WITHIN_MS);
    for (const everyMs of [15_000, 30_000, LONGEST_PERIOD_MS]) checkRounds(scene, everyMs);
    over();
  });
}
