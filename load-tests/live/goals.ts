/** A figure of the live stream, and its limit (docs/measurements/live.md#live). */
export type Goal = { what: string; value: number; unit: 'ms' | 'MB' | 'kB' | 'reads' | '%' | '' } & (
  | { atMost: number }
  | { atLeast: number }
);

const COLUMNS = { what: 62, value: 10, goal: 14 };

/** The table of a run: figure, goal, met or missed. */
export function liveGoalsText(goals: readonly Goal[]): void {
  for (const goal of goals) {
    const { what, value, unit } = goal;
    const isMet = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
    const limit = 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
    const columns = [
      what.padEnd(COLUMNS.what),
      `${Math.round(value * 10) / 10} ${unit}`.padStart(COLUMNS.value),
      limit.padStart(COLUMNS.goal),
    ];
    console.log(`  ${columns.join('  ')}  ${isMet ? 'met' : 'MISSED'}`);
  }
}
