import { v5 as uuidv5 } from 'uuid';

import { sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { pickMembers } from '../../kernel/rules/members.ts';
import { type Company, USUAL_PAYMENT_TERMS_DAYS } from '../../money/rules/company.ts';
import { BAR, type RatePlan } from '../../rates/rules/rate-plan.ts';
import { DEMO_COMPANIES } from '../rules/guests.ts';

/** Ids are the same at every start, so that deleted plans and companies are recognized and stay deleted. */
const NAMESPACE = '5d7c3c5e-0c5b-4d0e-9a55-6d3a0b7e2f10';
const idOf = (what: string): string => uuidv5(what, NAMESPACE);

/** Companies of the demo by index; the first one is that of the plan CORP. */
export const DEMO_COMPANY_IDS = DEMO_COMPANIES.map(({ name }) => idOf(name));
const COMPANY_ID = DEMO_COMPANY_IDS[0]!;

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

/** The further plans of a demo property. */
export function plansBeside(bar: RatePlan, { propertyId }: Pick<Address, 'propertyId'>): RatePlan[] {
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

/** Whether the company of CORP exists: created now, or earlier and not deleted since. */
async function hasCompany({ companies }: Services, caller: Caller): Promise<boolean> {
  const { tenantId } = caller;
  const known = await companies.get(tenantId, COMPANY_ID, true);
  if (known) return (await companies.get(tenantId, COMPANY_ID)) !== undefined;
  await unlessThere(companies.create(caller, demoCompanies()[0]!));
  return true;
}

/** Creates the companies that send guests where they never existed. */
export async function seedCompanies({ companies }: Pick<Services, 'companies'>, caller: Caller): Promise<void> {
  for (const company of demoCompanies())
    if (!(await companies.get(caller.tenantId, company.companyId, true)))
      await unlessThere(companies.create(caller, company));
}

/** The companies that send guests (docs/concepts/demo.md#guests). */
export function demoCompanies(): Company[] {
  return DEMO_COMPANIES.map(({ name, vatId, line: addressLine1, city, zip: zipCode, country, mail }, index) => ({
    companyId: DEMO_COMPANY_IDS[index]!,
    name,
    vatId,
    billingAddress: { addressLine1, city, zipCode, country },
    contact: { email: `accounts@${mail}.example.com` },
    paymentTermsDays: USUAL_PAYMENT_TERMS_DAYS,
    active: true,
  }));
}

/** Another node, or the seed of another property, may have been first. */
async function unlessThere(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}
