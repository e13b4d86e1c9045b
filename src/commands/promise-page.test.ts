import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { promisePage } from './promise-page.ts';

const PAGE = 'Before\n<!-- totals -->\nold\n<!-- end of totals -->\nafter\n';
const run = (held: boolean, kills: number, commit = 'abcdef01') => ({
  proof: 'prove kills',
  date: '2026-11-29',
  commit,
  held,
  counts: { kills, 'bookings missing': 0 },
});

void t.test('the totals of PROMISE.md are those that the proofs have recorded: npm run docs:generate', async (t) => {
  t.equal(readFileSync(join(import.meta.dirname, '../../PROMISE.md'), 'utf8'), promisePage());
});

void t.test('runs are summed by proof, those that failed are counted, and the last one is named', async (t) => {
  const page = promisePage([run(true, 1_200), run(false, 34, 'abcdef02+')], PAGE);
  t.match(page, '| `npm run prove -- kills` | 1 of 2 | 1,234 kills, 0 bookings missing | 2026-11-29, abcdef02+ |');
  t.match(page, /^Before\n<!-- totals -->\n/);
  t.notMatch(page, 'old');
  t.equal(promisePage([run(true, 1_200), run(false, 34, 'abcdef02+')], page), page, 'again the same');
  t.throws(() => promisePage([], 'a page without a place'), /has lost the marks/);
});
