import { foldJournal } from '../../history/rules/journal-fold.ts';
import { linearSolver } from '../../revenue/partners/linear-solver.ts';
import type { Tasks } from '../../revenue/ports.ts';
import { bidPricesOf } from '../../revenue/rules/bid-prices/bid-prices.ts';
import { groupDisplacement } from '../../revenue/rules/bid-prices/group-displacement.ts';
import type { SolveNights } from '../../revenue/rules/bid-prices/night-program.ts';
import { learnDemand } from '../../revenue/rules/demand-learning/learn-demand.ts';
import { forecastByEnsemble, forecastProperty } from '../../revenue/rules/forecast/property-forecast.ts';
import { GENERATIONS } from '../../revenue/rules/genetic-search.ts';
import { liveTablesOf } from '../../revenue/rules/live-rates/live-tables.ts';
import { searchYield } from '../../revenue/rules/yield-optimization.ts';
import { arrangeArrivals, findConflicts } from '../../rooms/rules/arrange-rooms.ts';
import { KnownRegressions } from './known-regressions.ts';

/** Reports the percentage done of a task. */
export type OnProgress = (percent: number) => void;

type MaybePromise<T> = T | Promise<T>;

const regressions = new KnownRegressions();

/** The tasks of worker threads. */
const WORKER_TASKS: {
  readonly [T in keyof Tasks]: (input: Tasks[T]['input'], onProgress: OnProgress) => MaybePromise<Tasks[T]['output']>;
} = {
  arrangeArrivals,
  bidPrices: async ({ nights, before }) => bidPricesOf(nights, await solverIfAny(), before),
  findConflicts,
  foldJournal,
  forecastByEnsemble: (history, onProgress) => forecastByEnsemble(history, () => onProgress(0)),
  forecastProperty: (history) => forecastProperty(history, regressions.of(history)),
  groupDisplacement: async ({ nights, block }) => groupDisplacement(nights, block, await solverIfAny()),
  learnDemand,
  liveTables: liveTablesOf,
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
): MaybePromise<Tasks[T]['output']> {
  return WORKER_TASKS[task](input, onProgress);
}

/** Without its WebAssembly file answers say that they were computed without a program. */
function solverIfAny(): Promise<SolveNights | undefined> {
  return linearSolver().catch(() => undefined);
}
