/** Milliseconds of the calls of one operation. */
export type Percentiles = { count: number; p50: number; p95: number; p99: number; max: number };

/** Nearest-rank percentiles, in milliseconds with one decimal; all 0 without a call. */
export function percentiles(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number): number => {
    const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
    return Math.round(value * 10) / 10;
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
