import t from 'tap';

import { Tally } from './tally.ts';

function tallyOf(text: string): Tally {
  const tally = new Tally();
  for (const line of text.split('\n')) tally.add(line);
  return tally;
}

const TWO_FILES = `TAP version 14
1..2
# Subtest: a.test.ts
    # Subtest: group
        # Subtest: one
            ok 1 - first
            ok 2 - second
            1..2
        ok 1 - one # time=1ms
        # Subtest: two
            ok 1 - first
            1..1
        ok 2 - two # time=1ms
        1..2
    ok 1 - group # time=3ms
    1..1
    # time=5ms
ok 1 - a.test.ts # time=5ms
# Subtest: b.test.ts
    ok 1 - should be equal
    1..1
ok 2 - b.test.ts # time=2ms
# { total: 4, pass: 4 }`;

void t.test('tests are counted, not their assertions or their groups', async (t) => {
  const tally = tallyOf(TWO_FILES);
  t.same(tally.counts, { files: 2, passed: 3, failed: 0, skipped: 0 });
  t.equal(tally.planned, 2);
  t.same(tally.failures, []);
});

void t.test('a failure is counted once, where it is, with its file', async (t) => {
  const failing = TWO_FILES.replace('            ok 2 - second', '            not ok 2 - second')
    .replace('        ok 1 - one', '        not ok 1 - one')
    .replace('    ok 1 - group', '    not ok 1 - group')
    .replace('\nok 1 - a.test.ts', '\nnot ok 1 - a.test.ts');
  const { counts, failures } = tallyOf(failing);
  t.same(counts, { files: 2, passed: 2, failed: 1, skipped: 0 });
  t.same(failures, ['a.test.ts: one']);
});

void t.test('a file that fails beside its tests, and one that hangs, are failures', async (t) => {
  const { counts, failures } = tallyOf(
    TWO_FILES.replace('\nok 1 - a.test.ts', '\nnot ok 1 - a.test.ts').replace(
      'ok 2 - b.test.ts # time=2ms',
      'not ok 2 - timeout!',
    ),
  );
  t.same(counts, { files: 2, passed: 2, failed: 2, skipped: 0 });
  t.same(failures, ['a.test.ts', 'timeout!']);
});

void t.test('what is left out is counted, with its file and its reason, and what is to be done too', async (t) => {
  const { counts, skips } = tallyOf(
    TWO_FILES.replace('ok 2 - two # time=1ms', 'ok 2 - two # SKIP no browser').replace(
      'ok 1 - should be equal',
      'ok 1 - later # TODO',
    ),
  );
  t.same(counts, { files: 2, passed: 1, failed: 0, skipped: 2 });
  t.same(skips, ['a.test.ts: two (no browser)', 'b.test.ts: later']);
});

void t.test('what fails is shown, with the lines after it, and nothing that passes', async (t) => {
  const shown = (text: string): string[] => {
    const tally = new Tally();
    return text.split('\n').filter((line) => tally.shows(line));
  };
  t.same(shown(TWO_FILES), []);
  const many = Array.from({ length: 100 }, (_, index) => `    ok ${index + 3} - more`).join('\n');
  const failing = shown(TWO_FILES.replace('    ok 1 - should be equal', `    not ok 1 - should be equal\n${many}`));
  t.equal(failing[0], '    not ok 1 - should be equal');
  t.equal(failing.length, 30);
  const tally = new Tally();
  const two = TWO_FILES.replace(
    '            ok 2 - second',
    '            not ok 2 - second\n                wanted: 1',
  )
    .replace('        ok 1 - one', '        not ok 1 - one')
    .replace('    ok 1 - should be equal', '    not ok 1 - should be equal')
    .replace('ok 2 - b.test.ts', 'not ok 2 - b.test.ts');
  for (const line of two.split('\n')) tally.shows(line);
  t.match(tally.details, [
    ['not ok 2 - second', 'wanted: 1', '1..2'],
    ['not ok 1 - should be equal', '1..1'],
  ]);
});
