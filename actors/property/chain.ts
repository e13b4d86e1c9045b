import { hash } from 'node:crypto';

import type { Address } from '../../src/kernel/rules/caller.ts';
import { canonical } from '../../src/kernel/rules/canonical.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';

/**
 * Hash of a journal row over its content and the hash of the row before, so that no row can be changed unnoticed
 * (docs/concepts/audit-trail.md#chains-and-signed-heads). Uses canonical JSON: the row can be verified from what the
 * database returns, whatever its key order.
 */
export function chainHash(previous: string, to: Address, entry: Omit<JournalEntry, 'hash' | 'guestName'>): string {
  const { seq, at, type, subject, requestId, entity, facts } = entry;
  const row = canonical([to.tenantId, to.propertyId, seq, at, type, subject, requestId, entity, facts]);
  return hash('sha256', previous + row, 'base64url');
}
