import type { Day } from '../../kernel/rules/dates.ts';
import { definedMembers, pickMembers } from '../../kernel/rules/members.ts';

/** Party of a stay: with its nights, everything a price depends on. */
export type Party = { adults: number; children: number };

/** Room type, nights and party: check-in night inclusive, check-out day exclusive. */
export type Stay = Party & { roomType: string; checkIn: Day; checkOut: Day; rateCode: string };

/**
 * Every member, once. Code that compares, copies or writes a stay uses these lists, so that a new member does not
 * compile before it is listed here.
 */
const PARTY = { adults: true, children: true } satisfies Record<keyof Party, true>;
const STAY = { checkIn: true, checkOut: true, roomType: true, rateCode: true, ...PARTY } satisfies Record<
  keyof Stay,
  true
>;
export const PARTY_MEMBERS = Object.keys(PARTY) as (keyof Party)[];
export const STAY_MEMBERS = Object.keys(STAY) as (keyof Stay)[];

/** A party of so many persons without other price inputs. */
export const partyOfPersons = (adults: number, children = 0): Party => ({ adults, children });

export const personsOf = ({ adults, children }: Party): number => adults + children;

/** Picks the party of a stay, or of any other object with these members. */
export const partyOf = (of: Party): Party => pickMembers(of, PARTY_MEMBERS);

export const sameParty = (a: Party, b: Party): boolean => PARTY_MEMBERS.every((member) => a[member] === b[member]);

/** Picks the stay from an object with more members. */
export const stayFrom = (of: Stay): Stay => pickMembers(of, STAY_MEMBERS);

/** A stay with changed members. */
export const changedStay = (stay: Stay, wanted: Partial<Stay>): Stay => ({
  ...stay,
  ...definedMembers(pickMembers(wanted, STAY_MEMBERS)),
});

export const sameStay = (a: Stay, b: Stay): boolean => STAY_MEMBERS.every((member) => a[member] === b[member]);

/** Key of a stay without room type and rate code; numbers have no spaces, so it is unambiguous. */
export function stayKey({ checkIn, checkOut, ...of }: Party & Pick<Stay, 'checkIn' | 'checkOut'>): string {
  return [checkIn, checkOut, ...Object.values(partyOf(of))].join(' ');
}

export function daysOf({ checkIn, checkOut }: Pick<Stay, 'checkIn' | 'checkOut'>): Day[] {
  return Array.from({ length: checkOut - checkIn }, (_, night) => checkIn + night);
}
