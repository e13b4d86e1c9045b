import type { Day } from '../../kernel/rules/dates.ts';
import { pickDefined, sameValue } from '../../kernel/rules/members.ts';
import { departureOf, type StayDays } from '../../kernel/rules/stay-days.ts';

/** Party of a stay: with its nights, everything a price depends on. */
export type Party = {
  adults: number;
  children: number;
  /** Of all children, where they are known: {@link wholeParty}. */
  childAges?: number[];
};

/** Room type, days and party. */
export type Stay = Party & StayDays & { roomType: string; rateCode: string };

/**
 * Every member, once. Code that compares, copies or writes a stay uses these lists, so that a new member does not
 * compile before it is listed here.
 */
const PARTY = { adults: true, children: true, childAges: true } satisfies Record<keyof Party, true>;
const STAY = {
  checkIn: true,
  checkOut: true,
  dayUse: true,
  roomType: true,
  rateCode: true,
  ...PARTY,
} satisfies Record<keyof Stay, true>;
export const PARTY_MEMBERS = Object.keys(PARTY) as (keyof Party)[];
/** Members of a party that may be absent. */
const OPTIONAL_MEMBERS = PARTY_MEMBERS.filter((member) => member !== 'adults' && member !== 'children');
export const STAY_MEMBERS = Object.keys(STAY) as (keyof Stay)[];

/** A party of so many persons without other price inputs. */
export const partyOfPersons = (adults: number, children = 0): Party => ({ adults, children });

export const personsOf = ({ adults, children }: Pick<Party, 'adults' | 'children'>): number => adults + children;

/** Whoever gives the ages of all children need not count them. */
export function wholeParty<T extends Partial<Party>>(of: T): T {
  if (of.childAges === undefined) return of;
  // In order: which child is which has no meaning.
  return { ...of, children: of.children || of.childAges.length, childAges: of.childAges.toSorted((a, b) => a - b) };
}

/** Without ages that are those of another number of children. */
export function withKnownAges<T extends Party>(of: T): T {
  if (of.childAges === undefined || of.childAges.length === of.children) return of;
  const { childAges: _, ...known } = of;
  return known as T;
}

/** Picks the party of a stay, or of any other object with these members. */
export const partyOf = (of: Party): Party => pickDefined(of, PARTY_MEMBERS);

export const sameParty = (a: Party, b: Party): boolean =>
  PARTY_MEMBERS.every((member) => sameValue(a[member], b[member]));

/** Picks the stay from an object with more members. */
export const stayFrom = (of: Stay): Stay => pickDefined(of, STAY_MEMBERS);

/** Whether two stays sell the same thing on a night: day use is another product than the night of its day. */
export const sameProduct = (a: Product, b: Product): boolean => a.roomType === b.roomType && a.dayUse === b.dayUse;

type Product = Pick<Stay, 'roomType' | 'dayUse'>;

/** A stay with changed members. */
export const changedStay = (stay: Stay, wanted: Partial<Stay>): Stay =>
  withKnownAges({ ...stay, ...pickDefined(wanted, STAY_MEMBERS) });

export const sameStay = (a: Stay, b: Stay): boolean =>
  STAY_MEMBERS.every((member) => sameValue(a[member], b[member]));

/**
 * Key of a stay without room type and rate code. Numbers have no spaces, and members that may be absent have their name,
 * so it is unambiguous.
 */
export function stayKey(of: Party & StayDays): string {
  let key = `${of.checkIn} ${departureOf(of)} ${of.adults} ${of.children}`;
  for (const member of OPTIONAL_MEMBERS) {
    const value = of[member];
    if (value !== undefined) key += ` ${member} ${value.join(',')}`;
  }
  return key;
}

export function daysOf({ checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>): Day[] {
  return Array.from({ length: checkOut - checkIn }, (_, night) => checkIn + night);
}
