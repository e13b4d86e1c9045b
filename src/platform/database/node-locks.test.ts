import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { Gate } from '../../testing/fake-clock.ts';
import { connect } from './connection.ts';
import { databaseLocks } from './node-locks.ts';

const { url } = await withTestDatabase(t);

async function node() {
  const client = await connect(url, 'innkeeper_system');
  client.on('error', () => {});
  t.teardown(() => client.end().catch(() => undefined));
  return { client, alone: databaseLocks(async () => client) };
}

t.test('a work is done by one node at a time, and by one task of it', async (t) => {
  const one = await node();
  const other = await node();
  const began = new Gate();
  const go = new Gate();
  const done: string[] = [];
  const work = one.alone('audit', async () => {
    began.open();
    await go.opened;
    done.push('one');
  });
  await began.opened;
  t.equal(await other.alone('audit', async () => void done.push('other')), false);
  t.equal(
    await one.alone('audit', async () => void done.push('again')),
    false,
    'its own session would take it twice',
  );
  t.equal(await other.alone('another', async () => void done.push('another')), true);
  go.open();
  t.equal(await work, true);
  t.equal(await other.alone('audit', async () => void done.push('later')), true);
  t.same(done, ['another', 'one', 'later']);
});

t.test('what fails, and what its node leaves when it dies, is free for the next', async (t) => {
  const one = await node();
  const other = await node();
  await t.rejects(
    one.alone('audit', () => Promise.reject(new Error('a fault'))),
    /a fault/,
  );
  t.equal(await other.alone('audit', async () => {}), true);
  const began = new Gate();
  const go = new Gate();
  const lost = one.alone('audit', async () => (began.open(), go.opened));
  await began.opened;
  await one.client.end();
  t.equal(await other.alone('audit', async () => {}), true);
  go.open();
  t.equal(await lost, true, 'it goes on, and nothing is thrown at it');
});
