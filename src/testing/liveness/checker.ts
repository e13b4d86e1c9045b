import { isLate } from '../../kernel/rules/rounds.ts';
import { LEASE_MS } from '../../platform/coordination/lease-memory.ts';
import type { LivenessScene } from './faults.ts';
import type { SimulatedProcess } from './process.ts';

/** Longest time from the end of an outage to the first successful booking (I10, ARCHITECTURE.md#what-we-promise). */
const BACK_WITHIN_MS = 30_000;

/** No process believes in a lease that the database has given to another one, or that has expired there. */
export function checkBelief({ machines, server, world }: LivenessScene): void {
  for (const { nodeId, processes } of machines)
    for (const process of processes) {
      // A blocked process serves no requests; when it continues it checks its lease first.
      if (!process.believes || process.main.isBlocked) continue;
      const row = server.nodes.get(nodeId);
      if (row?.incarnation !== process.incarnation)
        world.violated(`${process.incarnation} believes in a lease that ${row?.incarnation ?? 'nobody'} has`);
      else if (row.leaseUntil <= server.clock && !server.wasClockPut(LEASE_MS))
        world.violated(`${process.incarnation} believes in a lease that has run out`);
    }
}

/** Each node serves again: it holds its lease, and has committed under it. */
export function checkBack({ machines, world }: LivenessScene, endMs: number): void {
  for (const { process } of machines) {
    if (!process.believes) world.violated(`${process.incarnation} has no lease ${BACK_WITHIN_MS / 1_000} s after`);
    if (!process.committed.some(({ begunMs }) => begunMs > endMs))
      world.violated(`${process.incarnation} has committed nothing ${BACK_WITHIN_MS / 1_000} s after`);
  }
}

/** Every round of this period has run since, on its node or, where one node runs it for all, on any. */
export function checkRounds({ machines, world }: LivenessScene, everyMs: number): void {
  const late = (process: SimulatedProcess): string[] =>
    process.rounds
      .figures()
      .filter((round) => round.everyMs === everyMs && isLate(round))
      .map(({ name }) => name);
  for (const { process } of machines)
    for (const name of late(process)) world.violated(`${process.incarnation}: round ${name} is late`);
}
