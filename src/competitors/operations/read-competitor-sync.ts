import { findRequestedJob } from '../../kernel/operations/request-job.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Job } from '../../kernel/ports.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { SourceOverview } from '../ports.ts';
import { stateOfAll, stateOfSource, type SyncState } from '../rules/competitor-sync.ts';

/** State of a source; `nextSync` is now without properties. */
type SourceStatus = SourceOverview & { status: SyncState; nextSync: Instant; ageSeconds: number | undefined };

export type CompetitorSyncReport = {
  sources: SourceStatus[];
  /** Newest success of any source. */
  lastSync: Instant | undefined;
  nextSync: Instant | undefined;
  ageSeconds: number | undefined;
  status: SyncState;
  refresh?: Job<'competitor-refresh'>;
};

/**
 * Reads the state of the tenant's competitor sources (docs/reference/rates.md#administration), and of a requested
 * refresh.
 * @throws DomainError JOB_NOT_FOUND for a refresh of another tenant, and one that is no longer retained
 */
export async function readCompetitorSync(
  { competitors, feeds, jobs, clock }: Pick<Services, 'competitors' | 'feeds' | 'jobs' | 'clock'>,
  { tenantId }: Caller,
  jobId?: string,
): Promise<CompetitorSyncReport> {
  const refresh =
    jobId === undefined ? undefined : await findRequestedJob({ jobs }, 'competitor-refresh', { tenantId }, jobId);
  const overview = await competitors.overview(
    tenantId,
    feeds.map(({ source }) => source),
  );
  const now = clock.now();
  const age = (at: Instant | undefined): number | undefined =>
    at === undefined ? undefined : Math.max(0, Math.floor((now - at) / 1_000));
  const sources = overview.map((one) => ({
    ...one,
    status: stateOfSource(one),
    nextSync: one.nextSync ?? now,
    ageSeconds: age(one.lastSuccess),
  }));
  const lastSync = newest(sources.map(({ lastSuccess }) => lastSuccess));
  return {
    sources,
    lastSync,
    nextSync: sources.length === 0 ? undefined : Math.min(...sources.map(({ nextSync }) => nextSync)),
    ageSeconds: age(lastSync),
    status: stateOfAll(sources.map(({ status }) => status)),
    refresh,
  };
}

function newest(instants: readonly (Instant | undefined)[]): Instant | undefined {
  const known = instants.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
