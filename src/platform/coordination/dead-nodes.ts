import type { Clock, Log } from '../../kernel/ports.ts';
import type { Death } from './lease-rows.ts';
import type { Member, TakeOver } from './ports.ts';

/** How long a node that was suspected but lives is not suspected again, in milliseconds. */
const SUSPECT_AGAIN_MS = 250;
/** Remembered take-overs, for the operations view. */
const TAKE_OVERS = 20;

/** Dead incarnations of nodes, and suspected ones. */
export class DeadNodes {
  readonly #options: { self: Member; clock: Clock; log: Log };
  readonly #dead = new Set<string>();
  readonly #suspected = new Set<string>();
  /** Until when, by `performance.now()`, cleared suspects are not checked again. */
  readonly #cleared = new Map<string, number>();
  readonly #takeOvers: (TakeOver & { why: Death })[] = [];
  #count = 0;

  constructor(options: { self: Member; clock: Clock; log: Log }) {
    this.#options = options;
  }

  /** Count of dead nodes since the start, and the newest of them. */
  get figures(): { deaths: number; takeOvers: (TakeOver & { why: Death })[] } {
    return { deaths: this.#count, takeOvers: [...this.#takeOvers] };
  }

  has(incarnation: string): boolean {
    return this.#dead.has(incarnation);
  }

  /** A node without a lease is dead, and one that has it again is alive. */
  judge(judged: readonly Member[], alive: ReadonlySet<string>): void {
    for (const incarnation of this.#dead) if (alive.has(incarnation)) this.#dead.delete(incarnation);
    for (const member of judged) if (!alive.has(member.incarnation)) this.note(member, 'its lease is gone');
  }

  /** Forgets nodes that are listed nowhere. */
  sweep(named: ReadonlySet<string>): void {
    for (const incarnation of this.#dead) if (!named.has(incarnation)) this.#dead.delete(incarnation);
    for (const [incarnation, until] of this.#cleared)
      if (until < performance.now()) this.#cleared.delete(incarnation);
  }

  note({ nodeId, incarnation }: Member, why: Death): void {
    if (this.#dead.has(incarnation)) return;
    this.#dead.add(incarnation);
    const { self, clock, log } = this.#options;
    if (nodeId === self.nodeId) return;
    log.warn({ node: nodeId, why }, 'node is dead, its properties go to others');
    this.#count += 1;
    this.#takeOvers.unshift({ nodeId, at: clock.now(), why });
    this.#takeOvers.splice(TAKE_OVERS);
  }

  /** Has a suspicion checked, unless a check is under way or recent. */
  suspect({ nodeId, incarnation }: Member, examine: () => Promise<void>): void {
    if (nodeId === this.#options.self.nodeId || this.#dead.has(incarnation) || this.#suspected.has(incarnation))
      return;
    if (performance.now() < (this.#cleared.get(incarnation) ?? 0)) return;
    this.#suspected.add(incarnation);
    void examine().finally(() => {
      this.#suspected.delete(incarnation);
      this.#cleared.set(incarnation, performance.now() + SUSPECT_AGAIN_MS);
    });
  }
}
