import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import type { Log } from '../../kernel/ports.ts';
import { startDatabase } from '../../testing/database.ts';
import { cutLog, type LogPlace } from '../../testing/launch/cut-log.ts';
import { checkLogPosition, LogPosition } from './log-position.ts';

const PLACE =
  'select file_name as file, file_offset as offset from pg_walfile_name_offset(pg_current_wal_flush_lsn())';
const PROPERTY = `
  insert into tenants (tenant_id, name) values ('acme', 'Acme');
  insert into property_actor (tenant_id, property_id, epoch, seq) values ('acme', 'one', 1, 5)`;

void t.test(
  'a log that ends before what it had confirmed rewinds history, one that does not changes nothing',
  async (t) => {
    await using database = await startDatabase();
    const dataDir = t.testdir();
    const said: unknown[] = [];
    const log = { error: (...line: unknown[]) => said.push(...line) } as unknown as Log;
    const check = () => checkLogPosition(database.admin, dataDir, log);
    const generation = async (): Promise<unknown> =>
      (await database.admin.query('select generation, epoch::int from property_actor')).rows[0];
    /** Commits, until the position behind them is noted. */
    const works = async (): Promise<void> => {
      await using _ = new LogPosition(async () => database.admin, dataDir);
      for (let n = 0; n < 25; n++) {
        await database.admin.query(`create table if not exists t${n} (n int)`);
        await new Promise((done) => setTimeout(done, 100));
      }
      await database.admin.query(
        `drop table if exists ${Array.from({ length: 25 }, (_one, n) => `t${n}`).join(', ')}`,
      );
    };
    t.equal(await check(), undefined, 'nothing is noted yet');
    await database.admin.query(PROPERTY);
    await works();
    t.ok(existsSync(join(dataDir, 'log-position.json')));
    t.equal(await check(), undefined, 'the same server');
    await database.admin.query(`set timezone to 'Pacific/Auckland'`);
    t.equal(await check(), undefined, 'the same server, which shows its times in another zone');
    await database.admin.query('reset timezone');
    await database.crash();
    await database.restart();
    t.equal(await check(), undefined, 'a crash loses nothing');
    t.same(await generation(), { generation: 1, epoch: 1 });

    await works();
    const { rows } = await database.admin.query<LogPlace>(PLACE);
    await database.admin.query('checkpoint');
    const place = (await database.admin.query<LogPlace>(PLACE)).rows[0] ?? rows[0]!;
    await works();
    const folder = (await database.admin.query<{ data_directory: string }>('show data_directory')).rows[0]!
      .data_directory;
    await database.crash();
    cutLog(join(folder, '..'), place, 'zeroed');
    await database.restart();
    t.match(await check(), {
      text: /history was rewound: the log of the database ends \d+ bytes before/,
      properties: 1,
    });
    t.match(said, [{ missingBytes: Number, properties: 1, generation: 2 }, /committed changes are lost/]);
    t.same(await generation(), { generation: 2, epoch: 2 }, 'and owners from before can commit nothing');
  },
);
