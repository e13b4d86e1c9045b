import { v5 as uuidv5 } from 'uuid';

import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { pickMembers } from '../../kernel/rules/members.ts';
import { USUAL_PAYMENT_TERMS_DAYS } from '../../money/rules/company.ts';
import { BAR, type RatePlan } from '../../rates/rules/rate-plan.ts';

/** Ids are the same at every start, so that deleted plans and companies are recognized and stay deleted. */
const NAMESPACE = '5d7c3c5e-0c5b-4d0e-9a55-6d3a0b7e2f10';
const idOf = (what: string): string => uuidv5(what, NAMESPACE);

const COMPANY_ID = idOf('Harbor Trading Ltd');

/**
 * Creates the missing further plans of a demo property, and the company of one of them: HOTEL is paid at the desk, CORP
 * invoiced (docs/reference/set-up.md#development-only).
 */
export async function seedPlans(services: Services, caller: Caller, to: Address): Promise<void> {
  const { setup } = await services.properties.view(to);
  const bar = setup.plans.find(({ code }) => code === BAR);
  if (!bar) return;
  for (const plan of plansBeside(bar, to)) {
    if (setup.plans.some(({ code }) => code === plan.code)) continue;
    if (await services.propertyReader.removedPlan(to.tenantId, plan.id)) continue;
    if (plan.companyId !== undefined && !(await hasCompany(services, caller))) continue;
    await unlessThere(sendAlways(services, caller, to, { type: 'PUT_RATE_PLAN', plan, mode: 'create' }));
  }
}

function plansBeside(bar: RatePlan, { propertyId }: Address): RatePlan[] {
  const limits = ['minLengthOfStay', 'maxLengthOfStay', 'minAdvanceBooking', 'maxAdvanceBooking'] as const;
  const like = pickMembers(bar, ['strategy', 'minRatePercent', 'maxRatePercent', ...limits]);
  const plan = (code: string, name: string, adjustmentPercent: number): RatePlan => ({
    id: idOf(`${propertyId} ${code}`),
    code,
    name,
    status: 'ACTIVE',
    cancellationPolicy: 'STANDARD',
    adjustmentPercent,
    ...like,
  });
  return [
    { ...plan('HOTEL', 'Pay at the hotel', 0), guarantee: 'NONE', releaseHour: '18:00' },
    { ...plan('CORP', 'Corporate rate', -5), guarantee: 'COMPANY', companyId: COMPANY_ID },
  ];
}

/** Whether the demo company exists: created now, or earlier and not deleted since. */
async function hasCompany({ companies }: Services, caller: Caller): Promise<boolean> {
  const { tenantId } = caller;
  const known = await companies.get(tenantId, COMPANY_ID, true);
  if (known) return (await companies.get(tenantId, COMPANY_ID)) !== undefined;
  const company = {
    companyId: COMPANY_ID,
    name: 'Harbor Trading Ltd',
    vatId: 'PT500000000',
    billingAddress: { addressLine1: '12 Dock Road', city: 'Lisbon', zipCode: '1200-001', country: 'PT' },
    contact: { email: 'accounts@harbor-trading.example.com' },
    paymentTermsDays: USUAL_PAYMENT_TERMS_DAYS,
    active: true,
  };
  await unlessThere(companies.create(caller, company));
  return true;
}

/** Another node, or the seed of another property, may have been first. */
async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}
