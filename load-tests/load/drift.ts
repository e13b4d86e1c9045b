import { middle } from '../first/figures.ts';
import type { Beside, Drift } from './figures-of-run.ts';
import type { EndpointFigures } from './recorded.ts';

/** A shorter run says nothing of what grows. */
const SHORTEST_SECONDS = 60;

/** What grows in a run: p99 of its busiest endpoint and memory of the service; `undefined` for a short run. */
export function driftOf(endpoints: readonly EndpointFigures[], beside: Beside | undefined): Drift | undefined {
  const [busiest] = endpoints.toSorted((one, other) => other.count - one.count);
  const last = busiest?.bySecond.at(-1)?.second ?? 0;
  if (!busiest || !beside || last < SHORTEST_SECONDS) return undefined;
  const between = (from: number, to: number): number =>
    middle(busiest.bySecond.filter(({ second }) => second >= from && second < to).map(({ p99 }) => p99));
  return {
    endpoint: busiest.endpoint,
    p99FirstThird: between(0, last / 3),
    p99LastThird: between((2 * last) / 3, last),
    memoryPerMinute: Math.round(slope(beside.samples.map(({ second, rss }) => [second / 60, rss]))),
  };
}

/** Of the line with the least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread;
}
