import { parseDay } from '../../../src/kernel/rules/dates.ts';
import type { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isTextKey, type Texts } from '../texts.ts';

/** What a guest reads of an error: codes without a text of their own have a general one. */
export function guestErrorText(texts: Texts, { code }: Pick<DomainError, 'code'>): string {
  const key = `error.${code}`;
  return texts.text(isTextKey(key) ? key : 'error.other');
}

/** The days of an alternative, as the language of the page writes them. */
export function writtenDays(
  texts: Texts,
  { checkIn, checkOut }: { checkIn: string; checkOut: string },
): { from: string; to: string } {
  return { from: texts.day(parseDay(checkIn)!), to: texts.day(parseDay(checkOut)!) };
}
