import type { Client } from 'pg';

import { chainHash } from '../../actors/property/chain.ts';
import { SignedText } from '../kernel/operations/signed-text.ts';
import type { AdministrationEntry } from '../kernel/rules/administration.ts';
import { type AuditHead, HEAD_PURPOSE, headText } from '../kernel/rules/audit.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import { loadSecretKeys } from '../platform/config/config.ts';
import { connect } from '../platform/database/connection.ts';
import { administrationHash } from '../tenants/storage/administration-journal.ts';
import { runOnDatabase } from './database-tool.ts';

const PAGE_ROWS = 2_000;

const PROPERTIES = `
  select tenant_id as "tenantId", property_id as source, seq, head_hash as head from property_actor order by 1, 2`;
const TENANTS = `
  select distinct tenant_id as "tenantId", '' as source from administration_journal
  union select tenant_id, '' from audit_heads where source = '' order by 1`;

/** Retention may have dropped rows before one of this age (`system.expired_journal_months`). */
const EXPIRED = `app_now() - interval '400 days'`;

const ROWS = `
  select seq, (extract(epoch from at) * 1000)::bigint as at, type, subject, request_id as "requestId", entity, facts, hash
  from journal where tenant_id = $1 and property_id = $2 and seq > $3 order by seq limit ${PAGE_ROWS}`;
const ADMINISTRATION_ROWS = `
  select seq, (extract(epoch from at) * 1000)::bigint as at, subject, request_id as "requestId", entity,
    entity_id as "entityId", action, before, after, hash, at <= ${EXPIRED} as expired
  from administration_journal where tenant_id = $1 and $2 = '' and seq > $3 order by seq limit ${PAGE_ROWS}`;

const CHECKPOINTS = `
  select seq, hash, at <= ${EXPIRED} as expired
  from journal_checkpoints where tenant_id = $1 and property_id = $2 order by seq`;
const HEADS = `
  select seq, hash, (extract(epoch from hour) * 1000)::bigint as hour, signature, hour <= ${EXPIRED} as expired
  from audit_heads where tenant_id = $1 and source = $2 order by seq`;

/** A chain of a property, or of administration, with its stored head and number. */
type Chain = { tenantId: TenantId; source: string; seq?: number; head?: string };
type Link = { seq: number; hash: string };
type Expiring = Link & { expired: boolean };
type StoredHead = Expiring & { hour: number; signature: string };
/** Result of a chain: its number of rows, and the first faulty one. */
type Verified = { rows: number; heads: number; wrong?: string };

/** How rows of a kind of journal are chained. */
type Kind<Row extends Link> = {
  sql: string;
  hashOf(previous: string, chain: Chain, row: Row): string;
  /** Where the chain starts when its first rows have been dropped. */
  start(first: number, row: Row | undefined, checkpoints: readonly Expiring[]): Link | undefined;
};

const PROPERTY: Kind<JournalEntry> = {
  sql: ROWS,
  hashOf: (previous, { tenantId, source: propertyId }, row) => chainHash(previous, { tenantId, propertyId }, row),
  // Dropped months leave a checkpoint of their last row.
  start: (first, _, checkpoints) => checkpoints.find(({ expired, seq }) => expired && seq === first - 1),
};

const ADMINISTRATION: Kind<AdministrationEntry & Expiring> = {
  sql: ADMINISTRATION_ROWS,
  hashOf: (previous, { tenantId }, row) => administrationHash(previous, tenantId, row),
  // The newest expired row is kept as the predecessor of the next.
  start: (_, row) => (row?.expired ? row : undefined),
};

/** Known hashes by number. */
type Known = { checkpoints: Map<number, string>; heads: Map<number, string> };

/**
 * Recomputes an audit chain: every hash covers the row before, numbers have no gap, and the last row is the stored
 * head. Checkpoints and signed heads have the hash of their row.
 */
async function verifyChain<Row extends Link>(
  client: Client,
  signed: SignedText | undefined,
  chain: Chain,
  kind: Kind<Row>,
): Promise<Verified> {
  const where = [chain.tenantId, chain.source];
  const { rows: checkpoints } = await client.query<Expiring>(CHECKPOINTS, where);
  const { rows: heads } = await client.query<StoredHead>(HEADS, where);
  const byNumber = (links: readonly Link[]) => new Map(links.map(({ seq, hash }) => [seq, hash]));
  const known = { checkpoints: byNumber(checkpoints), heads: byNumber(heads) };
  const pageAfter = async (seq: number) => (await client.query<Row>(kind.sql, [...where, seq])).rows;
  let page = await pageAfter(0);
  // The chain starts empty, or after rows dropped by retention.
  const first = page[0]?.seq ?? (chain.seq ?? 0) + 1;
  const begins = first === 1 ? { seq: 0, hash: '' } : kind.start(first, page[0], checkpoints);
  if (!begins) return { rows: 0, heads: heads.length, wrong: `row ${first - 1} is missing, before its time` };
  let rows = 0;
  let last: Link = begins;
  if (begins.seq === first) [rows, page] = [1, page.slice(1)];
  while (page.length > 0) {
    for (const row of page) {
      const wrong = wrongOf(row, kind.hashOf(last.hash, chain, row), last, known);
      if (wrong) return { rows, heads: heads.length, wrong };
      [rows, last] = [rows + 1, row];
    }
    page = await pageAfter(last.seq);
  }
  const wrong = wrongEnd(last, chain, heads.at(-1)) ?? wrongHead(signed, chain, heads);
  return { rows, heads: heads.length, wrong };
}

/** The fault of a row after `last`; `undefined` when it follows. */
function wrongOf({ seq, hash }: Link, follows: string, last: Link, known: Known): string | undefined {
  if (seq !== last.seq + 1) return `row ${last.seq + 1} is missing`;
  if (follows !== hash) return `row ${seq} was changed, or one before it: its hash does not follow`;
  if ((known.checkpoints.get(seq) ?? hash) !== hash) return `the checkpoint of row ${seq} has another hash`;
  return (known.heads.get(seq) ?? hash) === hash ? undefined : `row ${seq} is not the one that was signed`;
}

/** Commits continue during the check: more rows than the head says are no fault. */
function wrongEnd(last: Link, { seq = 0, head = last.hash }: Chain, newest: Link | undefined): string | undefined {
  if (last.seq < seq || (last.seq === seq && last.hash !== head))
    return `the newest rows are missing: ${seq} were written`;
  return newest && newest.seq > last.seq ? `the newest rows are missing: row ${newest.seq} was signed` : undefined;
}

/** The first signed head with a wrong signature, or whose predecessor is missing. */
function wrongHead(
  signed: SignedText | undefined,
  { tenantId, source }: Chain,
  heads: readonly StoredHead[],
): string | undefined {
  if (heads.length > 0 && !signed)
    return 'its signed heads cannot be checked: SECRET_KEYS of the service are not here';
  for (const [n, { seq, hash, hour, signature, expired }] of heads.entries()) {
    // The first one's predecessor was dropped by retention.
    if (n === 0 && expired) continue;
    const head: AuditHead = { tenantId, source, seq, hash, hour, before: heads[n - 1]?.signature ?? '' };
    if (signed?.open(HEAD_PURPOSE, signature, headText(head)) === undefined)
      return `the signed head of row ${seq} is not ours, or one before it is missing`;
  }
  return undefined;
}

/** `npm run audit:verify`: prints each broken chain with its first faulty row, ends with 0 when none is broken. */
await runOnDatabase('verify', async (databaseUrl) => {
  const keys = loadSecretKeys(process.env).map(({ id, key }) => ({ id, secret: key }));
  const signed = keys.length > 0 ? new SignedText(keys) : undefined;
  const client = await connect(databaseUrl, 'innkeeper_system', {
    settings: { idle_session_timeout: '0' },
    answerWithinMs: 0,
  });
  const { rows: properties } = await client.query<Chain>(PROPERTIES);
  const { rows: tenants } = await client.query<Chain>(TENANTS);
  let rows = 0;
  let heads = 0;
  let broken = 0;
  const note = ({ tenantId, source }: Chain, verified: Verified): void => {
    [rows, heads] = [rows + verified.rows, heads + verified.heads];
    if (verified.wrong === undefined) return;
    broken += 1;
    console.log(`${tenantId} ${source || '(administration)'}: ${verified.wrong}`);
  };
  for (const chain of properties) note(chain, await verifyChain(client, signed, chain, PROPERTY));
  for (const chain of tenants) note(chain, await verifyChain(client, signed, chain, ADMINISTRATION));
  await client.end();
  const outcome = broken === 0 ? 'every chain is whole' : `${broken} chains are broken`;
  const of = `${properties.length} properties and the administration of ${tenants.length} tenants`;
  console.log(`${rows} rows of ${of}, ${heads} signed heads: ${outcome}`);
  return broken === 0 ? 0 : 1;
});
