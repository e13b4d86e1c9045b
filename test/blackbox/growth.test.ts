import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tap, { test } from 'tap';

import { AXES } from '../../load-tests/growth/curve.ts';
import type { GrowthRun } from '../../load-tests/growth/growth-run.ts';
import { TINY } from '../../load-tests/growth/plan.ts';
import { runProgram } from './run-program.ts';

/** It starts services eight times, one after the other. */
tap.setTimeout(600_000);

const PROGRAM = fileURLToPath(new URL('../../load-tests/growth/main.ts', import.meta.url));

test('a tiny run has curves over every axis, memory, a calculation and a page', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-growth-test-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const { code, text } = await runProgram(PROGRAM, ['--tiny', '--out', folder]);
  t.equal(code, 0, text.slice(-2_000));
  const run = JSON.parse(readFileSync(join(folder, 'growth.json'), 'utf8')) as GrowthRun;
  t.same(run.notHad, []);
  t.same(run.problems, [], 'every answer was the wanted one, and every frame came');
  t.same([...new Set(run.curves.map(({ axis }) => axis))], [...AXES]);
  for (const what of ['quote', 'chain search', 'page of a list', 'live change', 'paid booking']) {
    const curve = run.curves.find((one) => one.axis === 'properties' && one.what === `${what}, p50`);
    t.same(
      curve?.points.map(({ n }) => n),
      [...TINY.properties],
      what,
    );
    t.ok(
      curve?.points.every(({ value }) => value > 0),
      `${what} took time`,
    );
  }
  const bookings = run.curves.find((one) => one.what === 'paid booking, CPU of the service')!;
  t.ok(
    bookings.points.every(({ value }) => value > 50),
    'a booking costs CPU of the service',
  );
  t.not(bookings.fit, null, 'an exponent was fitted');
  t.same(
    run.memory.map(({ what }) => what),
    ['property', 'socket', 'hold'],
  );
  for (const { what, points } of run.memory) {
    t.same(
      points.map(({ n }) => n),
      [2, 6, 12],
    );
    t.ok(
      points.every(({ rss, heap }) => rss > heap && heap > 10e6),
      `memory with ${what}`,
    );
  }
  t.ok(run.needs!.commits >= 1.5, 'a paid booking is two transactions, less what was committed together');
  t.ok(run.calculation!.carried.every(({ perSecond, parts }) => perSecond > 0 && parts.length >= 3));
  t.match(readFileSync(join(folder, 'growth.html'), 'utf8'), /<svg/);
});
