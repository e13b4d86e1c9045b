/**
 * Remembers what a synchronous look has found until the code that runs now is done: what is read for dozens of metrics
 * one after the other is looked up once.
 */
export function sameMoment<T>(look: () => T): () => T {
  let found: { value: T } | undefined;
  return () => {
    if (!found) {
      found = { value: look() };
      queueMicrotask(() => (found = undefined));
    }
    return found.value;
  };
}
