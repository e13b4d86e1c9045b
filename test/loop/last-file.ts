/** What files of one process share ends after the last of them; undefined in the process of a single file. */
let ends: (() => Promise<void>)[] | undefined;

/** Says that this process plays several files (test/loop/together-worker.ts). */
export function beginSeveral(): void {
  ends = [];
}

/** @returns whether `end` will be called after the last file; otherwise the file has to */
export function afterLastFile(end: () => Promise<void>): boolean {
  ends?.push(end);
  return ends !== undefined;
}

/** Ends what files have shared. */
export async function endShared(): Promise<void> {
  for (const end of ends?.splice(0) ?? []) await end();
}
