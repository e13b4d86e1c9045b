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
