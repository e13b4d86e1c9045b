import type { Guest } from '../domain/reservation.ts';

/** What a guest profile is matched by: e-mail and last name, case-folded (contracts.md 7). */
export function guestKeys({ email, lastName }: Pick<Guest, 'email' | 'lastName'>): {
  emailKey: string;
  lastNameKey: string;
} {
  return { emailKey: fold(email), lastNameKey: fold(lastName) };
}

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
