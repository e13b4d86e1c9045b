import t from 'tap';

import type { CommitResult } from '../ports.ts';
import { CommitHealth } from './commit-health.ts';

const SECOND_MS = 1_000;
const unknown: CommitResult = { outcome: 'unknown' };

void t.test('two commits in a row without an answer take the node out of service, for 30 s', async (t) => {
  let now = 0;
  const health = new CommitHealth(() => now);
  const status = async (): Promise<string> => (await health.check()).status;
  const commit = (result: CommitResult) => health.commit(Promise.resolve(result));
  t.equal(await status(), 'UP', 'before the first commit');
  t.same(await commit(unknown), unknown, 'the result is passed on');
  t.equal(await status(), 'UP', 'one may be a lost connection');
  await commit({ outcome: 'unavailable', detail: 'refused' });
  t.match(await health.check(), { status: 'OUT_OF_SERVICE', details: { unanswered: 2 } });
  now += 29 * SECOND_MS;
  t.equal(await status(), 'OUT_OF_SERVICE');
  now += 2 * SECOND_MS;
  t.equal(await status(), 'UP', 'then it gets bookings again, which show whether it is over');
  await commit(unknown);
  t.equal(await status(), 'OUT_OF_SERVICE', 'and the next failure is enough');
  await commit({ outcome: 'unavailable', detail: '53100', isReadOnly: true });
  t.equal(await status(), 'UP', 'a database without room is an answer: reads go on');
  await commit(unknown);
  await commit(unknown);
  await commit({ outcome: 'rejected', reason: 'poison', detail: 'a fault of one batch' });
  t.equal(await status(), 'UP', 'an error of the database is an answer');
});

void t.test('an activation that fails counts, because without it nothing is committed', async (t) => {
  const health = new CommitHealth(() => 0);
  const failing = (code: string) => health.activation(Promise.reject(Object.assign(new Error('failed'), { code })));
  for (const code of ['22P02', '22P02', '57014']) await t.rejects(failing(code), /failed/);
  t.match(await health.check(), { status: 'UP' }, 'rows that cannot be read are an answer');
  await t.rejects(failing('55P03'), /failed/);
  t.match(await health.check(), { status: 'OUT_OF_SERVICE' });
  t.equal(await health.activation(Promise.resolve(7)), 7);
  t.match(await health.check(), { status: 'UP' });
});
