/** Where a key stands in its window: how often it came, and when its count begins anew. */
export type Standing = { used: number; resetMs: number };

/** Counts by key how often something comes. The window of a key begins with its first and lasts a fixed time. */
export interface RequestCounter {
  /** Counts one more. @returns where the key stands with it */
  count(key: string): Promise<Standing>;
  /** Where the key stands; counts nothing. */
  standing(key: string): Promise<Standing>;
}

/** Makes a counter; counters of one name are the same one wherever counts are shared. */
export type RequestCounters = (name: string, seconds: number) => RequestCounter;
