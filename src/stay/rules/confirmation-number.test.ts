import fc from 'fast-check';
import t from 'tap';

import { asConfirmationNumber, confirmationNumber } from './confirmation-number.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Verifies the check character as a reader of the number would. */
function isConfirmationNumber(text: string): boolean {
  if (!/^[0-9A-HJKMNP-TV-Y]{10}$/.test(text)) return false;
  const weighted = Array.from(text.slice(0, 9), (letter, place) => (place + 1) * ALPHABET.indexOf(letter));
  return ALPHABET[weighted.reduce((sum, one) => sum + one, 0) % 31] === text[9];
}

const bytes = fc.uint8Array({ minLength: 9, maxLength: 9 });

void t.test('a confirmation number has ten characters that can be read over the phone', async () => {
  fc.assert(fc.property(bytes, (random) => /^[0-9A-HJKMNP-TV-Z]{10}$/.test(confirmationNumber(random))));
  fc.assert(fc.property(bytes, (random) => isConfirmationNumber(confirmationNumber(random))));
});

void t.test('any single wrong character is detected', async () => {
  fc.assert(
    fc.property(bytes, fc.nat(9), fc.nat(31), (random, place, letter) => {
      const right = confirmationNumber(random);
      const wrong = right.slice(0, place) + ALPHABET[letter]! + right.slice(place + 1);
      return wrong === right || !isConfirmationNumber(wrong);
    }),
    {
      numRuns: 5_000,
      examples: [
        [new Uint8Array(9), 0, 31],
        [new Uint8Array(9), 8, 31],
      ],
    },
  );
});

void t.test('two neighbours that were swapped are found', async () => {
  fc.assert(
    fc.property(bytes, fc.nat(7), (random, place) => {
      const right = confirmationNumber(random);
      const [a, b] = [right[place]!, right[place + 1]!];
      return a === b || !isConfirmationNumber(right.slice(0, place) + b + a + right.slice(place + 2));
    }),
    { numRuns: 3_000, examples: [[Uint8Array.of(0, 31, 0, 0, 0, 0, 0, 0, 0), 0]] },
  );
});

void t.test('a number is recognized as typed, or as read out', async (t) => {
  for (const typed of ['0a1b-c2d3 1e', 'OAIBC2D3LE', 'oalbc2d3ie', '0A1BC2D31E'])
    t.equal(asConfirmationNumber(typed), '0A1BC2D31E', typed);
});
