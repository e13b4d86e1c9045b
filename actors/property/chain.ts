import { hash } from 'node:crypto';

import type { Address } from '../../src/domain/caller.ts';
import type { JournalEntry } from '../../src/domain/journal.ts';

/**
 * The hash of a journal row covers the row before: what was written cannot be changed unseen (architecture.md 3).
 * Over canonical JSON, so that the row can be checked from what the database returns, whatever its key order.
 */
export function chainHash(previous: string, to: Address, entry: Omit<JournalEntry, 'hash' | 'guestName'>): string {
  const { seq, at, type, subject, requestId, entity, facts } = entry;
  const row = canonical([to.tenantId, to.propertyId, seq, at, type, subject, requestId, entity, facts]);
  return hash('sha256', previous + row, 'base64url');
}

/** JSON with sorted keys and without undefined members. Text is put together piece by piece: every booking has two rows. */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let items = '';
    for (let n = 0; n < value.length; n++) items += n === 0 ? canonical(value[n]) : `,${canonical(value[n])}`;
    return `[${items}]`;
  }
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}
