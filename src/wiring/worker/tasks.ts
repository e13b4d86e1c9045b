import { foldJournal } from '../../history/rules/journal-fold.ts';
import type { Tasks } from '../../revenue/ports.ts';
import { forecastByEnsemble, forecastProperty } from '../../revenue/rules/forecast/property-forecast.ts';
import { GENERATIONS } from '../../revenue/rules/genetic-search.ts';
import { searchYield } from '../../revenue/rules/yield-optimization.ts';
import { arrangeArrivals, findConflicts } from '../../rooms/rules/arrange-rooms.ts';

/** Reports the percentage done of a task. */
export type OnProgress = (percent: number) => void;

/** The tasks of worker threads. */
const WORKER_TASKS: {
  readonly [T in keyof Tasks]: (input: Tasks[T]['input'], onProgress: OnProgress) => Tasks[T]['output'];
} = {
  arrangeArrivals,
  findConflicts,
  foldJournal,
  forecastByEnsemble: (history, onProgress) => forecastByEnsemble(history, () => onProgress(0)),
  forecastProperty,
  optimizeYield: (problem, onProgress) =>
    searchYield(problem, { onProgress: (generations) => onProgress((100 * generations) / GENERATIONS) }),
};

/** An order for a worker thread, and its replies: progress, and finally the answer. */
export type Order<T extends keyof Tasks = keyof Tasks> = { task: T; input: Tasks[T]['input'] };
export type TaskDone = { output: unknown } | { error: string };
export type WorkerReply = TaskDone | { percent: number };

/** Runs one task. */
export function perform<T extends keyof Tasks>(
  { task, input }: Order<T>,
  onProgress: OnProgress = () => undefined,
): Tasks[T]['output'] {
  return WORKER_TASKS[task](input, onProgress);
}
