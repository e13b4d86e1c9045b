import type { guestListAnswer } from '../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { freshAccess } from '../access/page-access.ts';
import { read } from '../api.ts';

type Guest = WireOf<typeof guestListAnswer>['items'][number];
type Stay = WireOf<typeof reservationListAnswer>['items'][number];

/** Guests and stays of a tenant that fit what is typed. */
export type FoundPeople = { guests: readonly Guest[]; stays: readonly Stay[] };

/** Guests read for half a name, and stays of each: typing more finds the others. */
const MAX_GUESTS = 12;
const MAX_STAYS = 4;
/** What is listed of them. */
const LISTED = { guests: 5, stays: 8 };
const OPEN: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);
const CONFIRMATION_NUMBER = /^[0-9A-Z]{10}$/;

/**
 * Guests by parts of their names with their newest stays, and the stay with a confirmation number. Stays of the property
 * that is shown come first, and of them those that are not over. @throws ApiError
 */
export async function findPeople(query: string, shown?: string): Promise<FoundPeople> {
  const access = await freshAccess();
  if (!access) return { guests: [], stays: [] };
  const list = async <T>(path: string, wanted: Record<string, string>): Promise<readonly T[]> =>
    (await read<{ items: readonly T[] }>(access, 'reservation', path, wanted)).items;
  const number = query.replaceAll(/[\s-]/g, '').toUpperCase();
  const [numbered, guests] = await Promise.all([
    CONFIRMATION_NUMBER.test(number) ? list<Stay>('/api/v1/reservations', { confirmationNumber: number }) : [],
    list<Guest>('/api/v1/guests', { q: query, limit: String(MAX_GUESTS) }),
  ]);
  const few = guests.slice(0, MAX_GUESTS);
  const stays = await Promise.all(
    few.map(({ guestId }) => list<Stay>('/api/v1/reservations', { guestId, limit: String(MAX_STAYS) })),
  );
  const all = [...numbered, ...stays.flatMap((some) => some.slice(0, MAX_STAYS))];
  const rank = ({ reservationId, propertyId, status }: Stay): number => {
    if (numbered.some((one) => one.reservationId === reservationId)) return -1;
    return (propertyId === shown ? 0 : 2) + (OPEN.has(status) ? 0 : 1);
  };
  const once = [...new Map(all.map((one) => [one.reservationId, one])).values()];
  return {
    guests: few.slice(0, LISTED.guests),
    stays: once.toSorted((a, b) => rank(a) - rank(b)).slice(0, LISTED.stays),
  };
}
