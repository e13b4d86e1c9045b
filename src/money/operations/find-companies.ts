import { nextCursor, openCursor, positionOf, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { CompaniesQuery, LedgerQuery } from '../contracts/companies.ts';
import type { AccountEntry, Balance, InvoicedCompany, ListedCompany } from '../rules/company.ts';

type Finding = Pick<Services, 'companies' | 'signed'>;

/**
 * Lists companies of the tenant, newest first (docs/reference/companies.md#companies). @throws DomainError
 * VALIDATION_FAILED
 */
export async function listCompanies(
  { companies, signed }: Finding,
  { tenantId }: Caller,
  { limit, cursor, ...filter }: CompaniesQuery,
): Promise<{ items: ListedCompany[]; nextCursor?: string }> {
  const { items, next } = await companies.list(tenantId, filter, limit, positionOf(signed, cursor));
  return { items, nextCursor: nextCursor(signed, next) };
}

/** @throws DomainError COMPANY_NOT_FOUND */
export async function getCompany({ companies }: Finding, { tenantId }: Caller, id: string): Promise<ListedCompany> {
  const company = await companies.get(tenantId, id);
  if (!company) throw noSuch();
  return company;
}

type Ledger = { companyId: string; items: AccountEntry[]; balances: Balance[]; nextCursor?: string };

/**
 * Reads debts and payments of a company, also of a deleted one (docs/reference/companies.md#ledger).
 * @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for a cursor of another ledger
 */
export async function readLedger(
  { companies, signed }: Finding,
  { tenantId }: Caller,
  id: string,
  { limit, cursor, ...filter }: LedgerQuery,
): Promise<Ledger> {
  const company = await companies.get(tenantId, id, true);
  if (!company) throw noSuch();
  const bound = `ledger ${company.companyId}`;
  const [createdAt, entryId] = cursor === undefined ? [] : (openCursor(signed, cursor, bound) as [number, string]);
  const after = createdAt !== undefined && entryId !== undefined ? { createdAt, id: entryId } : undefined;
  const { items, next, balances } = await companies.ledger(tenantId, company, filter, limit, after);
  const nextPage = next && signCursor(signed, [next.createdAt, next.id], bound);
  return { companyId: company.companyId, items, balances, nextCursor: nextPage };
}

/**
 * Checks that a company can be invoiced.
 * @param pointer to the company's id in the body
 * @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for an inactive one
 */
export async function mustBeInvoiceable(
  { companies }: Pick<Services, 'companies'>,
  tenantId: TenantId,
  companyId: string,
  pointer: string,
): Promise<void> {
  const company = await companies.get(tenantId, companyId);
  if (!company) throw noSuch();
  if (company.active) return;
  const errors = [{ pointer, code: 'INACTIVE', detail: 'names a company that is not active' }];
  throw new DomainError('VALIDATION_FAILED', 'The company is not active.', { errors });
}

/** What an invoice says of the company of a stay, also of one that was deleted; `undefined` without a company. */
export async function companyToInvoice(
  { companies }: Pick<Services, 'companies'>,
  tenantId: TenantId,
  companyId: string | undefined,
): Promise<InvoicedCompany | undefined> {
  if (companyId === undefined) return undefined;
  const company = await companies.get(tenantId, companyId, true);
  if (!company) return undefined;
  const { name, vatId, billingAddress } = company;
  return { companyId, name, ...(vatId !== undefined && { vatId }), ...(billingAddress && { billingAddress }) };
}

const noSuch = (): DomainError => new DomainError('COMPANY_NOT_FOUND', 'The tenant has no company with this id.');
