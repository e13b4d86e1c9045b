import { ALPHABET } from '../../rates/rules/crockford.ts';

/** Characters before the check character. */
const PLACES = 9;

/** A prime, and therefore Z, the 32nd character, is never used: the check could not distinguish it from 0. */
const MODULUS = 31;

/**
 * Makes a confirmation number from nine random bytes: ten characters, the last one a check
 * (docs/reference/reservations.md#book).
 */
export function confirmationNumber(random: Uint8Array): string {
  let text = '';
  for (let place = 0; place < PLACES; place++) text += ALPHABET[random[place]! % MODULUS];
  return text + checkCharacter(text);
}

/** Normalizes a number as typed or heard: upper case, O is 0, I and L are 1, separators are dropped. */
export function asConfirmationNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** A sum weighted by position, modulo a prime below 32: detects a wrong character and two swapped ones. */
function checkCharacter(text: string): string {
  let sum = 0;
  for (let place = 0; place < text.length; place++) sum += (place + 1) * ALPHABET.indexOf(text[place]!);
  return ALPHABET[sum % MODULUS]!;
}
