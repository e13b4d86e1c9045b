import type { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { ContingencyPack } from '../rules/contingency.ts';

/** What a pack is sealed for. */
const BOUND = 'contingency pack';

/** Text of a file that only who has the keys can read. */
export const sealPack = (keys: SealedText, pack: ContingencyPack): string =>
  `${keys.seal(JSON.stringify(pack), BOUND)}\n`;

/** What {@link sealPack} was given. @throws Error when it was changed, is none, or its key is not there */
export function openPack(keys: SealedText, text: string): ContingencyPack {
  const pack = JSON.parse(keys.open(text.trim(), BOUND)) as ContingencyPack;
  if (pack.format !== 1) throw new Error('a later release has written it');
  return pack;
}
