/** Time for which the event loop was blocked during work: measured by a timer that should fire every millisecond. */
export async function stallsDuring(work: () => Promise<unknown>): Promise<{ longest: number; p99: number }> {
  const waits: number[] = [];
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    waits.push(now - before);
    before = now;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  waits.sort((a, b) => a - b);
  const at = (part: number): number => Math.round(waits[Math.floor((waits.length - 1) * part)] ?? 0);
  return { longest: at(1), p99: at(0.99) };
}
