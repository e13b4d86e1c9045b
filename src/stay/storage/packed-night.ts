import type { Night, Surcharge } from '../../money/rules/night.ts';
import type { TaxLine } from '../../money/rules/taxes.ts';

/**
 * A night as `reservations.details` stores it: day, rate, taxes, fees; where it has any, tax lines, the price of a
 * complimentary night before, and the surcharge of an upgrade. A booking has several nights, and member names would
 * double their size. An earlier release reads the first four.
 */
export type PackedNight = [
  day: number,
  rate: number,
  taxes: number,
  fees: number,
  lines?: PackedLine[] | null,
  comped?: PackedNight | null,
  surcharge?: [rate: number, taxes: number, lines?: PackedLine[]],
];

/** Code, amount, and the kind when it is other than a tax on top. */
type PackedLine = [string, number, number?];

const INCLUDED = 1;
const FEE = 2;

export function packNight({ day, rate, taxes, fees, taxLines, comped, surcharge }: Night): PackedNight {
  const lines = taxLines?.map(packLine);
  const price = [day, rate, taxes, fees] as const;
  if (!comped && !surcharge) return lines ? [...price, lines] : [...price];
  const before = comped ? packNight({ day, ...comped }) : null;
  const packed = [...price, lines ?? null, before] as const;
  return surcharge ? [...packed, packSurcharge(surcharge)] : [...packed];
}

export function unpackNight([day, rate, taxes, fees, lines, before, surcharge]: PackedNight): Night {
  const night = { day, rate, taxes, fees, ...(lines && { taxLines: lines.map(unpackLine) }) };
  if (!before && !surcharge) return night;
  const { day: _day, ...comped } = before ? unpackNight(before) : night;
  return { ...night, ...(surcharge && { surcharge: unpackSurcharge(surcharge) }), ...(before && { comped }) };
}

type PackedSurcharge = NonNullable<PackedNight[6]>;

function packSurcharge({ rate, taxes, taxLines }: Surcharge): PackedSurcharge {
  return taxLines ? [rate, taxes, taxLines.map(packLine)] : [rate, taxes];
}

function unpackSurcharge([rate, taxes, lines]: PackedSurcharge): Surcharge {
  return { rate, taxes, ...(lines && { taxLines: lines.map(unpackLine) }) };
}

function packLine({ code, amount, included, fee }: TaxLine): PackedLine {
  if (included) return [code, amount, INCLUDED];
  return fee ? [code, amount, FEE] : [code, amount];
}

function unpackLine([code, amount, counts]: PackedLine): TaxLine {
  return { code, amount, ...(counts === INCLUDED && { included: true }), ...(counts === FEE && { fee: true }) };
}
