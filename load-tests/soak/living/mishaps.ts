import { pause } from '../../../test/blackbox/waiting.ts';
import type { ClusterWorld } from '../../cluster/cluster-world.ts';
import type { Fault } from '../../nemesis/fault.ts';
import { restartFallen, shuffled } from '../../nemesis/strike.ts';

/** A mishap that took place, in minutes of the run. */
export type Mishap = { name: string; from: number; to: number; failure?: string };

/** Quiet between two mishaps, by the seed. */
const QUIET_MS = { least: 20_000, most: 60_000 };
/** What answers take is judged again from then on. */
const RECOVERY_MS = 20_000;
/** The first node must live through the run, so that its memory says something. */
const ENDS_NODES: ReadonlySet<string> = new Set([
  'kill -9 of a node',
  'one node at another Redis, SIGTERM of another',
]);
const ENDS_ALL = 'rolling restart';

/** Mishaps of the nemesis, in a seeded order, each once before any is repeated. */
export class Mishaps {
  readonly all: Mishap[] = [];
  readonly failures: string[] = [];
  current: string | undefined;

  /** The faults of a run: all but that which ends each node. */
  static of(faults: readonly Fault[]): Fault[] {
    return faults.filter(({ name }) => name !== ENDS_ALL);
  }

  /** Runs until the time is over. @param minute of the run */
  async run(
    world: ClusterWorld,
    {
      faults,
      random,
      until,
      minute,
    }: { faults: readonly Fault[]; random: () => number; until: number; minute: () => number },
  ): Promise<void> {
    let left: Fault[] = [];
    for (;;) {
      await pause(QUIET_MS.least + random() * (QUIET_MS.most - QUIET_MS.least));
      if (left.length === 0) left = shuffled(faults, random);
      const fault = left.pop();
      // The last one ends, and is recovered from, before the run does.
      if (!fault || performance.now() + fault.seconds * 1_000 + QUIET_MS.most > until) return;
      const others = ENDS_NODES.has(fault.name) ? world.nodes.slice(1) : world.nodes;
      const [node, other] = shuffled(others, random);
      const from = minute();
      this.current = fault.name;
      const failure = await fault.run({ world, node: node!, other: other ?? node!, random }).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      await restartFallen(world, this.failures);
      if (failure !== undefined) this.failures.push(`${fault.name}: ${failure}`);
      this.all.push({ name: fault.name, from, to: minute(), ...(failure !== undefined && { failure }) });
      console.log(`${from.toFixed(1)} min: ${fault.name}, ${((minute() - from) * 60).toFixed(0)} s`);
      await pause(RECOVERY_MS);
      this.current = undefined;
    }
  }
}
