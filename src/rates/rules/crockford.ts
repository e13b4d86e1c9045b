/** Crockford's base 32: no I, L, O, U, so that a number can be read over the phone. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code from random bytes, one character each. */
export function crockford(random: Uint8Array): string {
  return Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
