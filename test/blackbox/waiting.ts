const SLOWEST_MS = 200;

/** Lets `ms` milliseconds pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Polls until the answer is there: every 50 ms, and less often the longer it takes, since most answers are requests.
 * @throws Error `what` when it is not there in time
 */
export async function until<T>(
  what: string,
  ms: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + ms;
  let waitMs = 50;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what}: not in ${ms} ms`);
    await pause(waitMs);
    waitMs = Math.min(SLOWEST_MS, waitMs * 1.1);
  }
}
