import type { EntityManager } from '@mikro-orm/postgresql';

import { pageOfRead } from '../../kernel/ports.ts';
import type { By, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { onceUnderKey } from '../../platform/database/idempotency-records.ts';
import { ms, presentSql } from '../../platform/database/load-sql.ts';
import { isUuid, statusKey } from '../../platform/database/row-values.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';
import type { CompanyFilter, CompanyStore } from '../ports.ts';
import { type Company, type CompanyPayment, type ListedCompany, mustBeEven } from '../rules/company.ts';
import { ledgerPageOf, ledgerQueryOf } from './company-ledger.ts';

const COMPANY = `
  select ${presentSql(`json_build_object('companyId', id, 'name', name, 'vatId', vat_id,
    'billingAddress', billing_address, 'contact', contact, 'paymentTermsDays', payment_terms_days,
    'channel', channel, 'active', active, 'createdAt', ${ms('created_at')}, 'updatedAt', ${ms('updated_at')})`)} as one
  from companies where tenant_id = ?`;
const ALIVE = `${COMPANY} and deleted_at is null`;

/** `strpos` instead of a pattern: a name may have any characters. */
const LIST = `${ALIVE}
  and (?::text is null or strpos(lower(name), lower(?)) > 0)
  and channel is not distinct from coalesce(?, channel) and active = coalesce(?, active)
  and (?::float8 is null or (created_at, id) < (to_timestamp(?::float8 / 1000), ?::uuid))
  order by created_at desc, id desc limit ?`;

const CREATE = `
  insert into companies
    (name, vat_id, billing_address, contact, payment_terms_days, channel, active, tenant_id, id)
  values (?, ?, ?::jsonb, ?::jsonb, ?, ?, ?, ?, ?) on conflict do nothing returning id`;
const CHANGE = `
  update companies set name = ?, vat_id = ?, billing_address = ?::jsonb, contact = ?::jsonb, payment_terms_days = ?,
    channel = ?, active = ?, updated_at = app_now()
  where tenant_id = ? and id = ?`;
const REMOVE = 'update companies set deleted_at = app_now(), updated_at = app_now() where tenant_id = ? and id = ?';

const RECEIVE = `
  insert into company_payments
    (tenant_id, id, company_id, property_id, amount, currency, method, reference, received_at, received_by)
  values (?, ?, ?, ?, ?::numeric, ?, ?::payment_method, ?, ?, ?)`;

const OPEN_STATUSES = (['PENDING', 'CONFIRMED', 'CHECKED_IN'] as const).map(statusKey).join();

/** An open reservation that will be on an account of the company, none of a sandbox; rare, so all open ones are read. */
const NAMED_BY_STAY = `
  select r.confirmation_number as what from reservations r
  where r.tenant_id = ? and r.status_key in (${OPEN_STATUSES}) and r.deleted_at is null
    and not system.is_sandbox(r.property_id)
    and (lower(r.details ->> 'companyId') = ? or
      (r.details -> 'guarantee' ->> 'kind' = 'CHANNEL' and r.details -> 'guarantee' ->> 'channel' = ?))
  limit 1`;
const NAMED_BY_PLAN = `
  select p.code as what from rates p
  where p.tenant_id = ? and p.deleted_at is null and lower(p.rules ->> 'companyId') = ?
    and not system.is_sandbox(p.property_id) limit 1`;

/** Companies and their payments, within the tenant; their debts are in `payments`, by `account`. */
export function databaseCompanies(database: Database): CompanyStore {
  const once = <T>(by: By, key: RequestKey | undefined, work: (em: EntityManager) => Promise<T>) =>
    database.inTenant(by.tenantId, (em) => onceUnderKey(em, by, key, () => work(em)));
  return {
    get: async (tenantId, companyId, withRemoved = false) =>
      database.readTenant(tenantId, (em) => found(em, tenantId, companyId, withRemoved)),
    async list(tenantId, filter, limit, after) {
      const values = [tenantId, ...filterValues(filter), ...positionValues(after), limit + 1];
      const rows = await database.readTenant(tenantId, (em) => em.execute<{ one: ListedCompany }[]>(LIST, values));
      return pageOfRead(
        rows.map(({ one }) => one),
        limit,
        ({ companyId }) => companyId,
      );
    },
    create: (by, company, key) =>
      once(by, key, async (em) => {
        await takeTurn(em, by.tenantId);
        const made = await em.execute<unknown[]>(CREATE, valuesOf(by.tenantId, company));
        if (made.length === 0) throw taken(company);
        return noted(em, by, 'CREATED', undefined, company.companyId);
      }),
    change: (by, company, key) =>
      once(by, key, async (em) => {
        const before = await current(em, by, company.companyId);
        if (before.channel !== company.channel) await mayMoveTo(em, by, before, company);
        await em.execute(CHANGE, valuesOf(by.tenantId, company));
        return noted(em, by, 'CHANGED', before, company.companyId);
      }),
    remove: (by, companyId, key) =>
      once(by, key, async (em) => {
        // Runs before the lock: it may take a second, and no lock here blocks bookings meanwhile.
        await mustHaveNoStay(em, by.tenantId, await found(em, by.tenantId, companyId));
        const before = await current(em, by, companyId);
        mustBeEven((await ledgerOf(em, by.tenantId, before)).balances, 'deleting it');
        await mustHaveNoPlan(em, by.tenantId, before);
        await em.execute(REMOVE, [by.tenantId, before.companyId]);
        await note(em, by, before.companyId, { action: 'REMOVED', before: imageOf(before) });
        return null;
      }),
    receive: (by, payment, key) =>
      once(by, key, async (em) => {
        const company = await current(em, by, payment.companyId);
        await em.execute(RECEIVE, paymentValues(by, payment));
        await note(em, by, company.companyId, { action: 'PAYMENT_RECEIVED', after: imageOfPayment(payment) });
        return payment;
      }),
    ledger: (tenantId, company, filter, limit, after) =>
      database.readTenant(tenantId, async (em) => {
        const [sql, values] = ledgerQueryOf(tenantId, company, filter, limit, after);
        return ledgerPageOf(await em.execute(sql, values), limit);
      }),
  };
}

const filterValues = ({ name = null, channel = null, active = null }: Nullable<CompanyFilter>) => [
  name,
  name,
  channel,
  active,
];
type Nullable<T> = { [K in keyof T]?: T[K] | null | undefined };

const positionValues = (after?: { createdAt: Instant; id: string }) => {
  const at = after?.createdAt ?? null;
  return [at, at, after?.id ?? null];
};

const json = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

/** In the order of {@link CREATE} and {@link CHANGE}. */
function valuesOf(tenantId: TenantId, company: Company): unknown[] {
  const {
    companyId,
    name,
    vatId = null,
    billingAddress,
    contact,
    paymentTermsDays,
    channel = null,
    active,
  } = company;
  return [name, vatId, json(billingAddress), json(contact), paymentTermsDays, channel, active, tenantId, companyId];
}

function paymentValues({ tenantId, subject }: By, payment: CompanyPayment): unknown[] {
  const { paymentId, companyId, propertyId, amount, currency, method, reference = null, receivedAt } = payment;
  const received = [decimalText(amount), currency, method, reference, formatInstant(receivedAt), subject];
  return [tenantId, paymentId, companyId, propertyId, ...received];
}

async function found(
  em: EntityManager,
  tenantId: TenantId,
  companyId: string,
  withRemoved = false,
): Promise<ListedCompany | undefined> {
  if (!isUuid(companyId)) return undefined;
  const sql = `${withRemoved ? COMPANY : ALIVE} and id = ?`;
  return (await em.execute<{ one: ListedCompany }[]>(sql, [tenantId, companyId]))[0]?.one;
}

/** Reads a company and locks it until the end of the transaction. @throws DomainError COMPANY_NOT_FOUND */
async function current(em: EntityManager, { tenantId }: By, companyId: string): Promise<ListedCompany> {
  await takeTurn(em, tenantId);
  const company = await found(em, tenantId, companyId);
  if (!company) throw new DomainError('COMPANY_NOT_FOUND', 'The tenant has no company with this id.');
  return company;
}

const taken = ({ channel }: Company): DomainError =>
  new DomainError(
    'ALREADY_EXISTS',
    channel === undefined ? 'There is or was such a company.' : `Another company stands behind ${channel}.`,
  );

/**
 * @throws DomainError INVALID_STATE while the account of its old channel, or its own, is not settled; ALREADY_EXISTS
 */
async function mayMoveTo(em: EntityManager, by: By, before: Company, company: Company): Promise<void> {
  if (before.channel !== undefined)
    mustBeEven((await ledgerOf(em, by.tenantId, before)).balances, `taking it off ${before.channel}`);
  const sql = `${ALIVE} and channel = ? and id <> ?`;
  const others = await em.execute<unknown[]>(sql, [by.tenantId, company.channel ?? null, company.companyId]);
  if (others.length > 0) throw taken(company);
}

/** @throws DomainError INVALID_STATE while an open reservation will be on its account */
async function mustHaveNoStay(em: EntityManager, tenantId: TenantId, company: Company | undefined): Promise<void> {
  const values = [tenantId, company?.companyId ?? null, company?.channel ?? null];
  const [stay] = company ? await em.execute<{ what: string }[]>(NAMED_BY_STAY, values) : [];
  if (stay) throw new DomainError('INVALID_STATE', `Reservation ${stay.what} is open and names it.`);
}

/** @throws DomainError INVALID_STATE while bookings of a rate plan would be on its account */
async function mustHaveNoPlan(em: EntityManager, tenantId: TenantId, { companyId }: Company): Promise<void> {
  const [plan] = await em.execute<{ what: string }[]>(NAMED_BY_PLAN, [tenantId, companyId]);
  if (plan) throw new DomainError('INVALID_STATE', `Rate plan ${plan.what} names it.`);
}

async function ledgerOf(em: EntityManager, tenantId: TenantId, company: Company, limit = 1) {
  const [sql, values] = ledgerQueryOf(tenantId, company, {}, limit);
  return ledgerPageOf(await em.execute(sql, values), limit);
}

async function noted(
  em: EntityManager,
  by: By,
  action: string,
  before: ListedCompany | undefined,
  companyId: string,
): Promise<ListedCompany> {
  const after = (await found(em, by.tenantId, companyId))!;
  await note(em, by, companyId, { action, before: before && imageOf(before), after: imageOf(after) });
  return after;
}

const note = (
  em: EntityManager,
  by: By,
  entityId: string,
  change: { action: string; before?: object; after?: object },
) => appendAdministration(em, by, { entity: 'company', entityId, ...change });

/** The journal row itself has the time. */
const imageOf = ({ createdAt: _created, updatedAt: _changed, ...company }: ListedCompany): Company => company;

const imageOfPayment = ({ amount, receivedAt, ...payment }: CompanyPayment): object => ({
  ...payment,
  amount: amount / 100,
  receivedAt: formatInstant(receivedAt),
});
