import type { Clock } from '../kernel/ports.ts';
import { NOW } from './property-world.ts';

/** Time that only the test moves. */
export class FakeClock implements Clock {
  #now: number;

  constructor(now = NOW) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A promise that the test resolves. */
export class Gate {
  readonly opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.opened = new Promise((open) => (this.open = open));
  }
}

/** Less than tap's limit of a file, so that the test reports what it waited for. */
const UNTIL_MS = 60_000;
/** Conditions read databases and pages: looking each millisecond took more than what they waited for. */
const SLOWEST_POLL_MS = 20;

/** Polls until `condition` holds; fails the test after a time limit. */
export async function untilTime(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const end = performance.now() + UNTIL_MS;
  let waitMs = 1;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what} never came`);
    await new Promise((done) => setTimeout(done, waitMs));
    waitMs = Math.min(SLOWEST_POLL_MS, waitMs * 1.5);
  }
}
