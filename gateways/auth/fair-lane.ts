import { DomainError } from '../../src/kernel/rules/domain-error.ts';

export type LaneBounds = {
  /** Slots per second, over all keys. */
  perSecond: number;
  /** Waiting callers per key; a further one is refused. */
  perKey: number;
  /** Waiting keys, for preferred and other keys each. */
  keys: number;
};

type Waiter = () => void;

const BEAT_MS = 10;
const RETRY_AFTER_SECONDS = 1;

/**
 * Admits callers at a fixed pace, round-robin by key: frequent requests of one key wait behind each other, not before
 * others. Preferred keys have a queue of their own with every second slot.
 */
export class FairLane {
  readonly #bounds: LaneBounds;
  readonly #queues = { preferred: new Map<string, Waiter[]>(), others: new Map<string, Waiter[]>() };
  #beat: ReturnType<typeof setInterval> | undefined;
  #due = 0;
  #isPreferredNext = true;

  constructor(bounds: LaneBounds) {
    this.#bounds = bounds;
  }

  /** Waits for a slot. @throws DomainError QUOTA_EXCEEDED when too many wait already */
  enter(key: string, isPreferred: boolean): Promise<void> {
    const queue = isPreferred ? this.#queues.preferred : this.#queues.others;
    const waiting = queue.get(key);
    const isFull = waiting ? waiting.length >= this.#bounds.perKey : queue.size >= this.#bounds.keys;
    if (isFull) return Promise.reject(tooMany());
    const { promise, resolve } = Promise.withResolvers<void>();
    if (waiting) waiting.push(resolve);
    else queue.set(key, [resolve]);
    this.#beat ??= setInterval(() => this.#serve(), BEAT_MS);
    return promise;
  }

  #serve(): void {
    this.#due += (this.#bounds.perSecond * BEAT_MS) / 1000;
    for (; this.#due >= 1; this.#due -= 1) {
      const { preferred, others } = this.#queues;
      const [first, second] = this.#isPreferredNext ? [preferred, others] : [others, preferred];
      this.#isPreferredNext = !this.#isPreferredNext;
      if (next(first) || next(second)) continue;
      clearInterval(this.#beat);
      this.#beat = undefined;
      this.#due = 0;
      return;
    }
  }
}

/** Gives the first key one slot and moves it behind the others. */
function next(queue: Map<string, Waiter[]>): boolean {
  for (const [key, [slot, ...rest]] of queue) {
    queue.delete(key);
    if (rest.length > 0) queue.set(key, rest);
    slot?.();
    return true;
  }
  return false;
}

function tooMany(): DomainError {
  const detail = 'Too many unknown tokens come from this address at the moment.';
  return new DomainError('QUOTA_EXCEEDED', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
