import { randomBytes } from 'node:crypto';

import type { SignedText } from '../../kernel/operations/signed-text.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { VerifiedQuote } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { TAX_KINDS, type TaxRule } from '../../properties/rules/tax.ts';
import { chargesDuring, type QuotedCharges } from '../rules/night-charges.ts';
import type { PriceBasis } from '../rules/price-basis.ts';
import type { QuotedRate } from '../rules/queries.ts';
import { type Stay, stayKey } from '../rules/stay.ts';
import { basisIn, basisText } from './quote-basis.ts';

/** Validity of a promised price (docs/reference/rates.md#quote). */
export const QUOTE_LIFE_MS = 15 * 60_000;

/**
 * Purpose of tokens that promise taxes of the property: an earlier release without such taxes rejects them instead of
 * selling at another price.
 */
const WITH_TAXES = 'quote-with-taxes';

/** Unique over all processes and restarts; not a secret, since the token is signed. */
const run = randomBytes(9).toString('base64url');
let quotes = 0;

type Occupancy = Parameters<typeof stayKey>[0];

/**
 * Makes the tokens of one answer: each promises the price of one room type, and is bound to everything it depends on.
 */
export class QuoteTokens {
  readonly #signed: SignedText;
  readonly #stay: string;
  /** Common prefix of the ids of its quotes. */
  readonly id: string;
  readonly #until: string;
  readonly #charges: string;
  readonly #taxes: string;
  #made = 0;

  constructor(signed: SignedText, to: Address, stay: Occupancy, now: Instant, charges: QuotedCharges) {
    this.#signed = signed;
    this.#charges = chargesText(charges);
    this.#taxes = charges.taxes ? taxesText(chargesDuring(charges, stay).taxes) : '';
    this.#stay = stayText(to, stay);
    this.id = `${run}-${(quotes++).toString(36)}`;
    this.#until = String(now + QUOTE_LIFE_MS);
  }

  /** Token of a rate: quote id, expiry, price of each night and what they follow from, promotion. */
  of({ nightly, rateCode, roomType, promoCode, basis }: QuotedRate): string {
    const promotion = promoCode === undefined ? '' : `~${promoCode}`;
    const prices = pricesText(nightly, basis && basisText(basis, roomType));
    const payload = `${this.id}-${this.#made++}${this.#charges}~${this.#until}~${prices}${promotion}`;
    const bound = this.#stay + planText(rateCode, roomType);
    if (this.#taxes === '') return this.#signed.sign('quote', payload, bound);
    return this.#signed.sign(WITH_TAXES, `${this.#taxes}~${payload}`, bound);
  }
}

/**
 * Verifies that a token was issued by this service for exactly this stay, and returns its promise. The actor checks the
 * expiry, so that a repeat under a key still gets its idempotency record.
 * @throws DomainError QUOTE_EXPIRED for another stay or a changed text
 */
export function verifyQuote(signed: SignedText, token: string, to: Address, stay: Stay): VerifiedQuote {
  const bound = stayText(to, stay) + planText(stay.rateCode, stay.roomType);
  const taxed = signed.open(WITH_TAXES, token, bound);
  const payload = taxed?.slice(taxed.indexOf('~') + 1) ?? signed.open('quote', token, bound);
  if (payload === undefined)
    throw new DomainError('QUOTE_EXPIRED', 'The quote token is not one of ours, or is for another stay.');
  const taxes = taxed === undefined ? undefined : taxesIn(taxed.slice(0, taxed.indexOf('~')));
  const [quoteId, expiresAt, prices, promoCode] = payload.split('~') as [string, string, string, string?];
  const charges = chargesIn(quoteId);
  const [nightly, basis] = pricesIn(prices, stay);
  return {
    quoteId,
    expiresAt: Number(expiresAt),
    nightly,
    promoCode,
    ...(charges && { charges: { ...charges, ...(taxes && { taxes }) } }),
    ...(basis && { basis }),
  };
}

/**
 * Prices of the nights, and after them what they follow from: an earlier release reads as many prices as the stay has
 * nights, and nothing of what comes after them.
 */
function pricesText(nightly: readonly Minor[], basis = ''): string {
  return basis === '' ? nightly.join('_') : `${nightly.join('_')}_${basis}`;
}

function pricesIn(text: string, stay: Stay): [nightly: Minor[], basis: PriceBasis | undefined] {
  const end = text.search(/_[a-z]/);
  if (end < 0) return [numbersIn(text), undefined];
  return [numbersIn(text.slice(0, end)), basisIn(text.slice(end + 1), stay)];
}

/** Fees in the order of a token; a new one comes last. One that is missing here does not compile. */
const FEES = { feePerNight: true, feePerPersonNight: true } satisfies Record<
  keyof Omit<QuotedCharges, 'currency' | 'taxPercent' | 'taxes'>,
  true
>;
const FEE_NAMES = Object.keys(FEES) as (keyof typeof FEES)[];

/**
 * Currency, tax and fees. They end the id of the quote: an earlier release, which may run beside this one, treats them
 * as part of it.
 */
function chargesText(charges: QuotedCharges): string {
  let text = chargesTexts.get(charges);
  if (text === undefined) {
    const { currency, taxPercent } = charges;
    const fees = FEE_NAMES.map((name) => charges[name]);
    text = `-${currency}-${String(taxPercent).replace('.', POINT)}-${fees.join('_')}`;
    chargesTexts.set(charges, text);
  }
  return text;
}

/** All quotes of one state of a property have the same charges. */
const chargesTexts = new WeakMap<QuotedCharges, string>();

/** Decimal point: a dot would end the payload of a token. */
const POINT = 'p';

function chargesIn(quoteId: string): QuotedCharges | undefined {
  const [currency = '', tax = '', fees = ''] = quoteId.split('-').slice(-3);
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  const amounts = numbersIn(fees);
  const charges = Object.fromEntries(FEE_NAMES.map((name, index) => [name, amounts[index] ?? 0]));
  return { currency, taxPercent: Number(tax.replace(POINT, '.')), ...(charges as Record<keyof typeof FEES, Minor>) };
}

/** Code, kind, value, whether it is included in the price, then its limits. */
type PackedTax = [string, number, number, number, ...(number | null)[]];

/** Taxes in characters that a token may have; empty without any. */
function taxesText(taxes: readonly TaxRule[] = []): string {
  if (taxes.length === 0) return '';
  const packed = taxes.map(({ code, kind, value, included, minAge, maxNights, from, to }): PackedTax => [
    code,
    TAX_KINDS.indexOf(kind),
    value,
    Number(included),
    ...[minAge, maxNights, from, to].map((limit) => limit ?? null),
  ]);
  return Buffer.from(JSON.stringify(packed)).toString('base64url');
}

function taxesIn(text: string): TaxRule[] {
  const packed = JSON.parse(Buffer.from(text, 'base64url').toString()) as PackedTax[];
  return packed.map(([code, kind, value, included, ...limits]) => {
    const [minAge, maxNights, from, to] = limits.map((limit) => limit ?? undefined);
    const rule = { code, kind: TAX_KINDS[kind]!, value, included: included === 1, on: 'ROOM' as const };
    return { ...rule, ...definedMembers({ minAge, maxNights, from, to }) };
  });
}

function numbersIn(text: string): number[] {
  return text.split('_').map(Number);
}

/** Ids and numbers have no spaces, so the text is unambiguous. */
function stayText({ tenantId, propertyId }: Address, stay: Occupancy): string {
  return `${tenantId} ${propertyId} ${stayKey(stay)} `;
}

/** Codes are free text: the length of the first one gives the start of the second. */
function planText(rateCode: string, roomType: string): string {
  return `${rateCode.length} ${rateCode} ${roomType}`;
}
