import { fitPower, type PowerFit } from './fit.ts';

export const AXES = ['properties', 'clients', 'sockets', 'reservations'] as const;
export type Axis = (typeof AXES)[number];

/** What a cost may do as its axis grows. */
export type Wanted = 'constant' | 'may grow';

/** A cost at some sizes of an axis; `n` is the size, `value` the median of the rounds. */
export type Curve = {
  axis: Axis;
  what: string;
  unit: 'us' | 'ms' | 'ms of CPU a second' | 'ms of CPU' | 'MB';
  wanted: Wanted;
  points: { n: number; value: number }[];
  fit: PowerFit | null;
  verdict: Verdict;
};

export type Verdict = 'constant' | 'grows' | 'falls' | 'not certain' | 'not measurable';

/** An exponent this small doubles a cost over five powers of ten: a difference that rounds of one run have, too. */
const FLAT = 0.06;

/** An interval within this on both sides of 0 excludes that a cost doubles in less than two powers of ten. */
const NARROW = 0.15;

/** Curves of one axis, put together point by point. */
export class Curves {
  readonly #axis: Axis;
  readonly #points = new Map<string, Pick<Curve, 'what' | 'unit' | 'wanted' | 'points'>>();

  constructor(axis: Axis) {
    this.#axis = axis;
  }

  add(n: number, what: string, unit: Curve['unit'], value: number, wanted: Wanted = 'constant'): void {
    const curve = this.#points.get(what) ?? { what, unit, wanted, points: [] };
    curve.points.push({ n, value: Math.round(value * 1_000) / 1_000 });
    this.#points.set(what, curve);
  }

  fitted(): Curve[] {
    return [...this.#points.values()].map((curve) => {
      // A cost below the resolution of the clock at one size says nothing of how it grows to the others.
      const isMeasured = curve.points.every(({ value }) => value > 0);
      const fit = (isMeasured && fitPower(curve.points.map(({ n, value }) => [n, value] as const))) || null;
      return { axis: this.#axis, ...curve, fit, verdict: verdictOf(fit) };
    });
  }
}

/**
 * What an exponent says: one whose whole interval lies above 0, and that is large enough to matter, grows; one whose
 * interval allows neither growth nor fall that would matter is constant. All others are not certain.
 */
export function verdictOf(fit: PowerFit | null): Verdict {
  if (fit === null) return 'not measurable';
  const { exponent, low, high } = fit;
  if (low > 0 && exponent > FLAT) return 'grows';
  if (high < 0 && exponent < -FLAT) return 'falls';
  return low > -NARROW && high < NARROW ? 'constant' : 'not certain';
}
