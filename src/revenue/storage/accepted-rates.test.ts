import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import type { AcceptedRate } from '../rules/accepted-rate.ts';
import { databaseAcceptedRates } from './accepted-rates.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const accepted = databaseAcceptedRates(database);
const DAY = dayOf('2027-03-01');
const LONG_AGO = dayOf('2020-03-01');
const to = { tenantId: 'acme', propertyId: 'inn' };

const one = (over: Partial<AcceptedRate> = {}): AcceptedRate => ({
  optimizationId: '01890000-0000-7000-8000-000000000001',
  roomType: 'STD',
  day: DAY,
  acceptedAt: 1_800_000_000_000,
  acceptedBy: 'mara',
  byRule: false,
  from: 10_050,
  to: 11_000,
  roomsExpected: 4.25,
  revenueBefore: 40_007,
  revenueExpected: 43_000,
  roomsBooked: 10,
  revenueBooked: 95_001,
  ...over,
});

t.test('what is recorded is read as it was, newest first, once, and of its tenant and property alone', async (t) => {
  const later = one({ day: DAY + 2, acceptedAt: 1_800_000_000_500, byRule: true });
  await accepted.record(to, [one(), later]);
  await accepted.record(to, [one({ to: 12_000 })]);
  await accepted.record({ ...to, propertyId: 'other' }, [one()]);
  await accepted.record({ ...to, tenantId: 'rival' }, [one()]);
  t.same(await accepted.ofNights(to, DAY, DAY + 2), [later, one()]);
  t.same(await accepted.ofNights(to, DAY + 1, DAY + 2), [later]);
  t.same(await accepted.since(to, 1_800_000_000_001), [later]);
  t.same(await accepted.ofNights({ ...to, tenantId: 'nobody' }, DAY, DAY + 2), []);
});

t.test('nights of years ago are forgotten with the next acceptance', async (t) => {
  const inn = { ...to, propertyId: 'old-inn' };
  await accepted.record(inn, [one({ day: LONG_AGO })]);
  t.equal((await accepted.ofNights(inn, LONG_AGO, LONG_AGO)).length, 1);
  await accepted.record(inn, [one()]);
  t.same(await accepted.ofNights(inn, LONG_AGO, DAY), [one()]);
});
