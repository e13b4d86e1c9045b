/** Asks again and again until the answer is truthy; undefined when the time ran out. */
export declare function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  withinMs: number,
  everyMs?: number,
): Promise<T | undefined>;
