import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { Day } from '../../kernel/rules/dates.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { AgeBand } from '../../properties/rules/age-band.ts';
import { listPriceThen, pricedPlans, type PriceBasis } from '../rules/price-basis.ts';
import type { PricedCell } from '../rules/pricing.ts';
import type { PricedPlan } from '../rules/rate-plan.ts';
import type { Stay } from '../rules/stay.ts';

/**
 * Characters of a basis in a token, of which the longest has 8,000 with the rates of its nights. 90 nights of a plan
 * with every rule need half of that; what needs more is promised by its prices alone.
 */
const MAX_CHARS = 5_500;

/** Texts from this length on are compressed. */
const COMPRESSED_FROM = 300;

const PLAIN = 'x';
const COMPRESSED = 'z';

/** Base rate, season (hundredths, amount), rooms sold, demand, market and, where there is one, bid price of a night. */
type PackedCell = [Minor, number, Minor, number, number | null, Minor | null, ...Minor[]];

type Packed = {
  /** Business date of the quote. */
  on: Day;
  /** Prices before the promotion; absent where they follow from the plan. */
  lists?: Minor[];
  plans?: readonly PricedPlan[];
  bands?: readonly AgeBand[];
  cells?: PackedCell[];
  increment?: Minor;
};

/** Texts by the quoted price: the same answer may be given again. */
const known = new WeakMap<PriceBasis, string>();

/** A basis in characters that a token may have; empty where it is too long. */
export function basisText(basis: PriceBasis, roomType: string): string {
  let text = known.get(basis);
  if (text === undefined) {
    text = [packed(basis, roomType), { on: basis.nights[0]!.bookedOn, lists: listsOf(basis) }]
      .map(encoded)
      .find(({ length }) => length <= MAX_CHARS)!;
    known.set(basis, text ?? '');
  }
  return text ?? '';
}

/** The basis of a quoted stay; `undefined` for a text of another release. */
export function basisIn(text: string, stay: Stay): PriceBasis | undefined {
  const bytes = Buffer.from(text.slice(1), 'base64url');
  if (text[0] !== PLAIN && text[0] !== COMPRESSED) return undefined;
  const json = text[0] === PLAIN ? bytes : inflateRawSync(bytes);
  const { on: bookedOn, lists, plans, bands, cells = [], increment } = JSON.parse(json.toString()) as Packed;
  const basis = {
    ...(plans && { lineage: plans }),
    ...(bands && { ageBands: bands }),
  };
  const count = (lists ?? cells).length;
  const nights = Array.from({ length: count }, (_, index) => {
    const day = stay.checkIn + index;
    const cell = cells[index] && cellIn(cells[index], { day, roomType: stay.roomType, increment });
    const night = { day, bookedOn, list: lists?.[index] ?? 0, ...(cell && { cell }) };
    return lists ? night : { ...night, list: listPriceThen({ ...basis, nights: [] }, night, stay) };
  });
  return { ...basis, nights };
}

function packed(basis: PriceBasis, roomType: string): Packed {
  const { lineage, ageBands, nights } = basis;
  const on = nights[0]!.bookedOn;
  const cells = nights.flatMap(({ cell }) => cell ?? []);
  if (!lineage || cells.length < nights.length) return { on, lists: listsOf(basis) };
  const { increment } = cells[0]!;
  return {
    on,
    plans: pricedPlans(lineage, roomType),
    ...(ageBands && { bands: ageBands }),
    cells: cells.map(({ base, multiplier, amount, sold, demand, market, bid }): PackedCell => [
      ...([base, multiplier, amount, sold] as const),
      demand ?? null,
      market ?? null,
      ...(bid === undefined ? [] : ([bid] as const)),
    ]),
    ...(increment !== undefined && { increment }),
  };
}

function cellIn(
  [base, multiplier, amount, sold, demand, market, bid]: PackedCell,
  of: { day: Day; roomType: string; increment: Minor | undefined },
): PricedCell {
  const optional = { demand: demand ?? undefined, market: market ?? undefined, ...(bid !== undefined && { bid }) };
  return definedMembers({ ...of, base, multiplier, amount, sold, ...optional });
}

const listsOf = ({ nights }: PriceBasis): Minor[] => nights.map(({ list }) => list);

function encoded(basis: Packed): string {
  const json = JSON.stringify(basis);
  if (json.length < COMPRESSED_FROM) return PLAIN + Buffer.from(json).toString('base64url');
  return COMPRESSED + deflateRawSync(json).toString('base64url');
}
