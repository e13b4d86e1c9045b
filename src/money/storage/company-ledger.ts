import { pageOfRead, type PagePosition } from '../../kernel/ports.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { cents, daySql, list, ms, presentColumns } from '../../platform/database/load-sql.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import type { LedgerFilter, LedgerPage } from '../ports.ts';
import { type AccountEntry, accountsOf, balancesOf, type Company } from '../rules/company.ts';

const hour = `coalesce((pr.metadata -> 'policies' ->> 'nightAuditHour')::int, ${DEFAULT_POLICIES.nightAuditHour})`;
const BUSINESS_DATE = `((e.at at time zone (pr.metadata ->> 'timezone')) - make_interval(hours => ${hour}))::date`;

/**
 * Charges and payments of an account, with business dates of the properties. The balances read all of it, by one index
 * each; a page reads only its own reservations. What invented guests owe is found only where their sandbox is named
 * (docs/concepts/sandbox.md#what-never-leaves-it).
 */
const ENTRIES = `
  with entries as (
    select p.id, coalesce(p.processed_at, p.created_at) as at, p.property_id, p.reservation_id,
      p.transaction_type::text as kind, null::text as method, p.paid_out_reference as reference, p.amount, p.currency
    from payments p
    where p.tenant_id = ? and p.account = any (?::text[])
      and (p.status = 'COMPLETED' or (p.status = 'REFUNDED' and p.transaction_type = 'CHARGE'))
    union all
    select c.id, c.received_at, c.property_id, null, 'PAYMENT', c.method::text, c.reference, c.amount, c.currency
    from company_payments c where c.tenant_id = ? and c.company_id = ?
  ), dated as materialized (
    select e.*, ${BUSINESS_DATE} as business_date
    from entries e join properties pr on pr.tenant_id = ? and pr.property_id = e.property_id
    where pr.property_id = coalesce(?, pr.property_id) and (pr.property_id = ? or not system.is_sandbox(pr.property_id))
  ), counted as (
    select * from dated where business_date <= coalesce(?::date, business_date)
  )`;

const ENTRY = `
  select d.id as "entryId", ${ms('d.at')}::float8 as at, ${daySql('d.business_date')} as "businessDate",
    d.property_id as "propertyId", d.reservation_id as "reservationId",
    r.confirmation_number as "confirmationNumber", d.kind, d.method, d.reference, ${cents('d.amount')} as amount,
    d.currency
  from (
    select * from counted
    where business_date >= coalesce(?::date, business_date)
      and (?::float8 is null or (at, id) < (to_timestamp(?::float8 / 1000), ?::uuid))
    order by at desc, id desc limit ?
  ) d
  left join reservations r on r.tenant_id = ? and r.id = d.reservation_id
  order by d.at desc, d.id desc`;

/** A single statement, so that entries and balances are of the same moment. */
const PAGE = `${ENTRIES}
  select (select coalesce(json_agg(${presentColumns('x')}), '[]') from (${ENTRY}) x) as entries,
    ${list(`select kind, currency, ${cents('sum(amount)')} as amount from counted group by 1, 2`)} as sums`;

type Sum = Pick<AccountEntry, 'kind' | 'amount' | 'currency'>;

/** Statement and parameter values of a ledger page; to be run within the tenant. */
export function ledgerQueryOf(
  tenantId: TenantId,
  company: Pick<Company, 'companyId' | 'channel'>,
  { propertyId, from, to }: LedgerFilter,
  limit: number,
  after?: PagePosition,
): [string, unknown[]] {
  const entries = [tenantId, `{${accountsOf(company).join()}}`, tenantId, company.companyId, tenantId];
  const last = to === undefined ? null : formatDay(to);
  const first = from === undefined ? null : formatDay(from);
  const at = after?.createdAt ?? null;
  const id = after?.id ?? null;
  const property = propertyId ?? null;
  return [PAGE, [...entries, property, property, last, first, at, at, id, limit + 1, tenantId]];
}

/** Converts the rows of {@link ledgerQueryOf} to a page. */
export function ledgerPageOf([row]: { entries: AccountEntry[]; sums: Sum[] }[], limit: number): LedgerPage {
  const { entries, sums } = row!;
  const timed = entries.map((entry) => ({ ...entry, createdAt: entry.at }));
  const { items, next } = pageOfRead(timed, limit, ({ entryId }) => entryId);
  const page = items.map(({ createdAt: _position, ...entry }) => entry);
  return { items: page, ...(next && { next }), balances: balancesOf(sums) };
}
