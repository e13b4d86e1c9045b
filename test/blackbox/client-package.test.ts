import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';

import { openPage, PAGE_FILE_MS, pageTestOptions } from '../../src/testing/live/page-browser.ts';
import { BlackboxProperty } from './property.ts';
import { sharedPages } from './shared-pages.ts';

t.setTimeout(PAGE_FILE_MS);

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const WORDS = [
  /^\w+ \w+: [\d.]+ EUR$/,
  /^booked for [\d.]+$/,
  /^live: CONFIRMED$/,
  /^again: INVALID_STATE$/,
  /^listed: CANCELLED$/,
];

/** The client as its users get it: packed, and installed beside a program that is the example of its page. */
async function installed(t: Test): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-client-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const npm = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', npm, { cwd: join(root, 'packages/client'), maxBuffer: 10_000_000 });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string; files: { path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  t.ok(files.includes('README.md') && files.includes('dist/innkeeper-client.d.ts'));
  t.same(
    files.filter((path) => !/^dist\/|^(package\.json|README\.md|LICENSE)$/.test(path)),
    [],
  );
  const modules = join(folder, 'node_modules');
  const home = join(modules, 'innkeeper-client');
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const program = readFileSync(join(root, 'examples/client/book.ts'), 'utf8');
  writeFileSync(join(folder, 'book.ts'), program.replace(/'[^']*innkeeper-client\.ts'/, "'innkeeper-client'"));
  return folder;
}

/** docs/reference/client.md#client-library */
void t.test('the client that npm packs', pageTestOptions, async (t) => {
  const { service, browser } = await sharedPages(t);
  const { propertyId } = await BlackboxProperty.open(service);
  const folder = await installed(t);
  const { rateUrl: RATE_URL, reservationUrl: RESERVATION_URL, liveUrl: LIVE_URL } = service.dev;
  const asked = { TOKEN: service.token('demo', 'STAFF'), PROPERTY: propertyId, RATE_URL, RESERVATION_URL, LIVE_URL };
  const env = { PATH: process.env['PATH'], HOME: folder, ...asked };
  const check = (t: Test, lines: string): void => {
    for (const [index, line] of lines.trim().split('\n').entries()) t.match(line, WORDS[index] ?? 'nothing more');
    t.equal(lines.trim().split('\n').length, WORDS.length);
  };

  await t.test('books with Node', async (t) => {
    check(t, (await run(process.execPath, ['book.ts'], { cwd: folder, env })).stdout);
  });

  await t.test('books with Deno', async (t) => {
    const deno = join(root, 'node_modules/.bin/deno');
    const may = ['--no-remote', '--node-modules-dir=manual', '--allow-net=127.0.0.1', '--allow-env'];
    check(t, (await run(deno, ['run', ...may, 'book.ts'], { cwd: folder, env })).stdout);
  });

  await t.test('books in a browser', async (t) => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'book.ts')],
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      target: 'es2022',
    });
    const [bundle] = outputFiles;
    t.comment(`the example with the client: ${(bundle!.text.length / 1_000).toFixed(1)} kB`);
    const { page, complaints } = await openPage(browser, `${LIVE_URL}/`, {});
    const inPage = `(async () => {
      let said = '';
      globalThis.process = { env: ${JSON.stringify(asked)}, stdout: { write: (line) => (said += line) } };
      ${bundle!.text}
      return said;
    })()`;
    check(t, await page.evaluate<string>(inPage));
    t.equal(complaints.length, 1, 'the second cancellation alone');
  });

  await t.test('its types refuse what the service refuses', async (t) => {
    const wrong = "await innkeeper.rates.GET('/api/v1/rates/current', { params: { query: { propertyId: 1 } } });";
    const right = readFileSync(join(folder, 'book.ts'), 'utf8');
    writeFileSync(join(folder, 'wrong.ts'), `${right}\n${wrong}\n`);
    const tsc = join(root, 'node_modules/.bin/tsc');
    const lib = ['--lib', 'es2024,dom', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...lib];
    const { stdout } = await run(tsc, [...options, 'book.ts', 'wrong.ts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    t.match(stdout, /^wrong\.ts\(\d+,\d+\): error TS/);
    t.equal(stdout.trim().split('\nwrong.ts').length, 1, 'the example itself has none');
  });
});
