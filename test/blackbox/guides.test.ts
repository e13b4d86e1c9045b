import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';

import { Service } from './service.ts';

/** A stranger who types all recipes of the pages. */
t.setTimeout(300_000);

const ROOT = resolve(import.meta.dirname, '../..');
const WITHIN_MS = 120_000;

/** The shell blocks of a page, as one script for a service at another address. */
function recipe(page: string, { dev }: Service): string {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map(([, block = '']) => block)
    .filter((block) => !block.includes('npm start'));
  return ['set -euo pipefail', ...blocks]
    .join('\n')
    .replaceAll('http://127.0.0.1:8083', dev.rateUrl)
    .replaceAll('http://127.0.0.1:8084', dev.reservationUrl);
}

async function run(script: string, service: Service): Promise<{ code: number | null; out: string; error: string }> {
  const shell = spawn('bash', ['-c', script], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: service.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WITHIN_MS,
  });
  const ended = new Promise<number | null>((done) => void shell.once('close', done));
  const [out, error, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  return { code, out, error };
}

/** What a newcomer copies from the pages works as it stands, on any system: no option that only GNU tools know. */
void t.test('the recipes of the pages', async (t) => {
  const service = await Service.start();
  t.teardown(() => service.remove());

  await t.test('README books a room', async (t) => {
    const { code, out, error } = await run(recipe('README.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : error);
    t.match(out, /"steps":/, 'the price is explained');
    t.match(out, /"status":"CONFIRMED"/);
  });

  await t.test('the first hotel sells a night, and a colleague has a role', async (t) => {
    const { code, out, error } = await run(recipe('docs/guide/first-hotel.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : `${error}\n${out}`);
    t.match(out, /"tenantId":"seaside"/);
    t.match(out, /"status":"CONFIRMED"/);
    t.match(out, /"role":"STAFF"/);
  });

  await t.test('a night goes from its booking to a credit note', async (t) => {
    const { code, out, error } = await run(recipe('docs/guide/overnight.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : `${error}\n${out}`);
    t.match(out, /"window":"COMPANY"/);
    t.match(out, /INV-\d{4}-\d{6}/);
    t.match(out, /CN-\d{4}-\d{6}/);
  });

  await t.test('a morning at the desk', async (t) => {
    const { code, out, error } = await run(recipe('docs/guide/morning.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : `${error}\n${out}`);
    t.match(out, /20\n19\n/, 'a suite is out of order');
    t.match(out, /DLX CONFIRMED, STD CONFIRMED/);
    t.match(out, /CONFIRMED\nBOOKED\n2\n2\n0\nOFFERED\n/, 'inquiry, rooming list, waitlist');
    t.match(out, /The Crown, 5 Quay Street\nThe Crown, 5 Quay Street\n/, 'walked');
    t.match(
      out,
      /true\nRosa\nIN_PROGRESS\nCLEAN\nINSPECTED\n\d+\n20\n$/,
      'an accessible room is cleaned and given, and the suite is repaired',
    );
  });

  await t.test('a file of another system becomes reservations, once', async (t) => {
    const { code, out, error } = await run(recipe('docs/guide/import.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : `${error}\n${out}`);
    const [trial = '', first = '', again = ''] =
      out.match(/\d+ created, \d+ unchanged, \d+ changed, \d+ refused/g) ?? [];
    const [, created = '', refused = ''] = /^(\d+) created, 0 unchanged, 0 changed, (\d+) refused$/.exec(first) ?? [];
    t.ok(Number(created) > 40 && Number(refused) > 0, first);
    t.equal(trial, first);
    t.equal(again, `0 created, ${created} unchanged, 0 changed, ${refused} refused`);
    const sums = [...out.matchAll(/read ([\d.]+) charges, [\d.]+ payments; stored ([\d.]+) charges/g)];
    t.ok(sums.length >= 2);
    for (const [, read, stored] of sums) t.equal(read, stored, 'to the cent');
  });

  await t.test('the audit trail is exported as the page says', async (t) => {
    const { code, out, error } = await run(recipe('docs/concepts/audit-trail.md', service), service);
    t.equal(code, 0, code === 0 ? 'every command works' : error);
    t.match(out.split('\n')[0], /,/, 'a line with the names of the columns');
  });
});
