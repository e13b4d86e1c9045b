import type { syncStatusAnswer } from '../../../../src/competitors/contracts/competitors.ts';
import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** Body of `GET /admin/competitor-sync/status`. */
export function syncStatus({
  sources,
  lastSync,
  nextSync,
  ageSeconds,
  status,
  refresh,
}: CompetitorSyncReport): AnswerOf<typeof syncStatusAnswer> {
  return {
    sources: sources.map((source) => ({
      source: source.source,
      status: source.status,
      properties: source.properties,
      failing: source.failing,
      lastAttempt: source.lastAttempt ?? null,
      lastSuccess: source.lastSuccess ?? null,
      nextSync: source.nextSync,
      ageSeconds: source.ageSeconds ?? null,
      rates: source.rates,
      leftOut: source.leftOut,
      error: source.error ?? null,
    })),
    lastSync: lastSync ?? null,
    nextSync: nextSync ?? null,
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
