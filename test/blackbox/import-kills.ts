import type { Test } from 'tap';

import { inCiOrNightly } from '../loop/nightly.ts';
import { auditIsClean } from './audit.ts';
import { ImportDesk } from './groups/imports.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import type { Page } from './shapes.ts';
import { until } from './waiting.ts';

/** A kill in the middle of a file is the promise; at night there are more of them, and more to lose. */
const ROWS = inCiOrNightly(2_500, 6_000);
const KILLS = inCiOrNightly(1, 3);

/**
 * Kills the service while it imports: what was sent goes on by itself, nothing is stored twice and nothing is left out
 * (docs/reference/import.md#requests).
 */
export async function importKills(t: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { STD: 40 } });
  const desk = new ImportDesk(service, property.propertyId);
  const lines = Array.from({ length: ROWS }, (_, n) => {
    const from = n % 10 === 0 ? (n / 10) % 90 : -200 + (n % 150);
    const state = from >= 0 ? 'CONFIRMED' : n % 7 === 0 ? 'CANCELLED' : 'CHECKED_OUT';
    const paid = state === 'CANCELLED' ? '' : '25.50';
    return `K${n},${state},${property.day(from)},${property.day(from + 2)},STD,Guest ${n},k${n % 500}@example.com,${100 + (n % 90)}.10,${paid}`;
  });
  const file = ['no,state,from,to,type,name,mail,total,paid', ...lines].join('\n');
  const { json, status } = await desk.send(file);
  t.equal(status, 202);
  let done = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // In the middle of it, on a machine of any speed.
    done = await until('more lines are stored', 60_000, async () => {
      const now = must(await desk.ask<{ done: number }>('GET', `/${json.importId}`), 200).json;
      return now.done > done ? now.done : undefined;
    });
    t.ok(done < ROWS, `killed after ${done} of ${ROWS} lines`);
    await service.killHard();
    await service.up();
  }
  const same = await desk.send(file);
  t.ok(same.status === 202 || same.status === 409, 'the same file again');
  const ended = await desk.ended(json.importId, 120_000);
  t.match(ended, { status: 'COMPLETED', lines: ROWS, done: ROWS, counts: { created: ROWS, refused: 0 } });
  t.same(ended.reconciliation!.differences, []);
  t.same(ended.reconciliation!.read, ended.reconciliation!.stored);
  const again = await desk.run(file);
  t.match(
    again.counts,
    { created: 0, unchanged: ROWS, changed: 0, refused: 0 },
    'the same file again changes nothing',
  );
  let stored = 0;
  for (let cursor = ''; ;) {
    const url = `?propertyId=${property.propertyId}&limit=200${cursor}`;
    const page = must(await service.reservations<Page<object>>('GET', url, { role: 'ADMIN' }), 200).json;
    stored += page.items.length;
    if (!page.nextCursor) break;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  t.equal(stored, ROWS, 'nothing twice, nothing left out');
  await auditIsClean(t, property);
}
