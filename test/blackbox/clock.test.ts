import tap, { test } from 'tap';

import { analytics } from './groups/analytics.ts';
import { clock } from './groups/clock.ts';
import { competitors } from './groups/competitors.ts';
import { dayByDay } from './groups/day-by-day.ts';
import { dayReports } from './groups/day-reports.ts';
import { overnight } from './groups/folio.ts';
import { services } from './groups/housekeeping.ts';
import { reminders } from './groups/reminders.ts';
import { wishesAssigned } from './groups/room-wishes.ts';
import { assignment } from './groups/rooms.ts';
import { must } from './property.ts';
import { Service } from './service.ts';

/** A night audit for each day that passes. */
tap.setTimeout(600_000);

/**
 * What moves the clock, which only goes forward. A service of its own: each move is a night's work for every property
 * that is there, and beside the properties of all other groups it took minutes.
 */
const service = await Service.start({}, { isWatched: true });
tap.teardown(() => service.remove());

void test('competitor rates', (t) => competitors(t, service));
void test('from here on competitors are read once a week', async () => {
  // Each refresh writes a year of rates for every property, and every move of the clock made all of them due.
  const body = { name: 'Demo', config: { competitorRefreshHours: 168 } };
  must(await service.tenants('PUT', '', { role: 'OWNER', body }), 200);
});
void test('from here on there are no hotels of the demo', async () => {
  // Their prices are optimized each night, which was half of what a day took.
  for (const hotel of ['harbor-hotel', 'mountain-resort'])
    must(await service.tenants('DELETE', `/properties/${hotel}`, { role: 'OWNER' }), 200);
});
// Every day is a night's work for all properties: first, while there are few of them.
void test('a property day by day', (t) => dayByDay(t, service));
void test('room assignment', (t) => assignment(t, service));
void test('services of guests in house', (t) => services(t, service));
void test('room assignment with wishes', (t) => wishesAssigned(t, service));
void test('overnight', (t) => overnight(t, service));
void test('analytics', (t) => analytics(t, service));
void test('lists of a day', (t) => dayReports(t, service));
void test('reminders', (t) => reminders(t, service));
void test('the clock', (t) => clock(t, service));
