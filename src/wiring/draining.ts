import type { Log } from '../kernel/ports.ts';
import { DRAIN_MS } from '../kernel/rules/drain.ts';

/**
 * Leaves the cluster without interruption for clients: first readiness ends, then properties move and sockets are
 * drained, at the same time. A dashboard follows its property through any node, wherever it is.
 */
export async function leaveCluster(
  listening: { markLeaving(): void; drainSockets(): Promise<void> },
  cluster: { leave(): Promise<void> },
): Promise<void> {
  listening.markLeaving();
  await Promise.all([cluster.leave(), listening.drainSockets()]);
}

/**
 * Ends the process when its drain takes too long, as when a broker or a partner does not answer. Nothing is lost:
 * everything acknowledged is in PostgreSQL, and the launcher would otherwise kill the process soon after.
 */
export function endInTime(log: Log, end: () => void = () => process.exit(0), withinMs = DRAIN_MS.all): void {
  setTimeout(() => {
    log.warn({ withinMs }, 'the drain takes too long; what is left of it is cut off');
    end();
  }, withinMs);
}
