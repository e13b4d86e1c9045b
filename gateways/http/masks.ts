/**
 * What a VIEWER sees of guests (docs/concepts/guests-and-erasure.md#masking): enough to recognise somebody, not enough
 * to reach him.
 */

/** First character, then stars. */
export function mask(text: string): string {
  return text === '' ? '' : `${Array.from(text)[0]}***`;
}

/** `Ada King Lovelace` -> `A*** K*** L***`: initials only, the same number of stars whatever the length. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(mask)
    .join(' ');
}
