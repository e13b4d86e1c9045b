import { foldJournal } from '../domain/journal-fold.ts';
import { optimizeYield } from '../domain/yield-optimization.ts';
import type { Tasks } from '../ports/computer.ts';

/** Every heavy work that a worker thread knows. */
export const TASKS: { readonly [T in keyof Tasks]: (input: Tasks[T]['input']) => Tasks[T]['output'] } = {
  foldJournal,
  optimizeYield: (problem) => optimizeYield(problem),
};

/** A task on its way to a worker thread, and its answer on the way back. */
export type Order<T extends keyof Tasks = keyof Tasks> = { task: T; input: Tasks[T]['input'] };
export type Done = { output: unknown } | { error: string };

/** Does one task. */
export function perform<T extends keyof Tasks>({ task, input }: Order<T>): Tasks[T]['output'] {
  return TASKS[task](input);
}
