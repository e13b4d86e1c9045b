import type { YieldAnswer, YieldProblem } from '../domain/yield-problem.ts';
import type { Fold, Folded } from '../domain/journal-fold.ts';

/** Pure work that would hold up the event loop, by name: what goes in and what comes out are plain data. */
export type Tasks = {
  foldJournal: { input: Fold; output: Folded };
  optimizeYield: { input: YieldProblem; output: YieldAnswer };
};

/** Does heavy work beside the event loop (architecture.md 3). */
export interface Computer {
  /** @throws Refusal NOT_EXECUTED when too much waits already */
  run<T extends keyof Tasks>(task: T, input: Tasks[T]['input']): Promise<Tasks[T]['output']>;
}
