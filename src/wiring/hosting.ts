import { Host, type HostOptions } from '../../actors/host.ts';
import { CheckpointSweep } from '../history/jobs/checkpoint-sweep.ts';
import type { StoredJournal } from '../history/storage/journal-archive.ts';
import type { Rounds } from '../kernel/rules/rounds.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import type { Loggers } from '../platform/telemetry/telemetry.ts';
import { eachRound } from './regular-rounds.ts';

/** Commit lanes of a node (docs/concepts/commit-and-fence.md#commit-lanes). */
const LANES = 2;

/** Interval of checking for due checkpoints: some thousand rows of a busy property. */
const CHECKPOINTS_MS = 2_000;

type Hosting = Pick<HostOptions, 'store' | 'clock' | 'tracer' | 'onBatch' | 'onCommitted' | 'violated'> & {
  archive: StoredJournal;
  loggers: Loggers;
  lease: NodeLease;
  rounds: Rounds;
};

/** Opens the property actors of this node, and the checkpoints of their states. */
export function openHost(
  stack: AsyncDisposableStack,
  { archive, loggers, lease, rounds, ...options }: Hosting,
): Host {
  const { root: log } = loggers;
  const residents = { residents: () => host.residents() };
  const checkpoints = stack.use(new CheckpointSweep({ properties: residents, checkpoints: archive, log }));
  const host: Host = stack.use(
    new Host({
      ...options,
      log: loggers.of('actors'),
      lanes: LANES,
      mayOwn: () => lease.held,
      passivating: (resident) => checkpoints.passivating(resident),
    }),
  );
  eachRound(stack, rounds, log)('checkpoints', CHECKPOINTS_MS, async (each) => void (await checkpoints.run(each)));
  return host;
}
