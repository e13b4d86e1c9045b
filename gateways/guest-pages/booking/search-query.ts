import { type Day, formatDay, parseDay } from '../../../src/kernel/rules/dates.ts';
import { type Party, wholeParty } from '../../../src/rates/rules/stay.ts';
import type { OnlineSearch } from '../../../src/stay/operations/online/find-offers.ts';
import type { TextKey } from '../texts.ts';

/** Rooms of one booking on the page; the service takes more from others. */
export const MAX_SEARCH_ROOMS = 4;
/** The property itself books longer stays; their quote tokens would not fit in an address. */
const MAX_SEARCH_NIGHTS = 30;
const MAX_ADULTS = 8;
const MAX_CHILDREN = 6;

/** What a form or an address has sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** One room of the form, as it was typed. */
type TypedRoom = { adults: string; ages: string };

/** The form of a search as it was typed, so that a wrong one is shown again. */
export type SearchForm = { checkin: string; checkout: string; rooms: TypedRoom[]; promo: string };

/** A field that cannot be searched with, and what is wrong. */
export type SearchFault = { field: string; text: TextKey };

type ReadSearch = { form: SearchForm; faults: SearchFault[]; search?: OnlineSearch };

/** The text of a field; a field that is sent twice counts as absent. */
export function fieldOf(fields: Fields, name: string, most = 100): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim().slice(0, most) : '';
}

/** Whether an address searches at all. */
export const isSearch = (fields: Fields): boolean => fieldOf(fields, 'checkin') !== '';

/** Reads a search: the form as it was typed, and either the search or what is wrong with it. @param today at the property */
export function readSearch(fields: Fields, today: Day): ReadSearch {
  const form: SearchForm = {
    checkin: fieldOf(fields, 'checkin') || formatDay(today + 1),
    checkout: fieldOf(fields, 'checkout') || formatDay(today + 2),
    rooms: Array.from({ length: MAX_SEARCH_ROOMS }, (_, index) => ({
      adults: fieldOf(fields, `adults${index + 1}`) || (index === 0 ? '2' : '0'),
      ages: fieldOf(fields, `ages${index + 1}`),
    })),
    promo: fieldOf(fields, 'promo', 20).toUpperCase(),
  };
  const faults: SearchFault[] = [];
  const checkIn = parseDay(form.checkin);
  const checkOut = parseDay(form.checkout);
  if (checkIn === undefined) faults.push({ field: 'checkin', text: 'fault.date' });
  else if (checkIn < today) faults.push({ field: 'checkin', text: 'fault.past' });
  if (checkOut === undefined) faults.push({ field: 'checkout', text: 'fault.date' });
  else if (checkIn !== undefined && checkOut <= checkIn) faults.push({ field: 'checkout', text: 'fault.order' });
  else if (checkIn !== undefined && checkOut - checkIn > MAX_SEARCH_NIGHTS)
    faults.push({ field: 'checkout', text: 'fault.nights' });
  const parties = form.rooms.flatMap((room, index) => {
    const party = partyOf(room);
    if (party === undefined) faults.push({ field: `ages${index + 1}`, text: 'fault.party' });
    return party ?? [];
  });
  if (parties.length === 0 && faults.length === 0) faults.push({ field: 'adults1', text: 'fault.party' });
  if (form.promo !== '' && !/^[A-Z0-9_-]+$/.test(form.promo)) faults.push({ field: 'promo', text: 'fault.promo' });
  if (faults.length > 0 || checkIn === undefined || checkOut === undefined) return { form, faults };
  const promoCode = form.promo === '' ? {} : { promoCode: form.promo };
  return { form, faults, search: { checkIn, checkOut, parties, ...promoCode } };
}

/** The party of a room; none where it has no adults, `undefined` where it cannot be read. */
function partyOf({ adults: typed, ages: listed }: TypedRoom): Party[] | undefined {
  const adults = Number(typed);
  const ages = listed === '' ? [] : listed.split(/[\s,;]+/).filter(Boolean);
  if (!/^\d$/.test(typed) || adults > MAX_ADULTS || ages.length > MAX_CHILDREN) return undefined;
  if (!ages.every((age) => /^\d{1,2}$/.test(age) && Number(age) <= 17)) return undefined;
  if (adults === 0) return ages.length === 0 ? [] : undefined;
  const childAges = ages.map(Number);
  return [wholeParty({ adults, children: ages.length, ...(ages.length > 0 && { childAges }) })];
}

/** A search as the parameters of an address. */
export function searchParameters({ checkIn, checkOut, parties, promoCode }: OnlineSearch): [string, string][] {
  return [
    ['checkin', formatDay(checkIn)],
    ['checkout', formatDay(checkOut)],
    ...parties.flatMap(({ adults, childAges = [] }, index): [string, string][] => [
      [`adults${index + 1}`, String(adults)],
      ...(childAges.length > 0 ? [[`ages${index + 1}`, childAges.join(', ')] as [string, string]] : []),
    ]),
    ...(promoCode === undefined ? [] : [['promo', promoCode] as [string, string]]),
  ];
}
