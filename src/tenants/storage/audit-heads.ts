import type { AuditHead } from '../../kernel/rules/audit.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeepHeads } from '../ports.ts';
import { takeTurn } from './administration-journal.ts';

/** Chains that have grown since, with their newest signed head; that of a sandbox goes with it. */
const GROWN = `
  select chain.source, chain.seq, chain.hash, coalesce(signed.signature, '') as before
  from (
    select property_id as source, seq, head_hash as hash from property_actor
    where tenant_id = current_setting('innkeeper.tenant') and seq > 0 and not system.is_sandbox(property_id)
    union all
    (select '', seq, hash from administration_journal where tenant_id = current_setting('innkeeper.tenant')
     order by seq desc limit 1)
  ) as chain
  left join lateral (
    select h.seq, h.signature from audit_heads h
    where h.tenant_id = current_setting('innkeeper.tenant') and h.source = chain.source
    order by h.seq desc limit 1) as signed on true
  where signed.seq is null or signed.seq < chain.seq
  order by chain.source`;

const KEEP = `
  insert into audit_heads (tenant_id, source, seq, hash, hour, signature)
  select current_setting('innkeeper.tenant'), h.source, h.seq, h.hash, h.hour, h.signature
  from json_to_recordset(?::json) as h (source text, seq bigint, hash text, hour timestamptz, signature text)`;

/** Heads in PostgreSQL; one node of a cluster at a time signs those of a tenant. */
export function databaseHeads(database: Database): KeepHeads {
  return (tenantId, hour, sign) =>
    database.inTenant(tenantId, async (em) => {
      await takeTurn(em, tenantId);
      const grown = await em.execute<Omit<AuditHead, 'tenantId' | 'hour'>[]>(GROWN, []);
      if (grown.length === 0) return 0;
      const heads = grown.map(({ source, seq, hash, before }) => ({
        source,
        seq,
        hash,
        hour: new Date(hour).toISOString(),
        signature: sign({ tenantId, source, seq, hash, hour, before }),
      }));
      await em.execute(KEEP, [JSON.stringify(heads)]);
      return heads.length;
    });
}
