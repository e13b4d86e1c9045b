import t from 'tap';

import { FakeClock } from '../../testing/fake-clock.ts';
import { CALLER } from '../../testing/front-desk.ts';
import { FakeJobs } from '../../testing/jobs/fake-jobs.ts';
import { Noted } from '../../testing/partners/noted.ts';
import { NOW } from '../../testing/property-world.ts';
import { requestRefresh } from './request-refresh.ts';

const key = (fingerprint = 'f', name = 'k') => ({ key: name, fingerprint });

function desk() {
  const jobs = new FakeJobs();
  const { changes, administration } = new Noted();
  return { jobs, changes, services: { jobs, clock: new FakeClock(), administration } };
}

t.test('a key makes one job, for its tenant and its user', async (t) => {
  const { jobs, changes, services } = desk();
  const first = await requestRefresh(services, CALLER, key());
  t.equal(first.replayed, false);
  t.same(await requestRefresh(services, CALLER, key()), { jobId: first.jobId, replayed: true });
  for (const caller of [
    { ...CALLER, tenantId: 'rival' },
    { ...CALLER, subject: 'somebody' },
  ])
    t.not((await requestRefresh(services, caller, key())).jobId, first.jobId);
  t.not((await requestRefresh(services, CALLER, key('f', 'other'))).jobId, first.jobId);
  t.equal(jobs.jobs.length, 4);
  t.match(changes[0], { entity: 'job', entityId: first.jobId, action: 'REFRESH_COMPETITORS' });
  t.equal(changes.length, 4, 'a repeat asks for nothing');
  await t.rejects(requestRefresh(services, CALLER, key('g')), { code: 'IDEMPOTENCY_MISMATCH' });
});

t.test('a requested refresh includes everything last queried before the request', async (t) => {
  const { jobs, services } = desk();
  await requestRefresh(services, CALLER);
  await requestRefresh(services, CALLER);
  t.equal(jobs.jobs.length, 2, 'without a key each request is one of its own');
  t.match(jobs.jobs[0], { name: 'competitor-refresh', data: { tenantId: 'acme', since: NOW } });
});
