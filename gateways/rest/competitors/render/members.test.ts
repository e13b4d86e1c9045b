import t from 'tap';

import { syncStatusAnswer } from '../../../../src/competitors/contracts/competitors.ts';
import type { CompetitorSyncReport } from '../../../../src/competitors/operations/read-competitor-sync.ts';
import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { syncStatus } from './competitor-sync.ts';

void t.test('every member of the state of the sources is read where it belongs', async (t) => {
  const source: AllMembers<CompetitorSyncReport['sources'][0]> = {
    source: 'scout',
    status: 'FAILED',
    properties: 1,
    queried: 2,
    failing: 3,
    lastAttempt: momentNo(1),
    lastSuccess: momentNo(2),
    nextSync: momentNo(3),
    ageSeconds: 4,
    rates: 5,
    leftOut: { CURRENCY: 6 },
    error: 'No answer',
  };
  const report = {
    sources: [source],
    lastSync: momentNo(4),
    nextSync: momentNo(5),
    ageSeconds: 7,
    status: 'PARTIAL' as const,
    refresh: { id: 'j-1', state: 'COMPLETED', progress: 8, result: { asked: 9, failed: 10 }, error: 'Too late' },
  };
  t.strictSame(await sentMembers(report, (of) => wired(syncStatusAnswer, syncStatus(of as never))), {
    renamed: {
      'refresh.jobId': 'refresh.id',
      'refresh.properties': 'refresh.result.asked',
      'refresh.failing': 'refresh.result.failed',
    },
    dropped: ['sources.0.queried'],
  });
});
