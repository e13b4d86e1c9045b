import { sum } from '../../kernel/rules/figures.ts';
import { type Minor, negated } from '../../kernel/rules/money.ts';
import { type FolioCharge, isPenaltyCharge } from './folio.ts';
import type { Night } from './night.ts';
import type { PenaltyParts } from './penalty.ts';
import { linesOfNight, shareOfTaxes } from './taxes.ts';

/** Groups of revenue that may have taxes. */
export const TAXED_GROUPS = ['ROOM', 'FEE', 'EXTRA', 'PENALTY'] as const;
type TaxedGroup = (typeof TAXED_GROUPS)[number];

/**
 * Revenue of a group with one of its taxes: `net` is without taxes, and 0 where the tax is an amount by night, person or
 * stay. An amount with two taxes counts in the `net` of both.
 */
export type TaxedRevenue = { group: TaxedGroup; code: string; net: Minor; tax: Minor };

/** Revenue and fees of a night by tax. */
export function taxedNightRevenue(night: Night): TaxedRevenue[] {
  return linesOfNight(night).map(({ code, amount, fee }) =>
    fee ? { group: 'FEE', code, net: 0, tax: amount } : { group: 'ROOM', code, net: night.rate, tax: amount },
  );
}

/** Revenue of a charge beside the nights by tax; its amount includes all of them. */
export function taxedChargeRevenue(charge: FolioCharge): TaxedRevenue[] {
  const { amount, taxLines = [] } = charge;
  const net = amount - sum(taxLines, (line) => line.amount);
  const group = isPenaltyCharge(charge) ? 'PENALTY' : 'EXTRA';
  return taxLines.map((line) => ({ group, code: line.code, net, tax: line.amount }));
}

/** Revenue of a penalty by tax: it has the taxes of its nights. */
export function taxedPenaltyRevenue(
  { revenue: net, taxes }: PenaltyParts,
  nights: readonly Night[],
  currency: string,
): TaxedRevenue[] {
  return shareOfTaxes(taxes, nights, currency).map(({ code, amount }) => ({
    group: 'PENALTY',
    code,
    net,
    tax: amount,
  }));
}

/** Merged entries, one for each group and code, in this order, without those of 0. */
export function taxedTogether(all: readonly TaxedRevenue[]): TaxedRevenue[] {
  const merged = new Map<string, TaxedRevenue>();
  for (const one of all) {
    const key = `${TAXED_GROUPS.indexOf(one.group)} ${one.code}`;
    const { net = 0, tax = 0 } = merged.get(key) ?? {};
    merged.set(key, { ...one, net: net + one.net, tax: tax + one.tax });
  }
  return [...merged]
    .filter(([, { net, tax }]) => net !== 0 || tax !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
}

/** Entries with the opposite sign: earnings as what is taken back. */
export function taxedBack(all: readonly TaxedRevenue[]): TaxedRevenue[] {
  return all.map((one) => ({ ...one, net: negated(one.net), tax: negated(one.tax) }));
}
