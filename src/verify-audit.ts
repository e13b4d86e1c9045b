import type { Client } from 'pg';
import { chainHash } from '../actors/property/chain.ts';
import { runOnDatabase } from './database-tool.ts';
import type { JournalEntry } from './domain/journal.ts';
import { connect } from './storage/connection.ts';

const PAGE_ROWS = 2_000;

const PROPERTIES = `
  select tenant_id as "tenantId", property_id as "propertyId", seq, head_hash as head from property_actor order by 1, 2`;

const ROWS = `
  select seq, (extract(epoch from at) * 1000)::bigint as at, type, subject, request_id as "requestId", entity, facts, hash
  from journal where tenant_id = $1 and property_id = $2 and seq > $3 order by seq limit ${PAGE_ROWS}`;

type Property = { tenantId: string; propertyId: string; seq: number; head: string };
/** What the chain of one property came to: its rows, and the first that does not fit. */
type Verified = { rows: number; wrong?: string };

/**
 * Computes the audit chain of a property anew: every row's hash covers the row before, numbers have no gap, and the
 * last is the head under which the property goes on. Months that were dropped after their time take the beginning
 * along; then the oldest row that is left is the anchor.
 */
async function verifyChain(client: Client, { tenantId, propertyId, seq, head }: Property): Promise<Verified> {
  const to = { tenantId, propertyId };
  let [rows, last, hash] = [0, 0, ''];
  for (;;) {
    const page = await client.query<JournalEntry>(ROWS, [tenantId, propertyId, last]);
    for (const row of page.rows) {
      const anchor = rows === 0 && row.seq > 1;
      if (!anchor && row.seq !== last + 1) return { rows, wrong: `row ${last + 1} is missing` };
      if (!anchor && chainHash(hash, to, row) !== row.hash)
        return { rows, wrong: `row ${row.seq} was changed, or one before it: its hash does not follow` };
      [rows, last, hash] = [rows + 1, row.seq, row.hash];
    }
    if (page.rows.length < PAGE_ROWS) break;
  }
  // Commits go on while this reads: more rows than the head says are no fault.
  if (last < seq || (last === seq && hash !== head))
    return { rows, wrong: `the newest rows are missing: ${seq} were written` };
  return { rows };
}

/** `npm run audit:verify`: prints each property whose chain is broken, ends with 0 when none is. */
await runOnDatabase('verify', async (databaseUrl) => {
  const client = await connect(databaseUrl, 'innkeeper_system');
  const { rows: properties } = await client.query<Property>(PROPERTIES);
  let [rows, broken] = [0, 0];
  for (const property of properties) {
    const verified = await verifyChain(client, property);
    rows += verified.rows;
    if (verified.wrong === undefined) continue;
    broken += 1;
    console.log(`${property.tenantId} ${property.propertyId}: ${verified.wrong}`);
  }
  await client.end();
  const verdict = broken === 0 ? 'every chain is whole' : `${broken} chains are broken`;
  console.log(`${rows} rows of ${properties.length} properties: ${verdict}`);
  return broken === 0 ? 0 : 1;
});
