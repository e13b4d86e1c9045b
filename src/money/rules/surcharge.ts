import { negated } from '../../kernel/rules/money.ts';
import { bookedNightOf } from './comp.ts';
import type { Night, Surcharge } from './night.ts';
import { mergedLines, plainLines, type TaxLine } from './taxes.ts';

/** A night with the surcharge of an upgrade added to its price and to earlier surcharges. */
export function surchargedNight(night: Night, added: Surcharge): Night {
  const before = night.surcharge;
  const surcharge = before ? sumOfSurcharges(before, added) : added;
  return { ...withAmount(night, added, 1), surcharge };
}

/** A night as it was sold: without surcharges, and not complimentary. */
export function soldNight(night: Night): Night {
  return withoutSurcharge(bookedNightOf(night));
}

/** A night without surcharges; a complimentary one stays complimentary. */
export function withoutSurcharge(night: Night): Night {
  const { surcharge, ...rest } = night;
  if (surcharge) return withAmount(rest, surcharge, -1);
  if (!night.comped?.surcharge) return night;
  const { day: _day, ...comped } = withoutSurcharge(bookedNightOf(night));
  return { ...night, comped };
}

/** Price of a night in two parts: the room, and the surcharge of an upgrade if there is one. */
export function partsOfNight(night: Night): { room: Night; surcharge?: Surcharge } {
  if (!night.surcharge) return { room: night };
  const { surcharge, ...rest } = night;
  return { room: withAmount(rest, surcharge, -1), surcharge };
}

/** Taxes of a surcharge by their codes, as those of a night (`linesOfNight`). */
export function linesOfSurcharge({ taxes, taxLines }: Surcharge): TaxLine[] {
  return taxLines ?? plainLines(taxes, 0);
}

/** How bills name a night. */
export function nightDescription(roomType: string, { comped }: Night): string {
  return comped ? `Night, ${roomType}, complimentary` : `Night, ${roomType}`;
}

/** How bills name the surcharge of an upgrade. */
export const upgradeDescription = (roomType: string): string => `Upgrade to ${roomType}`;

function sumOfSurcharges(one: Surcharge, other: Surcharge): Surcharge {
  const lines = joined(one.taxLines, other.taxLines);
  return { rate: one.rate + other.rate, taxes: one.taxes + other.taxes, ...(lines && { taxLines: lines }) };
}

function withAmount(night: Night, { rate, taxes, taxLines }: Surcharge, sign: 1 | -1): Night {
  const signed = sign === 1 ? taxLines : taxLines?.map((line) => ({ ...line, amount: negated(line.amount) }));
  const lines = joined(night.taxLines, signed);
  return {
    ...night,
    rate: night.rate + sign * rate,
    taxes: night.taxes + sign * taxes,
    ...(lines && { taxLines: lines }),
  };
}

function joined(one: TaxLine[] | undefined, other: TaxLine[] | undefined): TaxLine[] | undefined {
  return one || other ? mergedLines([...(one ?? []), ...(other ?? [])]) : undefined;
}
