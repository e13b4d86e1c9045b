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

/** Those of which the retention may have dropped the rows before (`system.expired_journal_months`) are expired. */
const CHECKPOINTS = `
  select seq, hash, at <= app_now() - interval '400 days' as expired
  from journal_checkpoints where tenant_id = $1 and property_id = $2 order by seq`;

type Property = { tenantId: string; propertyId: string; seq: number; head: string };
type Link = { seq: number; hash: string };
/** What the chain of one property came to: its rows, and the first that does not fit. */
type Verified = { rows: number; wrong?: string };

/**
 * Computes the audit chain of a property anew: every row's hash covers the row before, numbers have no gap, and the
 * last is the head under which the property goes on. Months that are dropped after their time leave a checkpoint of
 * their last row: there the chain begins then. Checkpoints of rows that are there have the hash of their row.
 */
async function verifyChain(client: Client, property: Property): Promise<Verified> {
  const { tenantId, propertyId, seq, head } = property;
  const where = [tenantId, propertyId];
  const { rows: checkpoints } = await client.query<Link & { expired: boolean }>(CHECKPOINTS, where);
  const hashes = new Map(checkpoints.map((link) => [link.seq, link.hash]));
  let page = (await client.query<JournalEntry>(ROWS, [...where, 0])).rows;
  const first = page[0]?.seq ?? seq + 1;
  // The chain begins with nothing, or behind what the retention has taken.
  const begins =
    first === 1 ? { seq: 0, hash: '' } : checkpoints.find((link) => link.expired && link.seq === first - 1);
  if (!begins) return { rows: 0, wrong: `row ${first - 1} is missing, before its time` };
  let [rows, last]: [number, Link] = [0, begins];
  while (page.length > 0) {
    for (const row of page) {
      const wrong = wrongOf(row, last, property, hashes);
      if (wrong) return { rows, wrong };
      [rows, last] = [rows + 1, row];
    }
    page = page.length < PAGE_ROWS ? [] : (await client.query<JournalEntry>(ROWS, [...where, last.seq])).rows;
  }
  // Commits go on while this reads: more rows than the head says are no fault.
  if (last.seq < seq || (last.seq === seq && last.hash !== head))
    return { rows, wrong: `the newest rows are missing: ${seq} were written` };
  return { rows };
}

/** What is wrong with a row that comes behind `last`; `undefined` when it follows. */
function wrongOf(row: JournalEntry, last: Link, to: Property, checkpoints: Map<number, string>): string | undefined {
  const { seq, hash } = row;
  if (seq !== last.seq + 1) return `row ${last.seq + 1} is missing`;
  if (chainHash(last.hash, to, row) !== hash)
    return `row ${seq} was changed, or one before it: its hash does not follow`;
  return (checkpoints.get(seq) ?? hash) === hash ? undefined : `the checkpoint of row ${seq} has another hash`;
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
