import { Random } from '../../src/kernel/rules/random.ts';
import { type Fault, Faults } from './faults.ts';
import type { SimulationEvent } from './scenario/steps.ts';
import { VirtualTime } from './virtual-time.ts';

/** State shared by everything in one simulation. */
export class SimulatedWorld {
  readonly random: Random;
  readonly faults: Faults;
  readonly time = new VirtualTime();
  /** What happened, line by line: two runs of one seed have the same trace. */
  readonly trace: string[] = [];
  /** Gets every event of a run that is recorded. */
  watcher: ((event: SimulationEvent) => void) | undefined;
  #made = 0;

  constructor(seed: number, allowed?: readonly Fault[]) {
    this.random = new Random(seed);
    this.faults = new Faults(new Random(seed ^ 0x5bd1e995), allowed);
    this.faults.onFired = (fault, node) => {
      const where = node === undefined ? '' : `, ${node}`;
      this.see({ kind: 'fault', node, text: `${fault.replaceAll('-', ' ')}${where}` });
    };
  }

  /** Shows an event of a recorded run; the run is the same without. */
  see(event: SimulationEvent): void {
    this.watcher?.(event);
  }

  /** An id that no other call of this run has returned. */
  id(): string {
    this.#made += 1;
    return `00000000-0000-4000-b000-${this.#made.toString(16).padStart(12, '0')}`;
  }

  /** A number for confirmation numbers. */
  get made(): number {
    return this.#made;
  }

  note(line: string): void {
    this.trace.push(`${this.time.now} ${line}`);
  }
}
