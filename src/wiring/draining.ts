import type { Log } from '../kernel/ports.ts';
import { DRAIN_MS } from '../kernel/rules/drain.ts';

/**
 * Deploys nobody notices: first nobody sends anything here any more, then properties and sockets go, side by side. A
 * dashboard follows its property through any node, wherever it is by then.
 */
export async function leaveCluster(
  listening: { markLeaving(): void; drainSockets(): Promise<void> },
  cluster: { leave(): Promise<void> },
): Promise<void> {
  listening.markLeaving();
  await Promise.all([cluster.leave(), listening.drainSockets()]);
}

/**
 * Ends the process when its drain takes too long, as when a broker or a partner does not answer. Nothing is lost by it:
 * what was acknowledged is in PostgreSQL, and the launcher would kill it soon after, which is no orderly end.
 */
export function endInTime(log: Log, end: () => void = () => process.exit(0), withinMs = DRAIN_MS.all): void {
  setTimeout(() => {
    log.warn({ withinMs }, 'the drain takes too long; what is left of it is cut off');
    end();
  }, withinMs);
}
