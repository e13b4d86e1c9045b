import { createHash } from 'node:crypto';

/** Id derived from parts: the same parts give the same id, so that a repeat has no further effect. */
export function idFrom(parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
