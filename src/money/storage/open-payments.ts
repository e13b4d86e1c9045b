import type { Client } from 'pg';

import type { Page, PagePosition, BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { PaymentId, PropertyId, ReservationId, TenantId } from '../../kernel/rules/ids.ts';
import { type Instant, instantAt, isTimezone } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { cents, ms } from '../../platform/database/load-sql.ts';
import { MORE_THAN_ONES_SHARE, sharedOut } from '../../platform/database/partition-sql.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import type { OpenPayment, OpenPayments, RefundByHand } from '../ports.ts';

/**
 * An attempt is recorded before its reservation, which then depends on a hold. Parameters: node, type, time, other live
 * nodes, limit.
 */
const OPEN = `
  select p.property_id, p.reservation_id, (a.owner_node is distinct from ?) as free from payments p
    join reservations r on r.tenant_id = p.tenant_id and r.id = p.reservation_id
    left join property_actor a on a.tenant_id = p.tenant_id and a.property_id = p.property_id
  where p.tenant_id = current_setting('innkeeper.tenant') and p.status = 'PROCESSING'
    and p.transaction_type = ?::transaction_type and p.created_at < to_timestamp(?::float8 / 1000)
    and (a.owner_node is null or a.owner_node <> all (?::text[]))
  group by 1, 2, 3 order by 3, min(p.created_at) limit ?`;

/** Only innkeeper_system sees names of nodes; payments are visible only within their tenant. */
const OTHERS = `
  select coalesce(array_agg(node_id), '{}')::text as nodes from system.cluster_node
  where node_id <> $1 and lease_until > clock_timestamp()`;

const BY_HAND = `
  select p.id as "refundId", p.reservation_id as "reservationId", p.property_id as "propertyId",
    r.confirmation_number as "confirmationNumber",
    concat_ws(' ', r.details #>> '{guest,firstName}', r.details #>> '{guest,lastName}') as "guestName",
    ${cents('p.amount')} as amount, p.currency, p.method, ${ms('p.created_at')}::float8 as "orderedAt"
  from payments p join reservations r on r.tenant_id = p.tenant_id and r.id = p.reservation_id
  where p.tenant_id = current_setting('innkeeper.tenant') and p.status = 'PENDING' and p.transaction_type = 'REFUND'
    and (?::text is null or p.property_id = ?)
    and (?::float8 is null or (p.created_at, p.id) < (to_timestamp(?::float8 / 1000), ?::uuid))
  order by p.created_at desc, p.id desc limit ?`;

const OF_PAYMENT = `
  select id, property_id, reservation_id from payments
  where tenant_id = current_setting('innkeeper.tenant') and id = ?::uuid and transaction_type = 'CHARGE'`;

/** A charge is tried on three days; a property may be offline on some. */
const DUE_FOR_MS = 14 * 86_400_000;

/** Reservations whose price is paid are left out: nothing is due. */
const DUE = `
  select id from reservations
  where tenant_id = current_setting('innkeeper.tenant') and property_id = ? and deleted_at is null
    and ((status = 'CONFIRMED' and balance_due > 0 and check_in >= ?::date
        and details #>> '{guarantee,kind}' = 'PREPAY')
      or (status in ('CANCELLED', 'NO_SHOW') and updated_at >= ?::date
        and details #> '{cancellation,owed}' is not null))
    and (?::uuid is null or id > ?::uuid)
  order by id limit ?`;

/** Arrivals of today in any time zone and of some days before; only `kernel/rules/property-time.ts` computes hours. */
const UNCLAIMED = `
  select r.property_id, r.id as reservation_id, r.check_in - date '1970-01-01' as day,
    r.details #>> '{guarantee,releaseHour}' as hour, p.metadata ->> 'timezone' as timezone
  from reservations r
    join properties p on p.tenant_id = r.tenant_id and p.property_id = r.property_id and p.deleted_at is null
  where r.tenant_id = current_setting('innkeeper.tenant') and r.status = 'CONFIRMED' and r.deleted_at is null
    and r.details #>> '{guarantee,releaseHour}' is not null and r.paid_amount = 0
    and r.check_in >= ?::date - 3 and r.check_in <= ?::date + 1
  order by r.check_in, hour, r.id limit ?`;

type UnclaimedRow = Omit<OpenRow, 'free'> & { day: Day; hour: string; timezone: string };

type OpenRow = { property_id: string; reservation_id: string; free: boolean };
type PaymentRow = { id: string; property_id: string; reservation_id: string };

/** Payments are read within their own tenant only (docs/concepts/tenants-and-roles.md#isolation-in-the-database). */
export class StoredOpenPayments implements OpenPayments {
  readonly #system: () => Promise<Client>;
  readonly #database: Database;
  readonly #share: BackgroundPartition;

  /** @param share properties whose open payments this node looks for */
  constructor(system: () => Promise<Client>, database: Database, share: BackgroundPartition) {
    this.#system = system;
    this.#database = database;
    this.#share = share;
  }

  async tenants(): Promise<string[]> {
    const client = await this.#system();
    const { rows } = await client.query<{ tenant_id: string }>('select tenant_id from tenants order by 1');
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  }

  refunds(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]> {
    return this.#find('REFUND', tenantId, before, limit);
  }

  attempts(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]> {
    return this.#find('CHARGE', tenantId, before, limit);
  }

  async due(
    { tenantId, propertyId }: Address,
    now: Instant,
    limit: number,
    after: ReservationId | null = null,
  ): Promise<ReservationId[]> {
    const since = new Date(now - DUE_FOR_MS).toISOString();
    const rows = await this.#database.readTenant(tenantId, (em) =>
      em.execute<{ id: ReservationId }[]>(DUE, [propertyId, since, since, after, after, limit]),
    );
    return rows.map(({ id }) => id);
  }

  async unclaimed(tenantId: TenantId, now: Instant, limit: number): Promise<OpenPayment[]> {
    const today = new Date(now).toISOString();
    const rows = await this.#database.readTenant(tenantId, (em) =>
      em.execute<UnclaimedRow[]>(UNCLAIMED, [today, today, limit * MORE_THAN_ONES_SHARE]),
    );
    const open = rows
      .filter(({ day, hour, timezone }) => isTimezone(timezone) && instantAt(day, hour, timezone) <= now)
      .map(({ property_id: propertyId, reservation_id: reservationId }) => ({
        to: { tenantId, propertyId },
        reservationId,
        free: true,
      }));
    const mine = sharedOut(open, this.#share, (one) => one.to, limit);
    return mine.map(({ to, reservationId }) => ({ to, reservationId }));
  }

  async reservationOf(tenantId: TenantId, paymentId: PaymentId): ReturnType<OpenPayments['reservationOf']> {
    if (!isUuid(paymentId)) return undefined;
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute<PaymentRow[]>(OF_PAYMENT, [paymentId]));
    return rows.map(({ id, property_id: propertyId, reservation_id: reservationId }) => ({
      paymentId: id,
      reservationId,
      to: { tenantId, propertyId },
    }))[0];
  }

  async byHand(
    tenantId: TenantId,
    propertyId: PropertyId | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<RefundByHand>> {
    const property = propertyId ?? null;
    const at = after?.createdAt ?? null;
    const id = after?.id ?? null;
    // One row more than requested shows whether there is a next page.
    const values = [property, property, at, at, id, limit + 1];
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute<RefundByHand[]>(BY_HAND, values));
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return rows.length > limit && last
      ? { items, next: { createdAt: last.orderedAt, id: last.refundId } }
      : { items };
  }

  async #find(type: 'CHARGE' | 'REFUND', tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]> {
    const { nodeId } = this.#share;
    const { rows: others } = await (await this.#system()).query<{ nodes: string }>(OTHERS, [nodeId]);
    const values = [nodeId, type, before, others[0]!.nodes, limit * MORE_THAN_ONES_SHARE];
    const rows = await this.#database.readTenant(tenantId, (em) => em.execute<OpenRow[]>(OPEN, values));
    const open = rows.map(({ property_id: propertyId, reservation_id: reservationId, free }) => ({
      to: { tenantId, propertyId },
      reservationId,
      free,
    }));
    const mine = sharedOut(open, this.#share, (one) => one.to, limit);
    return mine.map(({ to, reservationId }) => ({ to, reservationId }));
  }
}
