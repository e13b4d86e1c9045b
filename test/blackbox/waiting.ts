/** Lets `ms` milliseconds pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Polls every 50 ms until the answer is there.
 * @throws Error `what` when it is not there in time
 */
export async function until<T>(
  what: string,
  ms: number,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what}: not in ${ms} ms`);
    await pause(50);
  }
}
