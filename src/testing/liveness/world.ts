import { VirtualTime } from '../../../actors/simulation/virtual-time.ts';
import type { Log } from '../../kernel/ports.ts';
import { Random } from '../../kernel/rules/random.ts';
import { SimulatedThread } from './thread.ts';

/** Shared state of one liveness simulation. */
export class LivenessWorld {
  readonly time = new VirtualTime();
  readonly random: Random;
  /** Log of events: two runs of one seed have the same. */
  readonly trace: string[] = [];
  readonly violations: string[] = [];
  readonly #began: number;
  #made = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.#began = this.time.now;
  }

  /** Milliseconds since the simulation began. */
  get elapsedMs(): number {
    return this.time.now - this.#began;
  }

  /** A thread of a process with a random uptime. */
  thread(): SimulatedThread {
    return new SimulatedThread(this.time, this.random.between(0, 10_000_000) + this.random.next());
  }

  id(of: string): string {
    this.#made += 1;
    return `${of}-${this.#made}`;
  }

  note(line: string): void {
    this.trace.push(`${(this.elapsedMs / 1_000).toFixed(3)} ${line}`);
  }

  violated(what: string): void {
    this.note(`VIOLATION ${what}`);
    this.violations.push(`${(this.elapsedMs / 1_000).toFixed(1)} s: ${what}`);
  }

  log(of: string): Log {
    const say = (facts: object, text: string): void => this.note(`${of} ${text} ${JSON.stringify(facts)}`);
    return { debug: say, info: say, warn: say, error: say };
  }
}
