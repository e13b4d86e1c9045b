import { createHash } from 'node:crypto';

import type { Address } from '../../src/domain/caller.ts';
import type { JournalEntry } from '../../src/domain/journal.ts';

/**
 * The hash of a journal row covers the row before: what was written cannot be changed unseen (architecture.md 3).
 * Over canonical JSON, so that the row can be checked from what the database returns, whatever its key order.
 */
export function chainHash(previous: string, to: Address, entry: Omit<JournalEntry, 'hash' | 'guestName'>): string {
  const { seq, at, type, subject, requestId, entity, facts } = entry;
  const row = canonical([to.tenantId, to.propertyId, seq, at, type, subject, requestId, entity, facts]);
  return createHash('sha256').update(previous).update(row).digest('base64url');
}

/** JSON with sorted keys and without undefined members. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
