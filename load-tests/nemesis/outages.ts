import { percentiles } from '../client/latencies.ts';
import type { Operation } from './history.ts';

/**
 * A request that takes longer, with all repeats, has failed. By design a blocked node owns its properties for its lease
 * and a second more (docs/concepts/cluster.md#lease); a common HTTP timeout is 10 s.
 */
const PATIENCE_MS = 10_000;
/** Response times are reported for each of these. */
const WITHIN_MS: readonly number[] = [1_000, 5_000, PATIENCE_MS];

/** A fault that took place: times are those of the history. */
export type Struck = {
  name: string;
  from: number;
  /** End of the fault: everything that was stopped runs again. */
  endedAt: number;
  /** Nothing could succeed during the fault: the database itself was away. */
  stopsAll: boolean;
  /** End of the recovery. */
  to: number;
  /** Properties whose owner was affected. */
  hit: ReadonlySet<string>;
};

/** Milliseconds. */
export type Outage = {
  name: string;
  times: number;
  /**
   * Until the first success of each affected property: from the fault, or from its end when nothing could succeed
   * before.
   */
  first: { count: number; p50: number; p99: number; max: number };
  /** Longest time without a success of each property, from the fault to the end of its recovery. */
  gap: { p50: number; p99: number; max: number };
  /** Requests without an answer within the clients' patience. */
  failed: number;
  /** Whether it is measured from its end. */
  fromEnd: boolean;
  /** Properties that could not be booked until the nodes were restarted by hand. */
  lost: number;
};

/** One row for each kind of fault, over all its occurrences. */
export function outagesOf(struck: readonly Struck[], operations: readonly Operation[]): Outage[] {
  const ends = successes(operations);
  return [...Map.groupBy(struck, ({ name }) => name)].map(([name, all]) => {
    const first: number[] = [];
    const gaps: number[] = [];
    let lost = 0;
    for (const { from: began, endedAt, stopsAll, to, hit } of all)
      for (const [property, times] of ends) {
        const from = stopsAll ? endedAt : began;
        const within = times.filter(({ at }) => at >= from && at <= to);
        const fresh = within.find(({ lastTryAt }) => lastTryAt >= from)?.at ?? to;
        if (within.every(({ lastTryAt }) => lastTryAt < endedAt)) lost += 1;
        if (hit.has(property)) first.push(fresh - from);
        const marks = [from, ...within.map(({ at }) => at), to];
        gaps.push(Math.max(...marks.slice(1).map((mark, n) => mark - marks[n]!)));
      }
    const failed = operations
      .filter((one) => !isWithin(one, PATIENCE_MS, struck))
      .filter(({ invokedAt }) =>
        all.some(({ from, to }) => invokedAt >= from - PATIENCE_MS && invokedAt <= to),
      ).length;
    const fromEnd = all.some(({ stopsAll }) => stopsAll);
    return { name, times: all.length, first: percentiles(first), gap: percentiles(gaps), failed, fromEnd, lost };
  });
}

type Success = { at: number; lastTryAt: number };

function successes(operations: readonly Operation[]): Map<string, Success[]> {
  const decided = operations.filter(({ outcome }) => outcome.kind !== 'unknown');
  const all = new Map<string, Success[]>();
  for (const [property, list] of Map.groupBy(decided, (one) => one.property)) {
    const times = list.map(({ returnedAt: at, tries }) => ({ at, lastTryAt: tries.at(-1)?.at ?? at }));
    all.set(
      property,
      times.toSorted((a, b) => a.at - b.at),
    );
  }
  return all;
}

/** Whether it was answered in so many milliseconds, not counting those in which the database itself was away. */
function isWithin({ outcome, invokedAt, returnedAt }: Operation, ms: number, struck: readonly Struck[]): boolean {
  if (outcome.kind === 'unknown') return false;
  const away = struck
    .filter(({ stopsAll }) => stopsAll)
    .map(({ from, endedAt }) => Math.max(0, Math.min(returnedAt, endedAt) - Math.max(invokedAt, from)));
  return returnedAt - invokedAt - away.reduce((sum, one) => sum + one, 0) <= ms;
}

export type Share = {
  requests: number;
  failed: number;
  /** Requests answered within so many milliseconds, repeats included. */
  within: { ms: number; count: number }[];
  tries: number;
  broken: number;
  byCode: Record<string, number>;
};

/** Number of requests without an answer in time, and of attempts that broke or went to another node. */
export function shareOf(operations: readonly Operation[], struck: readonly Struck[] = []): Share {
  const failed = operations.filter((one) => !isWithin(one, PATIENCE_MS, struck));
  const tries = operations.flatMap((one) => one.tries);
  const broken = tries.filter(({ status }) => status === 0 || status >= 500);
  const byCode: Record<string, number> = {};
  for (const { status, code } of broken) {
    const name = status === 0 ? 'connection' : `${status} ${code ?? ''}`.trim();
    byCode[name] = (byCode[name] ?? 0) + 1;
  }
  const within = WITHIN_MS.map((ms) => ({ ms, count: operations.filter((one) => isWithin(one, ms, struck)).length }));
  const counts = { requests: operations.length, failed: failed.length, tries: tries.length, broken: broken.length };
  return { ...counts, within, byCode };
}
