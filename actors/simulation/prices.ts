import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';

/** Of a night that nobody has priced yet. */
export const NO_RATE = -1;

/** One cell of a property, as its rate stood in the database. */
export type Priced = { property: string; roomType: string; day: Day; rate: Minor };

/** A rate that the database held, from its commit to that of the next one; who ended it. */
type Span = { rate: Minor; from: number; to: number; endedBy: 'owner' | 'stranger' | undefined };

/** An owner shows what it committed when the answer has come; until then a read shows what was before. */
const ANSWER_MS = 8_000;

const keyOf = ({ property, roomType, day }: Priced): string => `${property} ${roomType} ${day}`;

/** What every night cost in the database, and when: written down beside it, to hold against what clients saw. */
export class Prices {
  readonly #cells = new Map<string, Span[]>();

  set(priced: Priced, at: number, by: 'owner' | 'stranger'): void {
    const key = keyOf(priced);
    const spans = this.#cells.get(key) ?? [{ rate: NO_RATE, from: -Infinity, to: Infinity, endedBy: undefined }];
    this.#cells.set(key, spans);
    const last = spans.at(-1);
    if (last) Object.assign(last, { to: at, endedBy: by });
    spans.push({ rate: priced.rate, from: at, to: Infinity, endedBy: undefined });
  }

  /**
   * Whether a price may be shown to a call that began at `invokedAt`: it was true less than `trustMs` before, or
   * later.
   */
  isTrue(
    priced: Priced,
    { invokedAt, returnedAt }: { invokedAt: number; returnedAt: number },
    trustMs: number,
  ): boolean {
    return (this.#cells.get(keyOf(priced)) ?? []).some(({ rate, from, to, endedBy }) => {
      const until = endedBy === 'owner' ? to + ANSWER_MS : to;
      return rate === priced.rate && from <= returnedAt && until >= invokedAt - trustMs;
    });
  }

  /** Whether a reload that was committed at `at` may contain a price: nothing that the owner set before is undone. */
  mayBeQuoted(priced: Priced, at: number): boolean {
    return (this.#cells.get(keyOf(priced)) ?? []).some(
      ({ rate, to, endedBy }) => rate === priced.rate && (endedBy === 'owner' ? to >= at : to >= at - ANSWER_MS),
    );
  }
}
