import type { Clock } from '../kernel/ports.ts';
import { NOW } from './property-world.ts';

/** Time that only its test moves. */
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

/** A promise that its test fulfils: what waits for it goes on exactly then. */
export class Gate {
  readonly opened: Promise<void>;
  open!: () => void;

  constructor() {
    this.opened = new Promise((open) => (this.open = open));
  }
}

/** Less than what tap gives a file, so that the test says what it waited for. */
const UNTIL_MS = 60_000;

/** Waits, without sleeping on a guess, until `condition` holds; what never comes fails its test. */
export async function untilTime(condition: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const end = performance.now() + UNTIL_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`${what} never came`);
    await new Promise((done) => setTimeout(done, 1));
  }
}
