import { createHash } from 'node:crypto';

/** An id derived from others. Decisions have no randomness, so deciding again gives the same id. */
export function derivedId(...from: readonly string[]): string {
  const hex = createHash('sha256').update(from.join('\n')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
