/** A figure of the live stream, and its limit (docs/measurements/live.md#live). */
export type Goal = { what: string; value: number; unit: 'ms' | 'MB' | 'reads'; atMost: number };

const COLUMNS = { what: 62, value: 10, goal: 14 };

/** The table of a run: figure, goal, met or missed. */
export function liveGoalsText(goals: readonly Goal[]): void {
  for (const { what, value, unit, atMost } of goals) {
    const columns = [
      what.padEnd(COLUMNS.what),
      `${Math.round(value * 10) / 10} ${unit}`.padStart(COLUMNS.value),
      `at most ${atMost}`.padStart(COLUMNS.goal),
    ];
    console.log(`  ${columns.join('  ')}  ${value <= atMost ? 'met' : 'MISSED'}`);
  }
}
