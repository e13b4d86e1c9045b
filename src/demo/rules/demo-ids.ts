import type { Instant } from '../../kernel/rules/property-time.ts';
import { Random } from '../../kernel/rules/random.ts';

/** What an id of the demo is of; two things of one stay have different ids. */
const KINDS = [
  'reservation',
  'guest',
  'payment',
  'refund',
  'hold',
  'document',
  'posting',
  'group',
  'maintenance',
] as const;
type IdKind = (typeof KINDS)[number];

const hex = (value: number, digits: number): string => Math.floor(value).toString(16).padStart(digits, '0');

/**
 * Id of the n-th thing of a kind, which was made at an instant: a UUID of version 7, so that lists are in order. The
 * same arguments give the same.
 */
export function demoId(seed: number, kind: IdKind, n: number, at: Instant): string {
  const random = new Random((seed * 48_271 + KINDS.indexOf(kind) * 1_000_003) ^ (n * 2_654_435));
  const word = (): number => random.next() * 0x1_0000;
  const time = hex(Math.max(0, at), 12);
  const more = `7${hex(word() % 0x1000, 3)}-${hex(0x8000 + (word() % 0x4000), 4)}`;
  // The number itself keeps ids apart whose chance is the same.
  return `${time.slice(0, 8)}-${time.slice(8)}-${more}-${hex(word(), 4)}${hex(n, 8)}`;
}

/** Nine bytes of chance for the confirmation number of the n-th stay. */
export function demoBytes(seed: number, n: number): Uint8Array {
  const random = new Random((seed * 69_621) ^ (n * 40_503 + 11));
  return Uint8Array.from({ length: 9 }, () => Math.floor(random.next() * 256));
}
