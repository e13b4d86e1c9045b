import { decimalText, type Minor, toMinor } from '../../src/kernel/rules/money.ts';

const SAVED = 20;

/** Compared amounts, and the differences between them. */
export class Findings {
  compared = 0;
  /** Sum of the absolute differences in cents. */
  cents: Minor = 0;
  count = 0;
  readonly first: string[] = [];

  /** @param shown a decimal as the service writes it; anything else differs by all of `own` */
  amount(what: string, shown: unknown, own: Minor): void {
    this.compared += 1;
    const minor = typeof shown === 'number' ? toMinor(shown) : undefined;
    if (minor === own) return;
    this.cents += minor === undefined ? Math.max(1, Math.abs(own)) : Math.abs(minor - own);
    this.found(`${what}: ${String(shown)}, own account ${decimalText(own)}`);
  }

  /** Compares other values, such as a status. */
  same(what: string, shown: unknown, own: unknown): void {
    if (shown !== own) this.found(`${what}: ${String(shown)}, own account ${String(own)}`);
  }

  found(line: string): void {
    this.count += 1;
    if (this.first.length < SAVED) this.first.push(line);
  }
}

/** Minor units of a decimal of an answer; NaN without one, which then differs from everything. */
export function centsOf(decimal: number): Minor {
  return toMinor(decimal) ?? NaN;
}
