import { globSync } from 'node:fs';
import t from 'tap';

import { ROOT, testFiles } from './needs.ts';
import { ALONE, RUNTIME_MATTERS, type Shard, shardsOfCi, shardsOfTheNight } from './shards.ts';

const blackBox = globSync('test/blackbox/*.test.ts', { cwd: ROOT }).toSorted();
const filesOf = (shards: readonly Shard[], runtime?: string): string[] =>
  shards
    .filter(({ env }) => env?.['INNKEEPER_SCRIPT'] === runtime)
    .flatMap(({ command }) => command.filter((word) => word.endsWith('.test.ts')))
    .toSorted();

const ci = await shardsOfCi();
const ofCi = [...ci.lanes.flat(), ...ci.alone];
const night = shardsOfTheNight().lanes.flat();

void t.test('CI runs every test file once, and the whole black box on Deno', async (t) => {
  t.same(filesOf(ofCi), testFiles());
  t.same(filesOf(ofCi, 'start'), blackBox);
});

void t.test('CI and the night together run the whole black box on Node, each file once', async (t) => {
  t.same([...filesOf(ofCi, 'start:node'), ...filesOf(night, 'start:node')].toSorted(), blackBox);
});

void t.test('every name of a black-box file is that of a file', async (t) => {
  for (const name of [...ALONE, ...RUNTIME_MATTERS]) t.ok(blackBox.includes(`test/blackbox/${name}.test.ts`), name);
});

void t.test('what has a length of its own for the night is run by it', async (t) => {
  t.ok(filesOf(night).includes('actors/simulation/simulation.test.ts'));
  for (const shard of night) t.equal(shard.env?.['INNKEEPER_NIGHTLY'], '1', shard.name);
});
