import { PerformanceObserver } from 'node:perf_hooks';

let collectedMs: number | undefined;

/**
 * Milliseconds that this process has collected garbage since the first call; `undefined` on Deno, which knows the
 * entries of Node but never writes one: a 0 there would be wrong.
 */
export function gcTime(): number | undefined {
  if (process.versions['deno'] !== undefined) return undefined;
  if (collectedMs === undefined) {
    collectedMs = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) collectedMs = (collectedMs ?? 0) + duration;
    }).observe({ entryTypes: ['gc'] });
  }
  return collectedMs;
}
