import type { Random } from '../../src/kernel/rules/random.ts';

/** All faults, and the probability of each per opportunity. */
const PROBABILITIES = {
  /** The process of a node ends between any two events; what it has sent is still under way. */
  crash: 0.002,
  /** A node is paused for longer than its lease, then continues as if nothing had happened. */
  pause: 0.0008,
  /** All clocks jump ahead: holds expire, business dates roll. */
  'clock-jump': 0.0008,
  /** The clock of one node is wrong for a while, within the guard of holds. */
  'clock-skew': 0.002,
  /** A node's statement never arrives; its connection breaks. */
  'statement-lost': 0.01,
  /** The connection breaks, but the statement arrives much later. */
  'statement-late': 0.01,
  /** A statement arrives a second time, later. */
  'statement-twice': 0.02,
  /** The statement is executed; its answer is lost with the connection. */
  'reply-lost': 0.01,
  /** No connection is available. */
  'connection-refused': 0.005,
  /** The database fails over: nothing is answered for a while; nothing committed is lost. */
  'store-away': 0.0006,
  /** Reading, taking or loading fails. */
  'read-failed': 0.01,
  /** A read result arrives long after it was current. */
  'read-late': 0.1,
  /** A rate is changed in the database without the owner. */
  'foreign-rates': 0.02,
  /** A row that the database refuses. */
  'poison-row': 0.01,
  /** A client's request, or its answer, gets lost, or arrives twice. */
  'request-lost': 0.01,
  'request-twice': 0.01,
  'answer-lost': 0.01,
  /** A request reaches a node that is not the owner. */
  misrouted: 0.01,
} as const;

export type Fault = keyof typeof PROBABILITIES;
export const FAULTS = Object.keys(PROBABILITIES) as Fault[];

/** Decides by the seed which faults happen, and counts them. Those that are not `allowed` are drawn, and do not happen. */
export class Faults {
  readonly fired: Record<Fault, number>;
  readonly #random: Random;
  readonly #allowed: ReadonlySet<Fault>;
  healed = false;
  /** Called for each fault, with the node that it hits. */
  onFired: (fault: Fault, node?: string) => void = () => {};

  constructor(random: Random, allowed: readonly Fault[] = FAULTS) {
    this.#random = random;
    this.#allowed = new Set(allowed);
    this.fired = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  }

  fires(fault: Fault, node?: string): boolean {
    if (!this.#random.chance(PROBABILITIES[fault]) || this.healed || !this.#allowed.has(fault)) return false;
    this.fired[fault] += 1;
    this.onFired(fault, node);
    return true;
  }
}
