/**
 * Sockets without a valid token, by address. Beyond the bound the oldest is closed, not the newest: a real client
 * sends its token at once, and one that only occupies sockets waits.
 */
export class Pending<S> {
  readonly #most: number;
  readonly #waiting = new Map<string, Set<S>>();
  size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a socket. @returns the socket to close, if any */
  add(address: string, session: S): S | undefined {
    const waiting = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, waiting);
    waiting.add(session);
    this.size += 1;
    const oldest = waiting.size > this.#most ? waiting.values().next().value : undefined;
    if (oldest !== undefined) this.drop(address, oldest);
    return oldest;
  }

  drop(address: string, session: S): void {
    const waiting = this.#waiting.get(address);
    if (waiting?.delete(session) !== true) return;
    this.size -= 1;
    if (waiting.size === 0) this.#waiting.delete(address);
  }
}
