import type { Caller } from '../../src/kernel/rules/caller.ts';
import { may } from '../auth/permissions.ts';

/**
 * Masks of guest data for a VIEWER (docs/concepts/guests-and-erasure.md#masking): enough to recognise a guest, not
 * enough to contact them.
 */

/** First character, then stars. */
export function mask(text: string): string {
  return text === '' ? '' : `${Array.from(text)[0]}***`;
}

/** `Ada King Lovelace` -> `A*** K*** L***`: initials with a fixed number of stars, whatever the length. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(mask)
    .join(' ');
}

/** Shows contact data as the caller may see it. */
export function contactFor(caller: Pick<Caller, 'role'>): (text: string) => string {
  return may(caller, 'contact.read') ? (text) => text : mask;
}
