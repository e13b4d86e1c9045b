import type { Guest } from './guest.ts';

/** Match keys of a guest profile: e-mail and last name, case-folded (docs/concepts/guests-and-erasure.md#profiles). */
export function guestKeys({ email, lastName }: Pick<Guest, 'email' | 'lastName'>): {
  emailKey: string;
  lastNameKey: string;
} {
  return { emailKey: foldKey(email), lastNameKey: foldKey(lastName) };
}

/** Normalizes case and equivalent spellings of the same letters. */
export function foldKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
