import type { guestAnswer, guestListAnswer, mergeAnswer } from '../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { Language } from '../../../src/kernel/rules/languages.ts';
import type { noteListAnswer } from '../../../src/stay/contracts/desk-notes.ts';
import type { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { ask, read, type SignedAccess } from '../api.ts';

export type GuestList = WireOf<typeof guestListAnswer>;
export type ListedGuest = GuestList['items'][number];
export type GuestNoteList = WireOf<typeof noteListAnswer>;
export type MergeView = WireOf<typeof mergeAnswer>;
export type ProfileView = WireOf<typeof guestAnswer>;
export type GuestStays = WireOf<typeof reservationListAnswer>;
export type GuestStay = GuestStays['items'][number];

/** What a profile is changed to; `null` removes a phone or consent, which is absent when it stays. */
export type ContactChange = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  language: Language | null;
  consent?: { marketingByMail: boolean } | null;
};

/** Guests shown of a search: typing more of the name finds the others. */
const MAX_FOUND = 25;
/** Stays shown with a profile. */
const MAX_STAYS = 50;
/** A lost answer is requested again, with the same key. */
const TRIES = 2;

const pathOf = (id: string): string => `/api/v1/guests/${encodeURIComponent(id)}`;

/** Guests by parts of their name or address; the newest without any. @throws ApiError */
export function searchGuests(access: SignedAccess, words: string): Promise<GuestList> {
  const query = { limit: String(MAX_FOUND), ...(words !== '' && { q: words }) };
  return read(access, 'reservation', '/api/v1/guests', query);
}

/** @throws ApiError */
export function readGuest(access: SignedAccess, id: string): Promise<ProfileView> {
  return read(access, 'reservation', pathOf(id));
}

/** Stays of a guest, newest first. @throws ApiError */
export function readStays(access: SignedAccess, id: string): Promise<GuestStays> {
  return read(access, 'reservation', `${pathOf(id)}/reservations`, { limit: String(MAX_STAYS) });
}

/** Changes the version that was shown. @throws ApiError STALE_VERSION when somebody else was first */
export async function saveProfile(
  access: SignedAccess,
  { guestId, version }: ProfileView,
  body: ContactChange,
): Promise<ProfileView> {
  const sent = { method: 'PUT', body, ifMatch: `"${version}"` } as const;
  return (await ask(access, 'reservation', pathOf(guestId), sent, TRIES)).body as ProfileView;
}

/** Notes of staff about a guest. @throws ApiError */
export async function readNotes(access: SignedAccess, id: string): Promise<GuestNoteList['items']> {
  return (await read<GuestNoteList>(access, 'reservation', `${pathOf(id)}/notes`)).items;
}

/** @throws ApiError */
export async function addNote(access: SignedAccess, id: string, text: string, key: string): Promise<void> {
  const sent = { method: 'POST', body: { text }, key } as const;
  await ask(access, 'reservation', `${pathOf(id)}/notes`, sent, TRIES);
}

/** @throws ApiError */
export async function deleteNote(access: SignedAccess, id: string, noteId: string): Promise<void> {
  await ask(access, 'reservation', `${pathOf(id)}/notes/${noteId}`, { method: 'DELETE', body: {} }, TRIES);
}

/** Merges a profile into this one, or only says what that takes from which. @throws ApiError */
export async function mergeInto(
  access: SignedAccess,
  id: string,
  { from, dryRun }: { from: string; dryRun: boolean },
): Promise<MergeView> {
  const path = `${pathOf(id)}/merge${dryRun ? '?dryRun=true' : ''}`;
  return (await ask(access, 'reservation', path, { method: 'POST', body: { from } }, TRIES)).body as MergeView;
}

/** Everything stored about a guest. @throws ApiError */
export function fetchExport(access: SignedAccess, id: string): Promise<unknown> {
  return read(access, 'reservation', `${pathOf(id)}/export`);
}

/** @throws ApiError */
export async function eraseProfile(access: SignedAccess, id: string): Promise<void> {
  await ask(access, 'reservation', pathOf(id), { method: 'DELETE', body: {} }, TRIES);
}
