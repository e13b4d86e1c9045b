import { guestKeys } from '../guests/rules/guest-keys.ts';
import type { Guest } from '../guests/rules/guest.ts';
import type { Address } from '../kernel/rules/caller.ts';

/** Writes rows, and removes others. */
export function put<V>(into: Map<string, V>, values: V[], idOf: (value: V) => string, removed: string[] = []): void {
  for (const value of values) into.set(idOf(value), value);
  for (const id of removed) into.delete(id);
}

/** Removes the rows that are gone. */
export function drop<V>(from: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of from) if (isGone(value)) from.delete(key);
}

/** Of an idempotency key. */
export const keyOf = ({ tenantId }: Address, subject: string, key: string): string =>
  [tenantId, subject, key].join('\n');

/** By which a profile is found. */
export const guestKey = ({ tenantId }: Address, guest: Guest): string =>
  [tenantId, ...Object.values(guestKeys(guest))].join('\n');
