/** Fewer digits would find too many numbers. */
const MIN_DIGITS = 4;

/**
 * Digits of a search for a phone number (docs/reference/guests.md#search), without the zeros of `00` or of a national
 * number in front: `+34 600-1`, `0034 6001` and `06001` are found by what follows; `undefined` when it is none.
 */
export function phoneDigitsOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\+?[\d\s()./-]+$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < MIN_DIGITS ? undefined : digits;
}
