import type { Random } from '../../kernel/rules/random.ts';
import type { SimulatedConnection } from './connection.ts';
import type { Machine } from './machine.ts';
import type { SimulatedPostgres } from './postgres.ts';
import type { SimulatedRedis } from './redis.ts';
import type { LivenessWorld } from './world.ts';

/** The server's own probes notice after this that a machine is gone; a proxy answers them in its place. */
const PROBED_MS = 6_000;
/** Interval at which a flapping connection is lost. */
const FLAP_MS = 700;

export type LivenessScene = {
  world: LivenessWorld;
  server: SimulatedPostgres;
  redis: SimulatedRedis;
  machines: readonly Machine[];
};

/** Makes something go wrong on a machine, and says for how many milliseconds it lasts. */
type Play = (scene: LivenessScene, machine: Machine) => number;

const seconds = (random: Random, low: number, high: number): number => random.between(low * 1_000, high * 1_000);

/** Connections of a node's threads: those of the lease, those of the main thread, or all. */
function some({ process }: Machine, random: Random): SimulatedConnection[] {
  const keeper = [...process.keeper.connections];
  const main = [...process.connections.keys()];
  return random.pick([keeper, main, [...keeper, ...main]]);
}

const PLAYS = {
  'database-away'({ world, server }) {
    const lastsMs = seconds(world.random, 1, 300);
    server.stop(lastsMs);
    return lastsMs;
  },
  'database-frozen'({ world, server }) {
    const lastsMs = seconds(world.random, 1, 300);
    server.freeze(lastsMs);
    return lastsMs;
  },
  'commits-hang'({ world, server }) {
    const lastsMs = seconds(world.random, 1, 60);
    server.hangCommits(lastsMs);
    return lastsMs;
  },
  'leases-locked'({ world, server }) {
    const lastsMs = seconds(world.random, 1, 60);
    server.lockLeases(lastsMs);
    return lastsMs;
  },
  'network-down'({ world }, { network }) {
    const lastsMs = seconds(world.random, 1, 120);
    network.goDown(lastsMs);
    return lastsMs;
  },
  /** Old connections lead nowhere, new ones work: behind a proxy that has lost its other side. */
  'connections-lost'({ world }, machine) {
    for (const { way } of some(machine, world.random)) way.isLost = true;
    return 0;
  },
  /** Again and again, also those that have just been made. */
  'connections-flap'({ world }, machine) {
    const times = world.random.between(2, 30);
    for (let n = 0; n < times; n++)
      world.time.after(n * FLAP_MS, () => {
        for (const { way } of machine.process.keeper.connections) way.isLost = true;
        for (const { way } of machine.process.connections.keys()) way.isLost = true;
      });
    return (times - 1) * FLAP_MS;
  },
  /** The same where the server finds out. */
  'connections-lost-and-noticed'({ world, server }, machine) {
    for (const { way } of some(machine, world.random)) way.isLost = true;
    const sessions = [...server.sessions].filter((session) => session.isLost);
    world.time.after(PROBED_MS, () =>
      server.receive(() => sessions.forEach((one) => one.end('no answer to probes'))),
    );
    return PROBED_MS;
  },
  'main-stalled'({ world }, { process }) {
    const lastsMs = seconds(world.random, 1, 60);
    process.stall(lastsMs);
    return lastsMs;
  },
  'process-paused'({ world }, { process }) {
    const lastsMs = seconds(world.random, 1, 60);
    process.pause(lastsMs);
    return lastsMs;
  },
  'keeper-hangs'(_, { process }) {
    process.keeper.thread.block(Infinity);
    return 0;
  },
  'keeper-dies'(_, { process }) {
    process.keeper.die();
    return 0;
  },
  crash(_, machine) {
    machine.crash();
    return 0;
  },
  'second-process'({ world }, machine) {
    const lastsMs = seconds(world.random, 5, 60);
    machine.startSecond(lastsMs);
    return lastsMs;
  },
  'redis-away'({ world, redis }) {
    const lastsMs = seconds(world.random, 1, 120);
    redis.goAway(lastsMs);
    return lastsMs;
  },
  'redis-wiped'({ redis }) {
    redis.wipe();
    return 0;
  },
  /** It answers, and gives out no jobs. */
  'queue-stuck'({ world, redis }) {
    const lastsMs = seconds(world.random, 60, 600);
    redis.getStuck(lastsMs);
    return 0;
  },
  'jobs-lost'({ redis }) {
    redis.loseDelayed();
    return 0;
  },
  'redis-connections-lost'(_, { process }) {
    for (const way of process.backend.ways) way.isLost = true;
    return 0;
  },
  'wall-clock-put'({ world }, machine) {
    machine.putWallClock(seconds(world.random, -3_600, 3_600));
    return 0;
  },
  'database-clock-put'({ world, server }) {
    server.putClock(seconds(world.random, -3_600, 3_600));
    return 0;
  },
} as const satisfies Record<string, Play>;

export type LivenessFault = keyof typeof PLAYS;
export const LIVENESS_FAULTS = Object.keys(PLAYS) as LivenessFault[];

/** Start of a seed's faults, and their maximum number. */
const FIRST_MS = 20_000;
const WINDOW_MS = 120_000;
const MAX_FAULTS = 5;

/** Lets a seed's faults happen. @returns when the last of them is over, in milliseconds of the simulation */
export function playFaults(
  scene: LivenessScene,
  fired: Record<LivenessFault, number>,
  over: (endMs: number) => void,
): void {
  const { world, machines } = scene;
  const { random, time } = world;
  const count = random.between(1, MAX_FAULTS);
  let open = count;
  let endMs = 0;
  for (let n = 0; n < count; n++) {
    const name = random.pick(LIVENESS_FAULTS);
    const machine = random.pick(machines);
    time.after(FIRST_MS + random.between(0, WINDOW_MS), () => {
      const lastsMs = PLAYS[name](scene, machine);
      world.note(`fault ${name} of ${machine.nodeId} for ${lastsMs} ms`);
      fired[name] += 1;
      endMs = Math.max(endMs, world.elapsedMs + lastsMs);
      open -= 1;
      if (open === 0) over(endMs);
    });
  }
}
