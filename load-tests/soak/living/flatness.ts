/** A value at a moment in minutes; values of one group, such as a process, are comparable. */
export type Point = { group: string; minute: number; value: number };

/** How much of growth over the whole run is still flat: a share of the middle value, or so much at least. */
export type Tolerance = { share: number; least: number };

export type Judged = {
  what: string;
  unit: string;
  /** The value in the middle. */
  middle: number;
  /** By the slope, over all minutes that were judged. */
  growth: number;
  allowed: number;
  points: number;
  isFlat: boolean;
};

const MAX_POINTS = 1_000;

/**
 * Whether values stay flat: the median of the slopes between all pairs of a group (Theil and Sen), which neither a
 * garbage collection nor a mishap moves, times the minutes. What falls is flat.
 */
export function judgeGrowth(
  { what, unit }: Pick<Judged, 'what' | 'unit'>,
  points: readonly Point[],
  minutes: number,
  { share, least }: Tolerance,
): Judged {
  const middle = middleOf(points.map(({ value }) => value));
  const growth = growthPerMinute(points) * minutes;
  const allowed = Math.max(share * middle, least);
  return { what, unit, middle, growth, allowed, points: points.length, isFlat: growth <= allowed };
}

/** The median slope a minute; 0 without two points of a group. */
export function growthPerMinute(points: readonly Point[]): number {
  const every = Math.ceil(points.length / MAX_POINTS);
  const groups = Map.groupBy(
    points.filter((_, n) => n % every === 0),
    ({ group }) => group,
  );
  const slopes = [...groups.values()].flatMap((all) =>
    all.flatMap((one, n) =>
      all
        .slice(n + 1)
        .filter(({ minute }) => minute > one.minute)
        .map(({ minute, value }) => (value - one.value) / (minute - one.minute)),
    ),
  );
  return middleOf(slopes);
}

/** 0 of none. */
export function middleOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
