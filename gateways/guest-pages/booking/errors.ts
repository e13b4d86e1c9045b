import type { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { isTextKey, type Texts } from '../texts.ts';

/** What a guest reads of an error: codes without a text of their own have a general one. */
export function guestErrorText(texts: Texts, { code }: Pick<DomainError, 'code'>): string {
  const key = `error.${code}`;
  return texts.text(isTextKey(key) ? key : 'error.other');
}
