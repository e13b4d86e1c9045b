import type { Day } from '../../kernel/rules/dates.ts';

/** Factors are in ten-thousandths, from 1 to this: 16 bits hold them, and a plan's bounds are far below. */
export const FACTOR_UNIT = 10_000;
export const MAX_FACTOR = 32_000;

/** Most factors of a table. */
export const LIVE_FACTORS = 16;

/** Live rates of a night by rooms left (docs/concepts/forecast.md#live-rates). */
export type LiveSignal = {
  /** Rooms left of the first factor. */
  rooms: number;
  /** By how many rooms each factor follows the one before; at least 1. */
  step: number;
  /** What the price is multiplied with, by falling rooms left; one or more. */
  factors: readonly number[];
  /** The factor with which a business day began, and this day: its rates stay within its limits. */
  start: number;
  on: Day;
};

/** The factor when so many rooms are left; between two of the table it is interpolated. */
export function factorAt({ rooms, step, factors }: LiveSignal, left: number): number {
  const at = Math.min(factors.length - 1, Math.max(0, (rooms - left) / step));
  const low = Math.trunc(at);
  const factor = factors[low]!;
  return at === low ? factor : Math.round(factor + (factors[low + 1]! - factor) * (at - low));
}

/** Whether two signals, or none, are the same. */
export function isSameLive(one: LiveSignal | undefined, other: LiveSignal | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.rooms === other.rooms &&
    one.step === other.step &&
    one.start === other.start &&
    one.on === other.on &&
    one.factors.length === other.factors.length &&
    one.factors.every((factor, at) => factor === other.factors[at])
  );
}

/** Whether a table from the database can be priced by: an invalid one must not sell for NaN. */
export function isValidLive({ rooms, step, factors, start, on }: LiveSignal): boolean {
  const isFactor = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_FACTOR;
  return (
    factors.length >= 1 &&
    factors.length <= LIVE_FACTORS &&
    [...factors, start].every(isFactor) &&
    [rooms, on].every(Number.isInteger) &&
    Number.isInteger(step) &&
    step >= 1
  );
}
