import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import { iso } from '../../stay/render/reservation.ts';

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

/** Body of `GET /admin/competitor-sync/status`. */
export function syncStatus({
  sources,
  lastSync,
  nextSync,
  ageSeconds,
  status,
  refresh,
}: CompetitorSyncReport): unknown {
  return {
    sources: sources.map((source) => ({
      source: source.source,
      status: source.status,
      properties: source.properties,
      failing: source.failing,
      lastAttempt: isoOrNull(source.lastAttempt),
      lastSuccess: isoOrNull(source.lastSuccess),
      nextSync: iso(source.nextSync),
      ageSeconds: source.ageSeconds ?? null,
      rates: source.rates,
      leftOut: source.leftOut,
      error: source.error ?? null,
    })),
    lastSync: isoOrNull(lastSync),
    nextSync: isoOrNull(nextSync),
    ageSeconds: ageSeconds ?? null,
    status,
    ...(refresh && {
      refresh: {
        jobId: refresh.id,
        state: refresh.state,
        progress: refresh.progress,
        properties: refresh.result?.asked,
        failing: refresh.result?.failed,
        error: refresh.error,
      },
    }),
  };
}
