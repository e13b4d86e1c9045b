import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { JobRun } from '../../kernel/ports.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { FakeJobs } from '../../testing/jobs/fake-jobs.ts';
import { MemoryOptimizations } from '../../testing/partners/memory-optimizations.ts';
import { DAY, PROPERTY_ID } from '../../testing/property-world.ts';
import { optimizationBody } from '../contracts/yield.ts';
import { findLostOptimizations, getOptimization, optimizeYield } from './optimize-yield.ts';
import { runOptimization } from './run-optimization.ts';

const { tenantId, propertyId } = PROPERTY_ID;

async function desk(t: Parameters<typeof TestFrontDesk.open>[0]) {
  const { services: ofDesk, running } = await TestFrontDesk.open(t, { policies: { horizonNights: 120 } });
  const [jobs, optimizations] = [new FakeJobs(), new MemoryOptimizations()];
  const services: Services = { ...ofDesk, jobs, optimizations };
  const period = { startDate: formatDay(DAY + 1), endDate: formatDay(DAY + 100) };
  const body = optimizationBody.parse({ propertyId, optimizationPeriod: period });
  const reported: number[] = [];
  const run: JobRun = {
    id: 'job',
    signal: new AbortController().signal,
    progress: async (percent) => void reported.push(percent),
  };
  const ask = async () => (await optimizeYield(services, CALLER, body)).optimization;
  return { services, running, jobs, optimizations, run, reported, ask };
}

t.test('a long period is left to the queue, which completes it and tells how far it is', async (t) => {
  const { services, jobs, optimizations, run, reported, ask } = await desk(t);
  const asked = await ask();
  t.match(asked, { status: 'RUNNING', progress: 0, plan: undefined });
  const { id } = asked;
  t.match(jobs.jobs, [{ name: 'yield-optimization', id, data: { tenantId, id } }]);
  const seconds: number[] = [];
  services.metricEvents.on('optimization', (took) => seconds.push(took));
  await runOptimization(services, { tenantId, id }, run);
  const done = (await getOptimization(services, CALLER, id)).optimization;
  t.match(done, { status: 'COMPLETED', progress: 100 });
  t.ok(done.plan!.projectedRevenue >= done.plan!.currentRevenue);
  t.ok(reported.length > 0);
  t.equal(seconds.length, 1);
  await runOptimization(services, { tenantId, id }, run);
  t.same(await optimizations.find(tenantId, id), done, 'done twice it is the same');
  t.same(optimizations.notes, [{ id, what: 'RUN' }]);
});

t.test('an impossible optimization fails with its reason; a temporary failure is retried', async (t) => {
  const { services, run, ask, optimizations } = await desk(t);
  const { id } = await ask();
  const busy = new DomainError('NOT_EXECUTED', 'Too much is being computed already.');
  const breaking = (fault: Error): Services => ({
    ...services,
    properties: {
      ...services.properties,
      view: async () => {
        throw fault;
      },
    },
  });
  await t.rejects(runOptimization(breaking(busy), { tenantId, id }, run), busy);
  t.match(await optimizations.find(tenantId, id), { status: 'RUNNING' });
  await runOptimization(breaking(new DomainError('PROPERTY_NOT_FOUND', 'gone')), { tenantId, id }, run);
  t.match(await optimizations.find(tenantId, id), { status: 'FAILED', error: 'gone' });
});

t.test('without a queue it has failed', async (t) => {
  const { jobs, optimizations, ask } = await desk(t);
  jobs.enqueue = () => Promise.reject(new DomainError('NOT_EXECUTED', 'no queue'));
  await t.rejects(ask(), { code: 'NOT_EXECUTED' });
  t.match([...optimizations.all.values()], [{ status: 'FAILED' }]);
});

t.test('an optimization whose job is lost is enqueued again, by the next read and by the sweep', async (t) => {
  const { services, running, jobs, optimizations, ask } = await desk(t);
  const { id } = await ask();
  const other = (await ask()).id;
  const stands = async (of: string) => (await getOptimization(services, CALLER, of)).optimization;
  jobs.jobs.length = 0;
  t.match(await stands(id), { status: 'RUNNING' });
  await findLostOptimizations(services, tenantId);
  t.same(jobs.jobs, [], 'perhaps on its way');
  running.clock.pass(120_000);
  t.match(await stands(id), { status: 'RUNNING' });
  t.match(jobs.jobs, [{ name: 'yield-optimization', id, data: { tenantId, id } }]);
  await findLostOptimizations(services, tenantId);
  await findLostOptimizations(services, tenantId);
  t.same(
    jobs.jobs.map((job) => job.id),
    [id, other],
  );
  const find = jobs.find.bind(jobs);
  jobs.find = () => Promise.reject(new DomainError('NOT_EXECUTED', 'no queue'));
  t.match(await stands(id), { status: 'RUNNING' }, 'nobody knows');
  jobs.find = find;
  Object.assign(jobs.jobs[0]!, { state: 'FAILED', error: 'a fault' });
  t.match(await stands(id), { status: 'FAILED', error: 'a fault' });
  Object.assign(jobs.jobs[1]!, { state: 'COMPLETED' });
  await findLostOptimizations(services, tenantId);
  t.match(optimizations.all.get(`${tenantId} ${other}`), { status: 'FAILED', error: 'its outcome is lost' });
});
