import type { Client } from 'pg';
import t from 'tap';

import { connect } from '../../platform/database/connection.ts';
import { WHOLE } from '../../testing/cluster/whole-partition.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { databaseOutbox } from './outbox.ts';

const { admin, url } = await withTestDatabase(t);
const system: Client = await connect(url, 'innkeeper_system');
t.teardown(() => system.end());
const queue = databaseOutbox(async () => system, WHOLE);

const AT = Date.parse('2026-06-01T10:00:00Z');

/** A property with so many rows, one a second; `generation` is that of the property. */
async function journal(tenantId: string, propertyId: string, rows: number, generation = 1) {
  await admin.query('insert into property_actor (tenant_id, property_id, seq, generation) values ($1, $2, $3, $4)', [
    tenantId,
    propertyId,
    rows,
    generation,
  ]);
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select $1, $2, n, to_timestamp($3 / 1000.0) + n * interval '1 s', 'TICK', 'system', 'r' || n, 'e', '{}', ''
     from generate_series(1, $4) n`,
    [tenantId, propertyId, AT, rows],
  );
  return { tenantId, propertyId };
}

void t.test(
  'properties with unpublished rows are found over all tenants, and their next rows in order',
  async (t) => {
    const [one, two] = [await journal('acme', 'anchor', 3), await journal('rival', 'anchor', 2)];
    await journal('acme', 'empty', 0);
    const found = await queue.behind(10);
    t.same(
      found.toSorted((a, b) => b.rows - a.rows),
      [
        { to: one, rows: 3, since: AT + 1_000 },
        { to: two, rows: 2, since: AT + 1_000 },
      ],
    );
    t.equal((await queue.behind(1)).length, 1);
    const [first, second, ...others] = await queue.pending([two, one, { tenantId: 'acme', propertyId: 'empty' }]);
    t.same(others, []);
    t.match(first, { to: two, cursor: 0, newest: 2 });
    t.match(second, { to: one, cursor: 0, newest: 3 });
    t.match(second!.rows[0], { seq: 1, at: AT + 1_000, type: 'TICK', requestId: 'r1', entity: 'e', facts: {} });
    t.same(
      second!.rows.map(({ seq }) => seq),
      [1, 2, 3],
    );
    t.same(await queue.advance([{ to: one, from: 0, published: 2 }]), [{ to: one, from: 0, published: 2 }]);
    const [rest] = await queue.pending([one]);
    t.match(rest, { cursor: 2, newest: 3, rows: [{ seq: 3 }] });
  },
);

void t.test('a cursor moves only from where it was found, and never back', async (t) => {
  const to = await journal('acme', 'fenced', 9);
  const other = await journal('rival', 'fenced', 9);
  t.same(await queue.advance([{ to, from: 0, published: 5 }]), [{ to, from: 0, published: 5 }]);
  const late = { to, from: 0, published: 3 };
  const beside = { to: other, from: 0, published: 9 };
  t.same(await queue.advance([late, beside]), [beside], 'another relay was faster; the others of the call move');
  t.same(await queue.advance([{ to, from: 0, published: 8 }]), [], 'nor forward past what it has not seen');
  t.same(await queue.advance([{ to, from: 5, published: 5 }]), []);
  t.match(await queue.pending([to]), [{ cursor: 5 }]);
  t.same(await queue.pending([other]), []);
  const { rows } = await admin.query('select count(*)::int as n from relay_cursor where property_id = $1', [
    'fenced',
  ]);
  t.same(rows, [{ n: 2 }]);
});

void t.test('a look is bounded, and names those that it did not come to', async (t) => {
  const long = [
    await journal('acme', 'long-1', 400),
    await journal('acme', 'long-2', 400),
    await journal('acme', 'long-3', 9),
  ];
  const found = await queue.pending(long);
  t.same(
    found.map(({ to, newest, rows }) => [to.propertyId, newest, rows.length]),
    [
      ['long-1', 400, 256],
      ['long-2', 400, 256],
      ['long-3', 9, 0],
    ],
  );
});

void t.test('a row keeps the generation in which it was written, however often history is rewound', async (t) => {
  const to = await journal('acme', 'rewound', 3);
  const rewind = () => system.query('select * from system.rewind_generations_v1(0)');
  await rewind();
  const add = async (seq: number) => {
    await admin.query(
      `insert into journal select tenant_id, property_id, $1, at, type, subject, request_id, entity, facts, hash
       from journal where tenant_id = 'acme' and property_id = 'rewound' and seq = 1`,
      [seq],
    );
    await admin.query(`update property_actor set seq = $1 where property_id = 'rewound'`, [seq]);
  };
  await add(4);
  await rewind();
  await rewind();
  await add(5);
  const [{ rows } = { rows: [] }] = await queue.pending([to]);
  t.same(
    rows.map(({ seq, generation }) => [seq, generation]),
    [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 4],
    ],
  );
});
