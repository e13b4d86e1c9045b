import t from 'tap';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Company } from '../../money/rules/company.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { PROPERTY_ID } from '../../testing/property-world.ts';
import { seedPlans } from './seed-plans.ts';

/** A desk that remembers companies and removed plans. */
async function opened(t: Parameters<typeof TestFrontDesk.open>[0]) {
  const desk = await TestFrontDesk.open(t);
  const companies = new Map<string, Company>();
  const removed = { plans: new Set<string>(), companies: new Set<string>() };
  desk.services.companies = {
    get: async (_: string, id: string, withRemoved = false) =>
      withRemoved || !removed.companies.has(id) ? companies.get(id) : undefined,
    create: async (_: unknown, company: Company) => {
      if (companies.has(company.companyId)) throw new DomainError('ALREADY_EXISTS', 'there');
      companies.set(company.companyId, company);
    },
  } as never;
  desk.services.propertyReader = {
    removedPlan: async (_: string, id: string) => (removed.plans.has(id) ? {} : undefined),
  } as never;
  const plans = async () => (await desk.services.properties.view(PROPERTY_ID)).setup.plans;
  const seed = () => seedPlans(desk.services, CALLER, PROPERTY_ID);
  const remove = (planId: string) => desk.running.send({ type: 'REMOVE_RATE_PLAN', planId });
  return { companies, removed, plans, seed, remove };
}

void t.test('the plans and the company are set up once, at whichever start they are absent', async (t) => {
  const { companies, plans, seed } = await opened(t);
  const before = await plans();
  await seed();
  const after = await plans();
  t.same(after.slice(0, before.length), before);
  const [company] = companies.values();
  t.match(
    after.slice(before.length).toSorted((a, b) => (a.code < b.code ? 1 : -1)),
    [
      {
        code: 'HOTEL',
        guarantee: 'NONE',
        releaseHour: '18:00',
        adjustmentPercent: 0,
        cancellationPolicy: 'STANDARD',
      },
      { code: 'CORP', guarantee: 'COMPANY', companyId: company!.companyId, adjustmentPercent: -5 },
    ],
  );
  t.match(company, { name: 'Harbor Trading Ltd', active: true });
  await seed();
  t.same(await plans(), after);
  t.equal(companies.size, 1);
});

void t.test('deleted plans and companies stay deleted', async (t) => {
  const { companies, removed, plans, seed, remove } = await opened(t);
  await seed();
  const byCode = new Map((await plans()).map((plan) => [plan.code, plan]));
  const [hotel, corporate] = [byCode.get('HOTEL')!, byCode.get('CORP')!];
  await remove(hotel.id);
  removed.plans.add(hotel.id);
  await seed();
  t.notOk((await plans()).some(({ code }) => code === 'HOTEL'));
  await remove(corporate.id);
  removed.companies.add([...companies.keys()][0]!);
  await seed();
  t.notOk(
    (await plans()).some(({ code }) => code === 'CORP'),
    'nobody to invoice',
  );
});
