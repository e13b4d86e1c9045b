/** Digits of a card number, by ISO/IEC 7812. */
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/**
 * Whether a text has a card number in it, also one written in groups: card numbers are never stored
 * (docs/reference/reservations.md#card-terminal).
 */
export function holdsCardNumber(text: string): boolean {
  const runs = [...text.matchAll(/\d+/g), ...text.matchAll(/\d(?:[ -]?\d)*/g)];
  return runs.some(([run]) => isCardNumber(run.replaceAll(/[ -]/g, '')));
}

function isCardNumber(digits: string): boolean {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && passesLuhn(digits);
}

/** The check digit of card numbers: from the right, every second digit counts twice. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, char] of Array.from(digits).toReversed().entries()) {
    const digit = Number(char) * (index % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
