/** Source of a threshold: a performance target, a promise that nothing is lost or sold twice, or a goal of our own. */
export type Origin = 'specification' | 'correctness' | 'goal';

/** A threshold of a k6 script, and the value that it was compared with, where the summary has it. */
export type Threshold = { metric: string; expression: string; origin: Origin; isMet: boolean; value: number | null };

/** What `k6 run --summary-export` writes. */
export type Summary = {
  metrics: Record<string, SummaryMetric>;
  root_group?: { checks?: Record<string, { name: string; passes: number; fails: number }> };
};
type SummaryMetric = { thresholds?: Record<string, boolean> } & Record<string, unknown>;

const ENDPOINT = /^http_req_duration\{endpoint:(\w+)\}$/;

/**
 * Thresholds of a summary. k6 writes `true` for those that were crossed, and `false` also where nothing was measured:
 * such a threshold is not met here.
 * @param goals of our own, by endpoint, as `k6/targets.js` has them
 */
export function thresholdsOf(summary: Summary, goals: Readonly<Record<string, readonly string[]>>): Threshold[] {
  return Object.entries(summary.metrics)
    .flatMap(([metric, figures]) =>
      Object.entries(figures.thresholds ?? {}).map(([expression, isCrossed]) => ({
        metric,
        expression,
        origin: originOf(metric, expression, goals),
        isMet: !isCrossed && isMeasured(figures),
        value: isMeasured(figures) ? valueOf(figures, expression) : null,
      })),
    )
    .toSorted(
      (one, other) => one.metric.localeCompare(other.metric) || one.expression.localeCompare(other.expression),
    );
}

/** Checks of a summary that failed at least once. */
export function failedChecks({ root_group: group }: Summary): string[] {
  return Object.values(group?.checks ?? {})
    .filter(({ fails }) => fails > 0)
    .map(({ name, passes, fails }) => `${name}: ${fails} of ${passes + fails}`);
}

function originOf(metric: string, expression: string, goals: Readonly<Record<string, readonly string[]>>): Origin {
  const endpoint = ENDPOINT.exec(metric)?.[1];
  if (endpoint !== undefined) return goals[endpoint]?.includes(expression) ? 'goal' : 'specification';
  return /^(live_commit_to_frame|offers_age)/.test(metric) ? 'goal' : 'correctness';
}

/** Without a sample a rate has neither passes nor fails, and a trend is 0 throughout. A count of 0 is a measurement. */
function isMeasured({ passes, fails, max }: SummaryMetric): boolean {
  return max !== 0 && !(passes === 0 && fails === 0);
}

/** A rate has `value`, a counter `count`, a trend its percentiles by name. */
function valueOf(figures: SummaryMetric, expression: string): number | null {
  const name = /^[\w().]+?(?=[<>=!])/.exec(expression)?.[0] ?? '';
  const value = figures[name] ?? (name === 'rate' ? figures['value'] : undefined);
  return typeof value === 'number' ? value : null;
}
