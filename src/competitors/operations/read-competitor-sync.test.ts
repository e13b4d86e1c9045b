import t from 'tap';

import { FakeClock } from '../../testing/fake-clock.ts';
import { CALLER } from '../../testing/front-desk.ts';
import { FakeJobs } from '../../testing/jobs/fake-jobs.ts';
import { NOW } from '../../testing/property-world.ts';
import type { CompetitorFeed, CompetitorRates, SourceOverview } from '../ports.ts';
import { readCompetitorSync } from './read-competitor-sync.ts';

const source = (name: string, other: Partial<SourceOverview> = {}): SourceOverview => ({
  source: name,
  properties: 2,
  queried: 0,
  failing: 0,
  rates: 0,
  leftOut: {},
  ...other,
});

function desk(...overview: SourceOverview[]) {
  const jobs = new FakeJobs();
  const competitors = { overview: async () => overview } as unknown as CompetitorRates;
  const feeds = overview.map(({ source }) => ({ source }) as CompetitorFeed);
  return { jobs, competitors, feeds, clock: new FakeClock() };
}

t.test('the whole is as new as its newest source and due with its earliest', async (t) => {
  const good = { queried: 2, lastSuccess: NOW - 90_500, lastAttempt: NOW - 90_500, nextSync: NOW + 100 };
  const services = desk(
    source('good', good),
    source('bad', { queried: 2, failing: 2, lastSuccess: NOW - 9_000_000, nextSync: NOW + 50, error: 'no answer' }),
  );
  t.match(await readCompetitorSync(services, CALLER), {
    sources: [
      { source: 'good', status: 'OK', ageSeconds: 90 },
      { source: 'bad', status: 'FAILED', ageSeconds: 9_000, error: 'no answer' },
    ],
    lastSync: NOW - 90_500,
    nextSync: NOW + 50,
    ageSeconds: 90,
    status: 'PARTIAL',
    refresh: undefined,
  });
});

t.test('before the first sync, and where there is no source, there is no age', async (t) => {
  t.match(await readCompetitorSync(desk(source('feed')), CALLER), {
    sources: [{ status: 'PENDING', nextSync: NOW }],
    lastSync: undefined,
    nextSync: NOW,
    ageSeconds: undefined,
    status: 'PENDING',
  });
  t.match(await readCompetitorSync(desk(), CALLER), { sources: [], nextSync: undefined, status: 'OFF' });
});

t.test('a refresh tells how far it is, to its tenant alone', async (t) => {
  const services = desk(source('feed'));
  const { id } = await services.jobs.enqueue('competitor-refresh', { tenantId: CALLER.tenantId });
  t.match(await readCompetitorSync(services, CALLER, id), { refresh: { id, state: 'WAITING' } });
  for (const [caller, job] of [
    [{ ...CALLER, tenantId: 'rival' }, id],
    [CALLER, 'nonsense'],
  ] as const)
    await t.rejects(readCompetitorSync(services, caller, job), { code: 'JOB_NOT_FOUND' });
});
