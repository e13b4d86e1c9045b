import { textsOf } from './language/texts.ts';

const say = textsOf('pages');

/** What somebody has typed as an amount: the number, or why it is none. */
export type TypedAmount = { amount: number } | { problem: 'none' | 'ambiguous' | 'decimals' };

const PLAIN = /^(\d{1,8})(?:[.,](\d*))?$/;
/** Groups of three digits, and cents after the other sign; a blank or an apostrophe only ever groups. */
const GROUPED = [
  /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/,
  /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/,
  /^(\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+)(?:[.,](\d{1,2}))?$/,
];
/** One sign before three digits: a group of thousands in one country, a fraction in another. */
const AMBIGUOUS = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/;

/**
 * Reads an amount as people write it: `12.5`, `12,50`, `1.250,00`, `1,250.00`, `1 250`. What has two readings is none:
 * a wrong price is worse than one that is typed again.
 * @param decimals of the currency
 */
export function readAmount(typed: string, decimals = 2): TypedAmount {
  const text = typed.trim().replace(/^[€$£]\s*|\s*[€$£]$/gu, '');
  // No group of thousands starts with a zero: 0.001 is a fraction, and smaller than a cent.
  if (AMBIGUOUS.test(text) && !text.startsWith('0')) return { problem: 'ambiguous' };
  const found = PLAIN.exec(text) ?? GROUPED.map((pattern) => pattern.exec(text)).find((one) => one !== null);
  if (!found || found[2] === '') return { problem: 'none' };
  const [, whole = '', cents = ''] = found;
  if (cents.length > decimals && Number(cents) !== 0) return { problem: 'decimals' };
  const amount = Number(`${whole.replaceAll(/\D/g, '')}.${cents || '0'}`);
  return amount <= MAX_AMOUNT ? { amount } : { problem: 'none' };
}

/** The largest amount of the services, in units of the currency. */
const MAX_AMOUNT = 99_999_999.99;

/** @returns undefined for anything that is no amount, or could be two */
export function amountIn(text: string, decimals?: number): number | undefined {
  const read = readAmount(text, decimals);
  return 'amount' in read ? read.amount : undefined;
}

/** What is wrong with a typed amount, and how to type it. */
export function amountProblem(typed: string, read: TypedAmount, mayBeZero = false): string | undefined {
  if ('amount' in read) return read.amount > 0 || mayBeZero ? undefined : say('Type an amount above zero.');
  switch (read.problem) {
    case 'ambiguous':
      return say(
        '{typed} can be read in two ways. Type {thousands} for thousands, or two digits after the separator for cents.',
        { typed: typed.trim(), thousands: typed.replaceAll(/\D/g, '') },
      );
    case 'decimals':
      return say('This currency has no such small amounts. Type fewer digits after the separator.');
    case 'none':
      return typed.trim() === '' ? say('Type an amount.') : say('This is no amount. Type it like 12.50 or 12,50.');
  }
}

/** What is wrong with a rate that is none, or none that can be read in one way. */
export function rateProblem(typed: string, decimals?: number): string {
  return amountProblem(typed, readAmount(typed, decimals)) ?? 'Type an amount.';
}
