import { decimalText, type Minor } from '../rules/money.ts';
import type { Unit } from '../rules/unit.ts';

/** Raw JSON text (ECMAScript, JSON.parse source text access); missing in TypeScript's libraries. */
declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

/** An amount as clients have it: a decimal with two places. No {@link Minor}, which has a hundred times as many. */
export type WireAmount = Unit<number, 'decimal'>;

/** A value that `JSON.stringify` writes as its original text. */
export type RawJson = { readonly rawJSON: string };

/** An amount on the wire (docs/reference/api.md#money): a JSON number with exactly two decimals, `199.00`. */
export function wireMoney(amount: Minor): RawJson {
  if (!Number.isSafeInteger(amount)) throw new Error(`not an amount in minor units: ${amount}`);
  return JSON.rawJSON(decimalText(amount));
}

/** The same for an optional amount, `null` on the wire. */
export function wireMoneyOrNull(amount: Minor | undefined | null): RawJson | null {
  return amount === undefined || amount === null ? null : wireMoney(amount);
}
