import { decimalText, type Minor } from '../rules/money.ts';

/** JSON text that stands for itself (ECMAScript, JSON.parse source text access); absent from TypeScript's libraries. */
declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

/** A value that `JSON.stringify` writes as the text it was made of. */
export type RawJson = { readonly rawJSON: string };

/** An amount on the wire (docs/reference/api.md#money): a JSON number with exactly two decimals, `199.00`. */
export function wireMoney(amount: Minor): RawJson {
  if (!Number.isSafeInteger(amount)) throw new Error(`not an amount in minor units: ${amount}`);
  return JSON.rawJSON(decimalText(amount));
}

/** The same for an amount that may be absent, `null` on the wire. */
export function wireMoneyOrNull(amount: Minor | undefined | null): RawJson | null {
  return amount === undefined || amount === null ? null : wireMoney(amount);
}
