import type { Night } from '../../money/rules/night.ts';
import type { TaxLine } from '../../money/rules/taxes.ts';

/**
 * A night as `reservations.details` stores it: day, rate, taxes, fees, and tax lines if any. A booking has several
 * nights, and member names would double their size. An earlier release reads the first four.
 */
export type PackedNight = [number, number, number, number, PackedLine[]?];

/** Code, amount, and the kind when it is other than a tax on top. */
type PackedLine = [string, number, number?];

const INCLUDED = 1;
const FEE = 2;

export function packNight({ day, rate, taxes, fees, taxLines }: Night): PackedNight {
  return taxLines ? [day, rate, taxes, fees, taxLines.map(packLine)] : [day, rate, taxes, fees];
}

export function unpackNight([day, rate, taxes, fees, lines]: PackedNight): Night {
  return { day, rate, taxes, fees, ...(lines && { taxLines: lines.map(unpackLine) }) };
}

function packLine({ code, amount, included, fee }: TaxLine): PackedLine {
  if (included) return [code, amount, INCLUDED];
  return fee ? [code, amount, FEE] : [code, amount];
}

function unpackLine([code, amount, counts]: PackedLine): TaxLine {
  return { code, amount, ...(counts === INCLUDED && { included: true }), ...(counts === FEE && { fee: true }) };
}
