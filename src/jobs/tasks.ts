import { foldJournal } from '../domain/journal-fold.ts';
import type { Tasks } from '../ports/computer.ts';

/** Every heavy work that a worker thread knows. */
export const TASKS: { readonly [T in keyof Tasks]: (input: Tasks[T]['input']) => Tasks[T]['output'] } = {
  foldJournal,
};

/** A task on its way to a worker thread, and its answer on the way back. */
export type Order = { [T in keyof Tasks]: { task: T; input: Tasks[T]['input'] } }[keyof Tasks];
export type Done = { output: unknown } | { error: string };
