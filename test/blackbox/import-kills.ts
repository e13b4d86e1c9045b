import type { Test } from 'tap';

import { auditIsClean } from './audit.ts';
import { ImportDesk } from './groups/imports.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import type { Page } from './shapes.ts';
import { pause } from './waiting.ts';

const ROWS = 6_000;
const KILLS = 3;

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
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(1_200 + 700 * kill);
    await service.killHard();
    await service.up();
  }
  const same = await desk.send(file);
  t.ok(same.status === 202 || same.status === 409, 'the same file again');
  const done = await desk.ended(json.importId, 120_000);
  t.match(done, { status: 'COMPLETED', lines: ROWS, done: ROWS, counts: { created: ROWS, refused: 0 } });
  t.same(done.reconciliation!.differences, []);
  t.same(done.reconciliation!.read, done.reconciliation!.stored);
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
