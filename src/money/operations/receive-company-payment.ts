import { v7 as uuidv7 } from 'uuid';

import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Done } from '../../kernel/rules/administration.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import type { CompanyPaymentBody } from '../contracts/companies.ts';
import type { AccountEntry, CompanyPayment } from '../rules/company.ts';
import { mustBeWhole } from '../rules/whole-amounts.ts';

/** Tolerance for clients whose clock is ahead. */
const AHEAD_MS = 60_000;

/**
 * Records a payment of a company to a property (docs/reference/companies.md#payments-of-a-company), which lowers what
 * the company owes.
 * @throws DomainError COMPANY_NOT_FOUND, PROPERTY_NOT_FOUND, INVALID_STATE for a sandbox, VALIDATION_FAILED for a time
 * in the future and for fractions that the currency does not have
 */
export async function receiveCompanyPayment(
  { companies, properties, clock }: Pick<Services, 'companies' | 'properties' | 'clock'>,
  caller: Caller,
  companyId: string,
  { propertyId, currency, receivedAt, ...body }: CompanyPaymentBody,
  key?: ClientKey,
): Promise<Done<AccountEntry>> {
  const view = await properties.view({ tenantId: caller.tenantId, propertyId });
  if (isSandbox(propertyId)) throw new DomainError('INVALID_STATE', 'Guests of this property are invented.');
  const now = clock.now();
  if (receivedAt !== undefined) mustBePast(receivedAt, now);
  const paidIn = currency ?? view.currency;
  mustBeWhole('/amount', body.amount, paidIn);
  const payment: CompanyPayment = definedMembers({
    paymentId: uuidv7(),
    companyId: companyId.toLowerCase(),
    propertyId,
    ...body,
    currency: paidIn,
    receivedAt: receivedAt ?? now,
  });
  const done = await companies.receive(caller, payment, key);
  const { timezone, policies } = view.setup.property.metadata;
  const { companyId: _known, paymentId: entryId, receivedAt: at, ...paid } = done.result;
  const day = businessDate(at, { timezone, nightAuditHour: policies.nightAuditHour });
  return { ...done, result: { entryId, at, businessDate: day, kind: 'PAYMENT', ...paid } };
}

function mustBePast(receivedAt: Instant, now: Instant): void {
  if (receivedAt <= now + AHEAD_MS) return;
  const errors = [{ pointer: '/receivedAt', code: 'IN_THE_FUTURE', detail: 'is yet to come' }];
  throw new DomainError('VALIDATION_FAILED', 'What is received has come already.', { errors });
}
