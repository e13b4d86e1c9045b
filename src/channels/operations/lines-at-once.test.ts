import t from 'tap';

import { LinesAtOnce } from './lines-at-once.ts';

const idsOf = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${name}${n}`);

t.test('lines in memory are bounded, and one channel always fits', (t) => {
  const lines = new LinesAtOnce();
  const first = lines.take('large', 5_000);
  t.ok(first);
  t.notOk(lines.take('small', 1));
  first?.();
  t.equal(idsOf('c', 12).filter((id) => lines.take(id, 200)).length, 10);
  t.end();
});

t.test('slow channels hold up each other, and no others', (t) => {
  const lines = new LinesAtOnce();
  const slow = idsOf('slow', 12);
  for (const id of slow) lines.answered(id, 19_000);
  lines.answered('quick', 500);
  const given = slow.map((id) => lines.take(id, 200)).filter((one) => one !== undefined);
  t.equal(given.length, 2);
  t.ok(lines.take('quick', 200));
  t.ok(lines.take('unknown', 200));
  lines.answered(slow[0]!, 10);
  given[0]!();
  t.ok(lines.take(slow[0]!, 200), 'one after the other');
  t.notOk(lines.take(slow[1]!, 200), 'a quick answer in between is no way around');
  t.end();
});
