import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ChainJournals, ListedPosition } from '../ports.ts';
import type { ChainEntry } from '../rules/chain-search/chain-index.ts';

const positions = (where = ''): string => `
  select a.property_id as "propertyId", a.seq::float8 as seq, a.generation,
    coalesce(v.version, 0)::float8 as "rateVersion", p.property_id is not null as "isThere"
  from property_actor a
  left join properties p on p.tenant_id = a.tenant_id and p.property_id = a.property_id and p.deleted_at is null
  left join rate_version v on v.tenant_id = a.tenant_id and v.property_id = a.property_id
  where a.tenant_id = ? ${where}`;
const ALL_POSITIONS = positions();
const NEW_POSITIONS = positions('and a.committed_at > ?::timestamptz');

/** Names of facts, cells and nights of restrictions only: nothing of a guest leaves the journal. */
const ENTRIES = `
  select w.property as "propertyId", j.seq::float8 as seq, j.facts -> 'cells' as cells,
    coalesce((select json_agg(part) from json_object_keys(j.facts) part), '[]') as parts,
    (select json_agg(one ->> 'kind') from json_array_elements(j.facts -> 'setup') one) as setup,
    (select json_agg(json_build_object('first', one -> 'after' -> 'start', 'last', one -> 'after' -> 'end'))
     from json_array_elements(j.facts -> 'setup') one
     where one ->> 'kind' = 'restrictions'
       and ((one -> 'after' -> 'change') is null or (one -> 'after' -> 'change' -> 'stopSell') is not null)) as stops
  from json_to_recordset(?::json) as w (property text, after bigint)
  cross join lateral (
    select seq, facts from journal
    where tenant_id = ? and property_id = w.property and seq > w.after order by seq limit ?
  ) j
  order by w.property, j.seq`;

/** Journals of a tenant's properties in PostgreSQL. */
export function databaseChainJournals(database: Database): ChainJournals {
  return {
    async positions(tenantId: TenantId, since?: Instant): Promise<ListedPosition[]> {
      const statement =
        since === undefined
          ? ([ALL_POSITIONS, tenantId] as const)
          : ([NEW_POSITIONS, tenantId, formatInstant(since)] as const);
      const [rows] = await database.readAtOnce(tenantId, statement);
      return rows as ListedPosition[];
    },
    async entries(
      tenantId: TenantId,
      after: readonly { propertyId: PropertyId; seq: number }[],
      limit: number,
    ): Promise<(ChainEntry & { propertyId: PropertyId })[]> {
      const wanted = JSON.stringify(after.map(({ propertyId: property, seq }) => ({ property, after: seq })));
      const [rows] = await database.readAtOnce(tenantId, [ENTRIES, wanted, tenantId, limit + 1]);
      return rows as (ChainEntry & { propertyId: PropertyId })[];
    },
  };
}
