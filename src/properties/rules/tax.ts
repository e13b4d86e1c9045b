import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { FeePolicy } from './property.ts';

/** How a tax is computed: in percent of a price, or as an amount per night, person and night, or stay. */
export const TAX_KINDS = ['PERCENT', 'PER_NIGHT', 'PER_PERSON_NIGHT', 'PER_STAY'] as const;
type TaxKind = (typeof TAX_KINDS)[number];

/** Tax bases. Extras have no nights, so only percentages apply to them. */
export const TAX_BASES = ['ROOM', 'EXTRA', 'ALL'] as const;
type TaxBase = (typeof TAX_BASES)[number];

/** A tax or fee of a property (docs/reference/set-up.md#taxes). */
export type Tax = {
  /** Code on bills; the same code may be defined again for other dates. */
  code: string;
  name: string;
  kind: TaxKind;
  /** Percent with at most two decimals, or minor units. */
  value: number;
  /** Included in the price; only for percentages. */
  included: boolean;
  on: TaxBase;
  /** Children below this age are exempt. */
  minAge?: number;
  /** Applies only to the first nights of a stay. */
  maxNights?: number;
  /** First and last business date on which it applies. */
  from?: Day;
  to?: Day;
};

/** A tax as stored with bookings, holds and quotes: its name is looked up for display. */
export type TaxRule = Omit<Tax, 'name'>;

/**
 * Codes of the taxes from the policies `taxPercent`, `feePerNight` and `feePerPersonNight`; no other tax may have them.
 */
export const POLICY_TAX = 'TAX';
export const POLICY_FEE = 'FEES';

const POLICY_NAMES: Record<string, string> = { [POLICY_TAX]: 'Taxes', [POLICY_FEE]: 'Fees' };

/**
 * Policies that guests pay as amounts, and how often a night owes each; a missing one does not compile. A night that was booked by
 * the policies alone keeps its fees wherever a change puts it. So what is owed once a stay is excluded here by name, and
 * joins the taxes of the property, which a booking keeps (docs/concepts/money.md#taxes-and-fees).
 */
const NIGHT_FEES = {
  feePerNight: 'PER_NIGHT',
  feePerPersonNight: 'PER_PERSON_NIGHT',
} as const satisfies Record<FeePolicy, 'PER_NIGHT' | 'PER_PERSON_NIGHT'>;
type NightFee = keyof typeof NIGHT_FEES;
const FEE_NAMES = Object.keys(NIGHT_FEES) as NightFee[];

/** Policies that are read as taxes. */
export type TaxPolicies = { taxPercent: number } & Record<NightFee, Minor>;

/** What the policies take of a night of so many persons. */
export function policyFee(policies: TaxPolicies, persons: number): Minor {
  let fee = 0;
  for (const name of FEE_NAMES) fee += policies[name] * (NIGHT_FEES[name] === 'PER_NIGHT' ? 1 : persons);
  return fee;
}

/** The same policies as taxes, without those of 0. */
export function policyTaxes(policies: TaxPolicies): Tax[] {
  const tax = (code: string, kind: TaxKind, value: number): Tax => {
    return { code, name: POLICY_NAMES[code]!, kind, value, included: false, on: 'ROOM' };
  };
  return [
    tax(POLICY_TAX, 'PERCENT', policies.taxPercent),
    ...FEE_NAMES.map((name) => tax(POLICY_FEE, NIGHT_FEES[name], policies[name])),
  ].filter(({ value }) => value > 0);
}

/** Whether a tax applies on a business date. */
export function holdsOn({ from = -Infinity, to = Infinity }: Pick<Tax, 'from' | 'to'>, day: Day): boolean {
  return day >= from && day <= to;
}

/** Current name of a tax by its code; `undefined` for a removed tax. */
export function taxName(code: string, taxes: readonly Tax[]): string | undefined {
  return taxes.findLast((tax) => tax.code === code)?.name ?? POLICY_NAMES[code];
}

/** An inconsistency of a tax: member and reason. */
type TaxFault = { field: keyof Tax; code: string; detail: string };

/** Members that contradict each other; ranges of single members are checked by the schema. */
export function taxFaults({ code, kind, included, on, minAge, maxNights, from, to }: TaxRule): TaxFault[] {
  const faults: TaxFault[] = [];
  const blame = (field: keyof Tax, fault: string, detail: string): number =>
    faults.push({ field, code: fault, detail });
  if (code in POLICY_NAMES) blame('code', 'RESERVED', 'is the code of a policy of its own');
  if (included && kind !== 'PERCENT') blame('included', 'EXCLUDED', 'is possible of a PERCENT only');
  if (on === 'EXTRA' && kind !== 'PERCENT') blame('on', 'EXCLUDED', 'of an extra only a PERCENT is taken');
  if (minAge !== undefined && kind !== 'PER_PERSON_NIGHT')
    blame('minAge', 'EXCLUDED', 'belongs to a PER_PERSON_NIGHT');
  if (maxNights !== undefined && (kind === 'PER_STAY' || on === 'EXTRA'))
    blame('maxNights', 'EXCLUDED', 'belongs to what is taken of nights');
  if (from !== undefined && to !== undefined && to < from) blame('to', 'REVERSED', 'is before from');
  return faults;
}

/** First tax with the code of an earlier one for an overlapping date; `undefined` when there is none. */
export function firstOverlap(taxes: readonly TaxRule[]): { index: number; isWhole: boolean } | undefined {
  for (const [index, tax] of taxes.entries()) {
    const other = taxes.slice(0, index).find((one) => one.code === tax.code && overlaps(one, tax));
    if (other) return { index, isWhole: other.from === tax.from && other.to === tax.to };
  }
  return undefined;
}

function overlaps(one: TaxRule, other: TaxRule): boolean {
  return (one.from ?? -Infinity) <= (other.to ?? Infinity) && (other.from ?? -Infinity) <= (one.to ?? Infinity);
}
