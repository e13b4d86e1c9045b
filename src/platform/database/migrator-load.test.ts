import { Migration } from '@mikro-orm/migrations';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import t from 'tap';

import { MIGRATIONS } from '../../../migrations/all.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { untilTime } from '../../testing/fake-clock.ts';
import { bookCommand, cancelCommand } from '../../testing/property-world.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrator.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const PROPERTIES = 3;
/** A reader for this long. Statements queued behind a migration that waits for it would be blocked meanwhile. */
const READS_FOR_MS = 4_000;

/** A release that adds a column: nullable, so that no row is written, and nobody who does not know it is in its way. */
class AddColumn extends Migration {
  override readonly name = '9001-add-column';

  override up(): void {
    this.addSql('alter table reservations add column loyalty_note text');
  }
}

/** The release after it. */
class AddMore extends Migration {
  override readonly name = '9004-add-more';

  override up(): void {
    this.addSql('alter table reservations add column more_note text');
  }
}

/**
 * Of a second table, so in a migration of its own: with both a reader of both and this one could wait for each other.
 */
class AddAnother extends Migration {
  override readonly name = '9003-add-another';

  override up(): void {
    this.addSql('alter table property_actor add column release_note text');
  }
}

/** An index beside commits, in no transaction. What a try that broke off has left is taken away first. */
class AddIndex extends Migration {
  override readonly name = '9002-add-index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // It waits for who has begun before it, and nobody waits for it.
    this.addSql('set lock_timeout = 0');
    this.addSql('drop index concurrently if exists reservations_loyalty_note');
    this.addSql('create index concurrently reservations_loyalty_note on reservations (tenant_id, loyalty_note)');
    this.addSql('reset lock_timeout');
  }
}

const NEXT = [
  ...MIGRATIONS,
  { name: '9001-add-column', class: AddColumn },
  { name: '9002-add-index', class: AddIndex },
  { name: '9003-add-another', class: AddAnother },
];

const AFTER_NEXT = [...NEXT, { name: '9004-add-more', class: AddMore }];

type Load = { commits: number; slowestMs: number; stop(): Promise<void> };

/** The old build at work: books, reads and cancels, as fast as commits come. @throws where any of it fails */
async function load(): Promise<Load> {
  const properties = await Promise.all(Array.from({ length: PROPERTIES }, () => Stored.property(store)));
  const at: Load = { commits: 0, slowestMs: 0, stop: async () => {} };
  const ending = new AbortController();
  const write = async (property: Stored): Promise<void> => {
    const began = performance.now();
    for (const batch of property.take()) {
      const result = await store.commit(0, [batch]);
      if (result.outcome !== 'committed') throw new Error(JSON.stringify(result));
    }
    at.slowestMs = Math.max(at.slowestMs, performance.now() - began);
    at.commits += 1;
  };
  const working = properties.map(async (property) => {
    while (!ending.signal.aborted) {
      const { reservation } = property.scene.accept(bookCommand({ stay: property.stay() }));
      await write(property);
      if (!(await reservations.get(property.to.tenantId, reservation.id))) throw new Error('it is not there');
      property.scene.accept(cancelCommand(reservation.id));
      await write(property);
    }
  });
  at.stop = async () => {
    ending.abort();
    await Promise.all(working);
  };
  return at;
}

t.test('a release with a column and an index is migrated while nodes of the old build work', async (t) => {
  const at = await load();
  // Somebody reads for longer than a commit may wait: the migration has to come again, instead of holding up all.
  const reader = new Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from reservations');
  const lines: string[] = [];
  const two = [1, 2].map(() => migrate(url, (line) => lines.push(line), NEXT));
  await pause(READS_FOR_MS);
  await untilTime(() => lines.some((line) => /tried again/.test(line)));
  const meanwhile = at.commits;
  await reader.query('commit');
  await reader.end();
  const reports = await Promise.all(two);
  const before = at.commits;
  await untilTime(() => at.commits > before, 'the old build goes on with the new tables');
  await at.stop();
  t.same(
    reports.flatMap(({ applied }) => applied),
    ['9001-add-column', '9002-add-index', '9003-add-another'],
    'of two nodes that start one migrates',
  );
  t.comment(`${at.commits} commits, the slowest ${Math.round(at.slowestMs)} ms`);
  t.ok(meanwhile > 10 * PROPERTIES, 'no commit waited for the reader');
  const { rows } = await admin.query(
    `select indisvalid as valid from pg_index where indexrelid = 'reservations_loyalty_note'::regclass`,
  );
  t.same(rows, [{ valid: true }]);
});

t.test('a vacuum of PostgreSQL is sent away, and no commit waits for that', async (t) => {
  // Slow enough to be in the way for minutes; PostgreSQL looks for work each second.
  await admin.query(
    `alter table reservations set (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
       autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)`,
  );
  const at = await load();
  const vacuums = `select 1 from pg_stat_activity where backend_type = 'autovacuum worker'
    and query like 'autovacuum: VACUUM%reservations%' and xact_start < now() - interval '300 ms'`;
  await untilTime(async () => (await admin.query(vacuums)).rows.length > 0, 'a vacuum');
  const lines: string[] = [];
  const { applied } = await migrate(url, (line) => lines.push(line), AFTER_NEXT);
  await at.stop();
  t.same(applied, ['9004-add-more']);
  t.ok(lines.length < 10, 'it was sent away, and not waited for by trying again');
  t.comment(`the slowest commit ${Math.round(at.slowestMs)} ms`, lines);
});

t.test('a node of the old build that starts again leaves what the new one has put there', async (t) => {
  const installed = `update system.function_file set hash = 'of the next release' where name = 'relay.v1.sql'`;
  await admin.query(installed);
  t.match(await migrate(url, () => {}), { applied: [], functions: [] });
  t.match(await migrate(url, () => {}, AFTER_NEXT), { applied: [], functions: ['relay.v1.sql'] });
});
