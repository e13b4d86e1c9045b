import type { Day } from '../../kernel/rules/dates.ts';
import { mean } from '../../kernel/rules/figures.ts';

type Examples = { nights: readonly Day[]; rows: readonly Float64Array[]; targets: readonly number[] };
export type Kernel = { season: number; seasonDays: number; linear: number; memory: number; memoryDays: number; noise: number };
const YEAR = 365.25;

/** Gaussian process over nights: season, a linear part of the row, and what nights close to each other have in common. */
export function fitGaussianProcess({ nights, rows, targets }: Examples, kernel: Kernel) {
  const size = nights.length;
  const level = mean(targets as number[]);
  let spread = Math.sqrt(mean(targets.map((one) => (one - level) ** 2)));
  if (!(spread > 1e-9)) return () => level;
  const scale = scaleOf(rows);
  const scaled = rows.map((row) => scale(row));
  const matrix = new Float64Array(size * size);
  for (let one = 0; one < size; one += 1)
    for (let other = 0; other <= one; other += 1)
      matrix[one * size + other] =
        covariance(kernel, nights[one]! - nights[other]!, scaled[one]!, scaled[other]!) + (one === other ? kernel.noise : 0);
  const y = Float64Array.from(targets, (t) => (t - level) / spread);
  cholesky(matrix, size);
  const alpha = solve(matrix, y, size);
  return (row: Float64Array, night: Day): number => {
    const x = scale(row);
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum += alpha[i]! * covariance(kernel, night - nights[i]!, x, scaled[i]!);
    return level + spread * sum;
  };
}

function covariance(k: Kernel, apart: number, x: Float64Array, z: Float64Array): number {
  let dot = 0;
  for (let c = 0; c < x.length; c += 1) dot += x[c]! * z[c]!;
  const d = Math.abs(apart) % YEAR;
  const s = Math.min(d, YEAR - d) / k.seasonDays;
  return k.season * Math.exp(-0.5 * s * s) + (k.linear * dot) / x.length + k.memory * Math.exp(-Math.abs(apart) / k.memoryDays);
}

function scaleOf(rows: readonly Float64Array[]): (row: Float64Array) => Float64Array {
  const width = rows[0]!.length;
  const means = new Float64Array(width);
  const factors = new Float64Array(width);
  for (let c = 0; c < width; c += 1) {
    const values = rows.map((r) => r[c]!).filter((v) => !Number.isNaN(v));
    if (values.length < 0.95 * rows.length) continue;
    const m = mean(values);
    const sd = Math.sqrt(mean(values.map((v) => (v - m) ** 2)));
    means[c] = m;
    factors[c] = sd > 1e-9 ? 1 / sd : 0;
  }
  return (row) => Float64Array.from(means, (m, c) => (Number.isNaN(row[c]!) ? 0 : Math.max(-4, Math.min(4, (row[c]! - m) * factors[c]!))));
}

function cholesky(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i += 1)
    for (let j = 0; j <= i; j += 1) {
      let sum = a[i * n + j]!;
      for (let k = 0; k < j; k += 1) sum -= a[i * n + k]! * a[j * n + k]!;
      a[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / a[j * n + j]!;
    }
}
function solve(l: Float64Array, y: Float64Array, n: number): Float64Array {
  const v = Float64Array.from(y);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < i; k += 1) v[i]! -= l[i * n + k]! * v[k]!;
    v[i]! /= l[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < n; k += 1) v[i]! -= l[k * n + i]! * v[k]!;
    v[i]! /= l[i * n + i]!;
  }
  return v;
}
