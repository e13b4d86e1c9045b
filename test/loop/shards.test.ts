import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { ROOT, testFiles } from './needs.ts';
import {
  ALONE,
  FILES_OF_THE_NIGHT,
  OF_THE_NIGHT,
  RUNTIME_MATTERS,
  SHARED_SERVICE,
  type Shard,
  shardsOfCi,
  shardsOfTheNight,
} from './shards.ts';

const blackBox = globSync('test/blackbox/*.test.ts', { cwd: ROOT }).toSorted();
const filesOf = (shards: readonly Shard[], runtime?: string): string[] =>
  shards
    .filter(({ env }) => env?.['INNKEEPER_SCRIPT'] === runtime)
    .flatMap(({ command }) => command.filter((word) => word.endsWith('.test.ts')))
    .toSorted();

const ci = await shardsOfCi();
const ofCi = [...ci.lanes.flat(), ...ci.alone];
const { lanes, alone } = await shardsOfTheNight();
const night = [...lanes.flat(), ...alone];
const nameOf = (file: string): string => file.replace(/^test\/blackbox\/|\.test\.ts$/g, '');

void t.test('CI runs every test file once, and on Deno the black box but for what is of the night', async (t) => {
  t.same(
    filesOf(ofCi),
    testFiles().filter((file) => !FILES_OF_THE_NIGHT.includes(file)),
  );
  t.same(
    filesOf(ofCi, 'start'),
    blackBox.filter((file) => !OF_THE_NIGHT.includes(nameOf(file))),
  );
});

void t.test('the night runs the whole black box on both runtimes, each file once', async (t) => {
  t.same(filesOf(night, 'start'), blackBox);
  t.same(filesOf(night, 'start:node'), blackBox);
  for (const file of FILES_OF_THE_NIGHT)
    t.ok(
      night.some(({ command }) => command.includes(file)),
      file,
    );
});

void t.test('every name of a black-box file is that of a file', async (t) => {
  for (const name of [...ALONE, ...RUNTIME_MATTERS, ...OF_THE_NIGHT, ...SHARED_SERVICE])
    t.ok(blackBox.includes(`test/blackbox/${name}.test.ts`), name);
});

void t.test('files share a service that ask for a shared one, and those that move its clock come last', async (t) => {
  const source = (name: string): string => readFileSync(join(ROOT, `test/blackbox/${name}.test.ts`), 'utf8');
  const sharing = blackBox.map(nameOf).filter((name) => /await shared(Pages|Service)\(/.test(source(name)));
  t.same(sharing, SHARED_SERVICE.toSorted());
  const moving = SHARED_SERVICE.filter((name) => source(name).includes('advanceClock('));
  t.same(moving, SHARED_SERVICE.slice(-moving.length));
  for (const name of SHARED_SERVICE)
    t.notMatch(source(name), /Service\.start\(|\.(killHard|terminate)\(/, `${name} has no other service`);
});

void t.test('each promise has a test in CI', async (t) => {
  const promises = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').match(/^\| I\d+ \|.*/gm) ?? [];
  t.equal(promises.length, 10);
  const guide = readFileSync(join(ROOT, 'docs/guide/testing.md'), 'utf8');
  const inCi = new Set([...filesOf(ofCi), ...filesOf(ofCi, 'start')]);
  for (const [promise = ''] of promises.map((line) => line.match(/I\d+/)!)) {
    const [row = ''] = guide.match(new RegExp(`^\\| ${promise} \\|.*`, 'm')) ?? [];
    const files = row.match(/[\w/-]+\.test\.ts/g) ?? [];
    t.ok(files.length > 0, `${promise}: ${row}`);
    t.same(
      files.filter((file) => !inCi.has(file)),
      [],
      promise,
    );
  }
});

void t.test('services are watched in CI that show most: HTTP, frames, events and mails', async (t) => {
  const watched = blackBox.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('isWatched: true'));
  const wanted = ['all', 'clock', 'consumers', 'edge', 'kafka', 'mail', 'security', 'webhooks'];
  t.same(watched.map(nameOf), wanted);
  t.same(
    wanted.filter((name) => OF_THE_NIGHT.includes(name)),
    [],
  );
});

void t.test('what has a length of its own for the night is run by it', async (t) => {
  for (const file of ['actors/simulation/simulation.test.ts', 'test/services/kafkajs.test.ts'])
    t.ok(filesOf(night).includes(file), file);
  for (const shard of night) t.equal(shard.env?.['INNKEEPER_NIGHTLY'], '1', shard.name);
});
