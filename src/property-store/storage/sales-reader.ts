import { EVERY_GROUP, groupOf, type LoadedGroup } from '../../groups/storage/group-load.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Facts } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms, presentSql } from '../../platform/database/load-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import { EVERY_PROMOTION, type LoadedPromotion, promotionOf } from '../../rates/storage/sales-load.ts';
import { COOL_DOWN_MS, type HeldUnpaid } from '../../stay/rules/hold-bounds.ts';
import type { Hold, HoldDocument } from '../../stay/rules/hold.ts';
import type { Of, SalesReader } from '../ports.ts';
import { HOLD_ROWS } from './property-load.ts';

/** Selects rows with their property; parameters: id, tenant. */
const found = (rows: string, id: string, more = ''): string => `
  select a.property_id as "propertyId"${more}, ${presentSql('to_json(x)')} as value
  from property_actor a, lateral (${rows} and ${id} = ?) x where a.tenant_id = ?`;

const PROMOTION = found(EVERY_PROMOTION, 'p.id');
const GROUP = `
  select a.property_id as "propertyId", to_json(x) as value
  from property_actor a, lateral (${EVERY_GROUP} and g.id = ?) x where a.tenant_id = ?`;

/** Other holds belong to bookings, or count expired rooms. */
const OF_A_CLIENT = `reservation_id is null and doc -> 'terms' is not null`;
const HOLD = found(`${HOLD_ROWS} and ${OF_A_CLIENT}`, 'id', ', a.seq::float8 as seq');

const OF_HOLD = `
  select coalesce(
    (select property_id from holds where id = ? and tenant_id = t.id and ${OF_A_CLIENT}),
    (select property_id from idempotency where tenant_id = t.id and subject = ? and key = ?)) as "propertyId"
  from (select ?::text as id) t`;

const OPEN_HOLDS_OF_CARD = `
  select count(*)::int as open from holds where tenant_id = ? and property_id <> ? and kind = 'PENDING' and rooms > 0
    and expires_at > app_now() and doc ->> 'card' = ?`;

/** The same count as `countedRooms` in the deciding property. */
const HELD_UNPAID = `
  select count(*)::int as holds, coalesce(sum(rooms * (check_out - check_in)), 0)::int as "roomNights" from (
    select check_in, check_out, case kind when 'LATE' then coalesce((doc ->> 'lapsed')::int, 0) else rooms end as rooms
    from holds where tenant_id = ? and property_id <> ? and kind <> 'PAYING'
      and expires_at > app_now() - interval '${COOL_DOWN_MS} milliseconds'
      and coalesce(doc ->> 'subject', doc -> 'terms' ->> 'subject') = ?) h
  where rooms > 0`;

const PLAN = `select property_id as "propertyId" from rates where id = ? and tenant_id = ? and deleted_at is null`;

type StoredHold = Of<Omit<Hold, keyof HoldDocument> & { doc: HoldDocument }> & { seq: number };
type RateVersionRow = Of<{ at: Instant; rates: NonNullable<Facts['rates']> }>;

/** Includes the time, because the journal is partitioned by it. */
const RATE_CHANGE = `
  select c.property_id as "propertyId",
    json_build_object('at', ${ms('j.at')}, 'rates', j.facts -> 'rates') as value
  from rate_changes c
    join journal j on j.tenant_id = c.tenant_id and j.property_id = c.property_id and j.seq = c.seq and j.at = c.at
  where c.id = ? and c.tenant_id = ?`;

export function databaseSalesReader(database: Database): SalesReader {
  const find = async (sql: string, tenantId: TenantId, id: string): Promise<unknown> => {
    if (!isUuid(id)) return undefined;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [id, tenantId]));
    return (rows as unknown[])[0];
  };
  return {
    async promotion(tenantId, id) {
      const row = (await find(PROMOTION, tenantId, id)) as Of<LoadedPromotion> | undefined;
      return row && { ...row, value: promotionOf(row.value) };
    },
    async rateChange(tenantId, id) {
      const row = (await find(RATE_CHANGE, tenantId, id)) as RateVersionRow | undefined;
      if (!row) return undefined;
      const { at, rates } = row.value;
      const changes = rates.nights.map(([roomType, day, from, to]) => ({ roomType, day, from, to }));
      return { ...row, value: { at, changes } };
    },
    async propertyOfPlan(tenantId, id) {
      const row = (await find(PLAN, tenantId, id)) as { propertyId: PropertyId } | undefined;
      return row?.propertyId;
    },
    async hold(tenantId, id) {
      const row = (await find(HOLD, tenantId, id)) as StoredHold | undefined;
      if (!row) return undefined;
      const { doc, ...hold } = row.value;
      return { ...row, value: { ...hold, ...doc } };
    },
    async propertyOfHold(tenantId, id, key) {
      const values = [isUuid(id) ? id : null, key?.subject ?? null, key?.key ?? null, tenantId];
      const rows = await database.readTenant(tenantId, (em) => em.execute(OF_HOLD, values));
      return (rows as unknown as { propertyId: PropertyId | null }[])[0]!.propertyId ?? undefined;
    },
    async heldUnpaid({ tenantId, propertyId }, subject) {
      const values = [tenantId, propertyId, subject];
      const rows = await database.readTenant(tenantId, (em) => em.execute(HELD_UNPAID, values));
      return (rows as unknown as HeldUnpaid[])[0]!;
    },
    async openHoldsOfCard({ tenantId, propertyId }, card) {
      const values = [tenantId, propertyId, card];
      const rows = await database.readTenant(tenantId, (em) => em.execute(OPEN_HOLDS_OF_CARD, values));
      return (rows as unknown as { open: number }[])[0]!.open;
    },
    async group(tenantId, id) {
      const row = (await find(GROUP, tenantId, id)) as Of<LoadedGroup> | undefined;
      return row && { ...row, value: groupOf(row.value) };
    },
  };
}
