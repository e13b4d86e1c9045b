/** State of a source, or of all: `PARTIAL` when some properties or sources failed the last query. */
export const SYNC_STATES = ['OFF', 'PENDING', 'OK', 'PARTIAL', 'FAILED'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** State of a source by the properties that it was queried for, and those that failed the last time. */
export function stateOfSource({ queried, failing }: { queried: number; failing: number }): SyncState {
  if (queried === 0) return 'PENDING';
  if (failing === 0) return 'OK';
  return failing === queried ? 'FAILED' : 'PARTIAL';
}

/** State of all sources together; one that has not been queried yet is left out. */
export function stateOfAll(sources: readonly SyncState[]): SyncState {
  if (sources.length === 0) return 'OFF';
  const states = new Set(sources.filter((state) => state !== 'PENDING'));
  const [only] = states;
  return states.size > 1 ? 'PARTIAL' : (only ?? 'PENDING');
}
