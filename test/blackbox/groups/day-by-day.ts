import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { HttpClient } from '../../../load-tests/client/http.ts';
import { live } from '../../../load-tests/day-by-day/live.ts';
import { madeUpBookings } from '../../../load-tests/day-by-day/made-up.ts';
import { dayByDayLines, summariseLife } from '../../../load-tests/day-by-day/summary.ts';
import { planReplay } from '../../../load-tests/replay/plan.ts';
import { serviceDay } from '../../../load-tests/replay/service-time.ts';
import { inCiOrNightly } from '../../loop/nightly.ts';
import type { Service } from '../service.ts';

const DAYS = inCiOrNightly(5, 20);
const BOOKINGS = 3 * DAYS;

/** Arrivals, departures, no-shows and their money over some days, held against an account of the client's own. */
export async function dayByDay(group: Test, service: Service): Promise<void> {
  await group.test('a property runs for days, and rooms and money match the ledger of the client', async (t) => {
    using client = new HttpClient({
      sockets: 4,
      headers: { authorization: `Bearer ${service.token('demo', 'ADMIN')}`, 'x-tenant-id': 'demo' },
    });
    const { rateUrl, reservationUrl, operatorToken } = service.dev;
    const target = { client, rateUrl, reservationUrl, tenantId: 'demo', propertyId: `lived-${Date.now()}` };
    const plan = planReplay(madeUpBookings(BOOKINGS, DAYS), await serviceDay(target));
    const summary = summariseLife(await live(plan, target, { concurrency: 4, runId: randomUUID(), operatorToken }));
    t.ok(summary.ok, dayByDayLines(summary).join('\n'));
    t.match(summary.audit, { differences: { count: 0 }, violations: [] });
    t.match(summary.money, { cents: 0, findings: { count: 0 } });
    for (const [kind, count] of Object.entries(summary.done)) t.ok(count > 0, kind);
    t.ok(summary.noShows > 0 && summary.expired > 0 && summary.roomsCleaned > 0);
  });
}
