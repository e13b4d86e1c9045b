import type { Guest } from '../rules/guest.ts';

/**
 * What a guest profile is matched by: e-mail and last name, case-folded (docs/concepts/guests-and-erasure.md#profiles).
 */
export function guestKeys({ email, lastName }: Pick<Guest, 'email' | 'lastName'>): {
  emailKey: string;
  lastNameKey: string;
} {
  return { emailKey: foldKey(email), lastNameKey: foldKey(lastName) };
}

/** As keys are compared: without regard to case and to the way of writing the same letters. */
export function foldKey(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
