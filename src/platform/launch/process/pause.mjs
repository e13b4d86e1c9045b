/**
 * Lets time pass, until a signal ends it early.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(ms, signal) {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/**
 * A signal that aborts with the first of the others, and for its reason; `AbortSignal.any` is younger than Node 20.0.
 * @param {(AbortSignal | undefined)[]} signals
 * @returns {{ signal: AbortSignal, end(): void }} end: lets go of the others
 */
export function following(...signals) {
  const one = new AbortController();
  const ends = signals.filter(Boolean).map((signal) => {
    const pass = () => one.abort(signal.reason);
    if (signal.aborted) pass();
    signal.addEventListener('abort', pass, { once: true });
    return () => signal.removeEventListener('abort', pass);
  });
  return { signal: one.signal, end: () => ends.forEach((end) => end()) };
}
