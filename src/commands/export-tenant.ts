import { createHash } from 'node:crypto';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';

import { StoredGuests } from '../guests/storage/guests.ts';
import { runCommand } from '../platform/backup/command.ts';
import { loadSecretKeys } from '../platform/config/config.ts';
import { writeWhole } from '../platform/config/write-whole.ts';
import { connect } from '../platform/database/connection.ts';
import { openDatabase } from '../platform/database/database.ts';
import { LaunchError } from '../platform/launch/launch-error.mjs';
import {
  exportedRows,
  type ExportTable,
  type OpenSealed,
  exportSnapshotOf,
} from '../tenants/storage/tenant-export.ts';

/** Entry of `manifest.json` for a file; the hash is SHA-256 in hex. */
type Written = { table: string; file: string; rows: number; bytes: number; sha256: string };

/**
 * `npm run export -- --tenant <id> [--to <folder>]`: exports everything of a tenant as NDJSON by table, at one moment
 * and through the application role with this tenant set. The manifest is written last: an export without it is
 * incomplete.
 */
await runCommand(async (signal) => {
  const options = { tenant: { type: 'string' }, to: { type: 'string' } } as const;
  const { tenant, to } = parseArgs({ options }).values;
  const { DATABASE_URL, INIT_CWD } = process.env;
  if (!tenant) throw new LaunchError('name the tenant: npm run export -- --tenant <id> [--to <folder>]');
  if (!DATABASE_URL) throw new LaunchError('run it as npm run export, or name the database in DATABASE_URL');
  const client = await connect(DATABASE_URL, 'innkeeper_app', { answerWithinMs: 0 });
  await using database = await openDatabase(DATABASE_URL, { poolSize: 1 });
  try {
    const tables = await exportSnapshotOf(client, tenant);
    if (!tables) throw new LaunchError(`there is no tenant ${tenant}`);
    const exportedAt = new Date().toISOString();
    // npm changes into the project folder, but a path is relative to the user's folder.
    const folder = resolve(INIT_CWD ?? '.', to ?? `export-${tenant}-${exportedAt.slice(0, 19).replaceAll(':', '-')}`);
    await makeEmpty(folder);
    const keys = loadSecretKeys(process.env).map(({ id, key }) => ({ id, secret: key }));
    const guests = new StoredGuests(database, keys);
    const files: Written[] = [];
    for (const table of tables) {
      signal.throwIfAborted();
      files.push(await writeTable(client, folder, table, (sealed) => guests.open(tenant, sealed), signal));
    }
    const manifest = { format: 'innkeeper-export', version: 1, tenantId: tenant, exportedAt, files };
    writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    console.log(`${rows} rows of ${files.length} tables in ${folder}`);
    console.log('  names of guests stand there in clear: keep it where only you can read it');
    return 0;
  } finally {
    await client.end();
  }
});

/** @throws LaunchError when the folder is not empty */
async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new LaunchError(`${folder} is not empty`);
}

async function writeTable(
  client: Client,
  folder: string,
  table: ExportTable,
  opened: OpenSealed,
  signal: AbortSignal,
): Promise<Written> {
  const file = `${table.name}.ndjson`;
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  await using handle = await open(join(folder, file), 'wx', 0o600);
  for await (const page of exportedRows(client, table, opened)) {
    signal.throwIfAborted();
    const text = Buffer.from(page.map((row) => `${row}\n`).join(''));
    // A full disk takes a part of a page without an error; this writes the rest, or fails.
    await handle.writeFile(text);
    hash.update(text);
    [rows, bytes] = [rows + page.length, bytes + text.length];
    report(table, rows);
  }
  await handle.datasync();
  report(table, rows, '\n');
  return { table: table.name, file, rows, bytes, sha256: hash.digest('hex') };
}

/** Progress, on a terminal; without a total, since the database counts rows over all tenants only. */
function report({ name }: ExportTable, rows: number, end = ''): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${rows} rows${end}`);
}
