import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tap, { type Test, test } from 'tap';

import { findGoProgram, K6 } from '../../load-tests/go-programs/go-program.ts';
import type { RunFigures } from '../../load-tests/load/figures-of-run.ts';
import { isNightly } from '../loop/nightly.ts';
import { runProgram } from './run-program.ts';

const PROGRAM = fileURLToPath(new URL('../../load-tests/load/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-load-test-'));
tap.teardown(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run load` with these arguments, to its end. */
function load(args: readonly string[], env?: Record<string, string>): Promise<{ code: number; text: string }> {
  return runProgram(PROGRAM, ['--out', folder, ...args], env);
}

async function shortRun(t: Test): Promise<void> {
  const args = ['--scenario', 'flash-sale,chain-search-1000', '--seconds', '4', '--warm-up', '0', '--no-peers'];
  const { code, text } = await load(args);
  t.match(text, /flash-sale +(met|goals missed|failed)/);
  const run = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as RunFigures;
  t.same(
    run.scenarios.map(({ name }) => name),
    ['chain-search-1000', 'flash-sale'],
  );
  for (const { name, endpoints, beside, thresholds, notes } of run.scenarios) {
    t.ok(endpoints.length > 0, `${name}: ${notes.join(' ')}`);
    t.ok(beside!.cpu.service > 0 && beside!.cpu.postgres > 0, 'CPU of service and database');
    t.ok(beside!.memory.serviceMax > 10e6);
    t.not(beside!.loopMaxMs, null, 'event loop');
    t.ok(Object.keys(beside!.waits).length > 0, 'waits of the database');
    // Times depend on the machine; that no room is sold twice does not.
    for (const { metric, isMet } of thresholds) if (metric.startsWith('rooms_')) t.ok(isMet, metric);
  }
  const isFailed = run.scenarios.some(({ outcome }) => outcome === 'failed');
  t.equal(code, isFailed ? 1 : 0, 'the exit code is that of the scenarios');
  t.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<svg/);
}

const skip = findGoProgram(K6) === undefined && 'there is no k6: npm run k6:install';

// A minute of a processor, for what load-tests/load/report.test.ts holds in CI of recorded figures.
if (isNightly())
  void test('a short run has figures of requests, processes and the database in page and JSON', { skip }, shortRun);

void test('what is wrong is said before anything starts', async (t) => {
  const unknown = await load(['--scenario', 'soka']);
  t.equal(unknown.code, 1);
  t.match(unknown.text, /there is no scenario soka; there are all, read-rates, .*soak/);
  const missing = await load(['--scenario', 'soak'], { PATH: folder, XDG_CACHE_HOME: folder });
  t.equal(missing.code, 1);
  t.match(missing.text, /there is no k6 on the PATH or in the cache; install k6, or Go/);
  const half = await load(['--scenario', 'soak', '--base-url', 'http://127.0.0.1:1']);
  t.equal(half.code, 1);
  t.match(half.text, findGoProgram(K6) === undefined ? /no k6/ : /wants a token/);
});
