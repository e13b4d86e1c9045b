import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';

import type { importAnswer } from '../imports/contracts/imports.ts';
import { zipFile } from '../imports/rules/zip-file.ts';
import { loadConfig } from '../platform/config/config.ts';

const devFile = z.object({
  reservationUrl: z.string(),
  tokens: z.record(z.string(), z.record(z.string(), z.string())),
});

const USAGE = 'npm run import -- FILE --mapping MAPPING.json --property ID [--dry-run] [--tenant demo] [--url URL]';
const LOOK_MS = 500;
/** How long a service that does not answer is waited for. */
const AWAY_MS = 300_000;
const MAX_SHOWN = 20;

type Target = { url: string; token: string; tenant: string };

/**
 * `npm run import -- FILE --mapping M --property P [--dry-run]` (docs/reference/import.md#requests): sends a file with
 * its mapping to a service, shows how far it is, and says what became of it. Address and token are those of
 * `--url` and `ACCESS_TOKEN`, else of the development service that runs here.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      mapping: { type: 'string' },
      property: { type: 'string' },
      tenant: { type: 'string', default: 'demo' },
      url: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  const { mapping, property, help } = values;
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (file === undefined || property === undefined) throw new Error(USAGE);
  const target = await targetOf(values.tenant, values.url);
  const body = await bodyOf(file, mapping);
  const query = new URLSearchParams({ propertyId: property, dryRun: String(values['dry-run']) });
  const type = body.subarray(0, 2).toString('latin1') === 'PK' ? 'application/zip' : 'application/gzip';
  const began = await ask(target, 'POST', `?${query.toString()}`, { body, type });
  process.stderr.write(`${began.importId} has begun, and goes on without this command\n`);
  const done = await ended(target, began.importId);
  return report(target, done);
}

/** Relative paths are those of the user's folder, and not of the project that npm changes into. */
const pathOf = (file: string): string => resolve(process.env['INIT_CWD'] ?? '.', file);

/** File and mapping as one archive; an archive that has its mapping goes as it is. */
async function bodyOf(file: string, mapping: string | undefined): Promise<Buffer> {
  const bytes = await readFile(pathOf(file));
  if (mapping === undefined) return bytes;
  const said = await readFile(pathOf(mapping));
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw new Error('an archive has its mapping in itself, as mapping.json');
  const name = basename(file).replace(/\.gz$/, '');
  const { gunzipSync } = await import('node:zlib');
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  return Buffer.from(
    zipFile([
      { name: 'mapping.json', bytes: said },
      { name, bytes: plain },
    ]),
  );
}

async function targetOf(tenant: string, url: string | undefined): Promise<Target> {
  const token = process.env['ACCESS_TOKEN'];
  if (url !== undefined && token !== undefined) return { url, token, tenant };
  const { dataDir } = loadConfig(process.env);
  const text = await readFile(join(dataDir, 'dev.json'), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new Error('no service runs here: give --url, and a token of an ADMIN in ACCESS_TOKEN');
  const { reservationUrl, tokens } = devFile.parse(JSON.parse(text));
  const own = token ?? tokens[tenant]?.['ADMIN'];
  if (own === undefined) throw new Error(`there is no token for an ADMIN of ${tenant}: give one in ACCESS_TOKEN`);
  return { url: url ?? reservationUrl, token: own, tenant };
}

type Sent = { body: Buffer; type: string };
type Answer = z.input<typeof importAnswer>;

async function ask(target: Target, method: string, path: string, sent?: Sent): Promise<Answer> {
  return (await (await call(target, method, path, sent)).json()) as Answer;
}

async function call({ url, token, tenant }: Target, method: string, path: string, sent?: Sent): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
  const response = await fetch(`${url}/api/v1/imports${path}`, {
    method,
    ...(sent && { body: new Uint8Array(sent.body) }),
    headers: { ...headers, ...(sent && { 'content-type': sent.type }) },
  });
  if (response.ok) return response;
  const { detail, errors } = (await response.json()) as { detail: string; errors?: object[] };
  const text = [detail, ...(errors ?? []).map((one) => JSON.stringify(one))].join('\n  ');
  throw new Error(text, { cause: response.status });
}

/** Waits until it is over. While the service is away, such as for a restart, the import waits for it too. */
async function ended(target: Target, importId: string): Promise<Answer> {
  let answeredAt = performance.now();
  for (;;) {
    const one = await ask(target, 'GET', `/${importId}`).catch((error: unknown) => {
      if (!isAway(error)) throw error;
      if (performance.now() - answeredAt > AWAY_MS)
        throw new Error(`the service does not answer; ${importId} goes on when it is back: see /admin/import`);
      return undefined;
    });
    if (!one) {
      await pause(LOOK_MS);
      continue;
    }
    answeredAt = performance.now();
    const { done, lines, status } = one;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${lines} lines`);
    if (status !== 'RUNNING') {
      if (process.stderr.isTTY) process.stderr.write('\n');
      return one;
    }
    await pause(LOOK_MS);
  }
}

/** No connection, or a service that starts, or a proxy without one. */
const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && Number(error.cause) >= 500);

async function report(
  target: Target,
  { importId, status, counts, reconciliation, failure, dryRun }: Answer,
): Promise<number> {
  const { created, unchanged, changed, refused } = counts;
  console.log(`${dryRun ? 'Dry run' : 'Import'} ${importId} ${status}${failure === null ? '' : `: ${failure}`}`);
  console.log(`  ${created} created, ${unchanged} unchanged, ${changed} changed, ${refused} refused`);
  if (reconciliation) {
    const { reservations, read, stored, differences } = reconciliation;
    const text = (of: typeof read): string => `${amount(of.charges)} charges, ${amount(of.payments)} payments`;
    console.log(`  ${reservations} reservations: read ${text(read)}; stored ${text(stored)}`);
    for (const { file, line, externalId } of differences)
      console.log(`  differs: ${file} line ${line}, ${externalId}`);
  }
  if (refused > 0) {
    const page = await call(target, 'GET', `/${importId}/report?outcome=REFUSED&limit=${MAX_SHOWN}`);
    const { items } = (await page.json()) as { items: { file: string; line: number; reason: string | null }[] };
    for (const { file, line, reason } of items) console.log(`  refused: ${file} line ${line}: ${reason}`);
    if (refused > items.length) console.log(`  and ${refused - items.length} more: GET /imports/${importId}/report`);
  }
  return status === 'COMPLETED' ? 0 : 1;
}

const amount = (value: unknown): string => Number(value).toFixed(2);

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
