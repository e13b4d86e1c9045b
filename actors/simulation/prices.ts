import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';

/** Price of a night without a rate. */
export const NO_RATE = -1;

/** One cell of a property with its rate in the database. */
export type Priced = { property: string; roomType: string; day: Day; rate: Minor };

/** A rate that the database held, from its commit until that of the next one, and who replaced it. */
type Span = { rate: Minor; from: number; to: number; endedBy: 'owner' | 'stranger' | undefined };

/** An owner shows a commit once it has the answer; until then reads show the state before. */
const ANSWER_MS = 8_000;

const keyOf = ({ property, roomType, day }: Priced): string => `${property} ${roomType} ${day}`;

/** Prices of every night in the database over time, for comparison with what clients saw. */
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
   * Whether a price may be shown to a call that began at `invokedAt`: it was current less than `trustMs` before, or
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

  /**
   * Whether a reload committed at `at` may contain a price: it must not undo what the owner set before. Rows may be read
   * long before, while a clock jumps or a node stands still, so strangers may have changed them again: the next check
   * finds that, and `isTrue` holds for what is shown meanwhile.
   */
  mayBeQuoted(priced: Priced, at: number): boolean {
    const spans = this.#cells.get(keyOf(priced)) ?? [];
    const setByOwner = spans.findLastIndex(({ from }, n) => from < at && spans[n - 1]?.endedBy === 'owner');
    return spans.some(({ rate, from }, n) => n >= setByOwner && from <= at && rate === priced.rate);
  }
}
