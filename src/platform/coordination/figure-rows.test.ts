import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { connect } from '../database/connection.ts';
import { FigureRows } from './figure-rows.ts';

const MINUTE = 60_000;
const { admin, url } = await withTestDatabase(t);
const client = await connect(url, 'innkeeper_system');
t.teardown(() => client.end());
const [one, two] = ['one', 'two'].map((nodeId) => new FigureRows(async () => client, nodeId)) as [
  FigureRows,
  FigureRows,
];
const now = Math.floor(Date.now() / MINUTE) * MINUTE;
const dayBefore = now - 1_440 * MINUTE;

t.test('a minute is written over that of the day before, and goes when it is older', async (t) => {
  await one.write({ at: dayBefore, figures: { sockets: 1 } });
  await two.write({ at: dayBefore - 61 * MINUTE, figures: { sockets: 1 } });
  await two.write({ at: dayBefore - MINUTE, figures: { sockets: 2 } });
  await one.write({ at: now, figures: { sockets: 3, 'of another release': 4 } });
  const { rows } = await admin.query('select node_id, slot from system.node_figures order by 1, 2');
  t.equal(rows.length, 2, 'a row for each node and minute of a day, and none of a day and an hour ago');
  const all = await one.since(dayBefore - 2 * MINUTE, undefined);
  t.same(all.get('one'), [{ at: now, figures: { sockets: 3, 'of another release': 4 } }]);
  t.same(all.get('two'), [{ at: dayBefore - MINUTE, figures: { sockets: 2 } }]);
  t.same([...(await one.since(dayBefore, undefined)).keys()], ['one'], 'after a time');
  t.same([...(await one.since(0, 'two')).keys()], ['two'], 'of one node');
});

t.test('a row that is too old is written over, and not deleted as well', async (t) => {
  await one.write({ at: now - 3 * 1_440 * MINUTE + MINUTE, figures: {} });
  await one.write({ at: now + MINUTE, figures: { sockets: 5 } });
  t.equal((await one.since(now, 'one')).get('one')!.length, 1);
});
