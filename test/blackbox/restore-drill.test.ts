import tap, { test } from 'tap';

import { restoreDrill } from '../../load-tests/drill/restore-drill.ts';

/** Two starts, a backup and a restore. */
tap.setTimeout(400_000);

void test('a restore drill finds what was lost since the backup and nothing else, and says how long it took', async (t) => {
  const steps: string[] = [];
  const found = await restoreDrill(2, (line) => steps.push(line));
  for (const line of steps) t.comment(line);
  t.equal(steps.length, 7);
  t.match(found, { missing: 0, unknown: 0, violations: [] });
  t.ok(
    found.lost > 0 && found.lost < found.acknowledged,
    'bookings after the backup are gone, those before are there',
  );
  t.ok(found.rpo >= 1.5, 'at least as long as bookings went on after the backup');
  t.ok(found.rto > 0);
});
