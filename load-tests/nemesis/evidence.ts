import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';

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

export async function evidenceOf(world: ClusterWorld, propertyId: string): Promise<Evidence> {
  const values = [world.tenantId, propertyId];
  const journal = await world.query<JournalEntry>(JOURNAL, values);
  const stored = await world.query<Stored>(STORED, values);
  return { propertyId, journal, stored: new Map(stored.map((row) => [row.id, row])) };
}
