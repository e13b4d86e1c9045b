import type { Client } from 'pg';

import type { JournalEntry } from '../../src/kernel/rules/journal.ts';

/** A reservation as the database has it, with its completed charges. */
export type Stored = { id: string; status: string; property: string; charges: number };

/** Database content of a property at the end of the run. */
export type Evidence = {
  propertyId: string;
  journal: readonly JournalEntry[];
  stored: ReadonlyMap<string, Stored>;
};

const JOURNAL = `
  select seq::int, (extract(epoch from at) * 1000)::float8 as at, type, subject, request_id as "requestId", entity, facts,
    hash
  from journal where tenant_id = $1 and property_id = $2 order by seq, at`;
const STORED = `
  select r.id, r.status, r.property_id as property,
    (count(p.*) filter (where p.status = 'COMPLETED' and p.transaction_type = 'CHARGE'))::int as charges
  from reservations r left join payments p on p.tenant_id = r.tenant_id and p.reservation_id = r.id
  where r.tenant_id = $1 and r.property_id = $2 group by 1, 2, 3`;

/** @param admin a session outside of row security */
export async function evidenceOf(admin: Client, tenantId: string, propertyId: string): Promise<Evidence> {
  const journal = await admin.query<JournalEntry>(JOURNAL, [tenantId, propertyId]);
  const stored = await admin.query<Stored>(STORED, [tenantId, propertyId]);
  return { propertyId, journal: journal.rows, stored: new Map(stored.rows.map((row) => [row.id, row])) };
}
