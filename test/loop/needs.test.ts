import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { loadedBy, nearestTo, needsDatabaseOnly, partsOf, ROOT, testFiles, wayToPrograms } from './needs.ts';

const files = testFiles();
const loaded = await loadedBy(files);
const fast = files.filter((file) => wayToPrograms(loaded, file) === undefined);

/** What a test calls to have a database, a service, a browser or a part of its own. */
const STARTS =
  /\b(withTestDatabase|startDatabase|startPostgres|launchBrowser|Service\.start|servicesOrSkip|ownServicesOrSkip)\(/;

void t.test('a test that starts a program is not one of the fast ones', async (t) => {
  const starting = files.filter((file) => STARTS.test(readFileSync(join(ROOT, file), 'utf8')));
  t.ok(starting.length > 50, 'they are found');
  t.same(
    starting.filter((file) => fast.includes(file)),
    [],
  );
});

void t.test('decisions and documents are tested without a program', async (t) => {
  t.ok(fast.length > files.length / 2);
  const rules = files.filter((file) => file.startsWith('actors/property/'));
  t.ok(rules.length > 20, 'they are found');
  t.same(
    rules.filter((file) => !fast.includes(file)),
    [],
  );
  t.ok(fast.includes('test/docs.test.ts'));
});

void t.test('the parts that a test asks for are those in its text', async (t) => {
  const redis = files.filter((file) => partsOf(file).includes('redis'));
  t.ok(redis.length > 0);
  t.same(
    redis.filter((file) => fast.includes(file)),
    [],
  );
  t.same(partsOf('test/docs.test.ts'), []);
});

void t.test('a test with a database is told from one that starts other programs', async (t) => {
  const only = files.filter((file) => !fast.includes(file) && needsDatabaseOnly(loaded, file));
  const source = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  t.ok(only.length > 40, 'they are found');
  t.same(
    only.filter((file) => /servicesOrSkip|ownServicesOrSkip|node:child_process/.test(source(file))),
    [],
  );
});

void t.test('tests are found from a source file that they load, nearest first', async (t) => {
  const near = nearestTo(loaded, 'src/rates/rules/promotion.ts', files);
  t.equal(near[0], 'src/rates/rules/promotion.test.ts');
  const far = near.indexOf('actors/host.test.ts');
  t.ok(far > near.indexOf('actors/property/decide-batch.test.ts'), 'by the number of imports between them');
  t.same(nearestTo(loaded, 'src/rates/rules/no-such-file.ts', files), []);
});
