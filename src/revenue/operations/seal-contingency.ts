import type { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { ContingencyPack } from '../rules/contingency.ts';

/** Purpose of the encryption. */
const BOUND = 'contingency pack';

/** Encrypts a pack for a file. */
export const sealPack = (keys: SealedText, pack: ContingencyPack): string =>
  `${keys.seal(JSON.stringify(pack), BOUND)}\n`;

/** Decrypts the text of {@link sealPack}. @throws Error when it was changed, is malformed, or its key is missing */
export function openPack(keys: SealedText, text: string): ContingencyPack {
  const pack = JSON.parse(keys.open(text.trim(), BOUND)) as ContingencyPack;
  if (pack.format !== 1) throw new Error('a later release has written it');
  return pack;
}
