import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { connect } from '../database/connection.ts';
import { databaseJobRounds } from './job-rounds.ts';

const { admin, url } = await withTestDatabase(t);
const client = await connect(url, 'innkeeper_system');
t.teardown(() => client.end());
const [one, two] = ['one', 'two'].map((nodeId) => databaseJobRounds(async () => client, nodeId)) as [
  ReturnType<typeof databaseJobRounds>,
  ReturnType<typeof databaseJobRounds>,
];
const MINUTE_MS = 60_000;

t.test('what one node notes of a round the others see, with its age by real time', async (t) => {
  t.same(await one.all(), new Map());
  const noted = await one.note('audit', { completed: true, delivered: true });
  t.match(noted, { completed: { mark: /^\d+$/ }, advanced: undefined, delivered: { mark: noted.completed!.mark } });
  await admin.query(`update system.clock set offset_ms = 86400000`);
  await admin.query(`update system.job_round set completed_at = completed_at - interval '90 s'`);
  const seen = (await two.all()).get('audit')!;
  t.not(seen.completed!.mark, noted.completed!.mark);
  t.ok(seen.completed!.ageMs >= 90_000 && seen.completed!.ageMs < 3_000_000, `${seen.completed!.ageMs} ms`);
  const advanced = await two.note('audit', { advanced: true });
  t.equal(advanced.completed!.mark, seen.completed!.mark, 'what is not noted stays');
  t.ok(advanced.advanced);
});

t.test('an overdue round is claimed by one node, and again when the claim has run out', async (t) => {
  t.same(await Promise.all([one, two].map((node) => node.claim('round', MINUTE_MS))), [true, false]);
  t.equal(await two.claim('other', MINUTE_MS), true);
  await admin.query(`update system.job_round set claimed_at = now() - interval '61 s' where name = 'round'`);
  t.equal(await two.claim('round', MINUTE_MS), true);
  t.equal(await one.claim('round', MINUTE_MS), false);
  await admin.query(`update system.job_round set claimed_at = now() + interval '1 h' where name = 'round'`);
  t.equal(await one.claim('round', MINUTE_MS), true, 'a claim from before the clock was put back holds up nobody');
});

t.test('a row that somebody has spoilt is no time of anything, and is put right by the next note', async (t) => {
  await one.note('spoilt', { completed: true });
  await admin.query(
    `update system.job_round set completed_at = 'infinity', advanced_at = '-infinity' where name = 'spoilt'`,
  );
  t.match((await two.all()).get('spoilt'), { completed: undefined, advanced: undefined });
  const noted = await two.note('spoilt', { completed: true });
  t.ok(noted.completed!.ageMs < 60_000);
});
