/** A figure of a cluster, and its limit (docs/measurements/cluster.md#cluster). */
export type Goal = { what: string; value: number; unit: string } & ({ atMost: number } | { atLeast: number });

const COLUMNS = { what: 66, value: 12, goal: 16 };

/** The table of a run: figure, goal, met or missed. */
export function clusterGoalsText(goals: readonly Goal[]): void {
  for (const goal of goals) {
    const { what, value, unit } = goal;
    const isMet = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
    const bound = 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
    const shown = `${Math.round(value * 100) / 100} ${unit}`.padStart(COLUMNS.value);
    console.log(
      `  ${what.padEnd(COLUMNS.what)}  ${shown}  ${bound.padStart(COLUMNS.goal)}  ${isMet ? 'met' : 'MISSED'}`,
    );
  }
}
