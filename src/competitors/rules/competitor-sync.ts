/** How a source, or all of them, stand: `PARTIAL` where some houses or sources failed the last time they were asked. */
export const SYNC_STATES = ['OFF', 'PENDING', 'OK', 'PARTIAL', 'FAILED'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** A source by the properties that it was asked for, and those for which it failed the last time. */
export function stateOfSource({ asked, failing }: { asked: number; failing: number }): SyncState {
  if (asked === 0) return 'PENDING';
  if (failing === 0) return 'OK';
  return failing === asked ? 'FAILED' : 'PARTIAL';
}

/** All sources together; one that has not been asked yet says nothing. */
export function stateOfAll(sources: readonly SyncState[]): SyncState {
  if (sources.length === 0) return 'OFF';
  const states = new Set(sources.filter((state) => state !== 'PENDING'));
  const [only] = states;
  return states.size > 1 ? 'PARTIAL' : (only ?? 'PENDING');
}
