import t from 'tap';

import type { Administration } from '../../tenants/ports.ts';
import type { TenantStatus } from '../../tenants/rules/tenant.ts';
import { TestFrontDesk } from '../../testing/front-desk.ts';
import { bookCommand, DAY, PROPERTY_ID, NOW } from '../../testing/property-world.ts';
import { availabilityRecord } from '../../testing/taken-events.ts';
import { takeAvailability } from './take-availability.ts';

async function desk(t: Parameters<typeof TestFrontDesk.open>[0], status?: TenantStatus) {
  const { services, running } = await TestFrontDesk.open(t);
  const records = { tenant: async () => status && { status } };
  const administration = { read: (_: string, work: (of: unknown) => unknown) => work(records) } as Administration;
  const take = (fields = {}, headers = {}) =>
    takeAvailability({ ...services, administration }, availabilityRecord(fields, headers));
  const cell = async () => {
    const [{ total, blocked } = { total: -1, blocked: -1 }] = (await services.properties.view(PROPERTY_ID)).grid(
      DAY + 5,
      DAY + 5,
      'STD',
    );
    return [total, blocked];
  };
  return { take, cell, running, seq: async () => (await services.properties.view(PROPERTY_ID)).seq };
}

t.test('counts from outside are absolute, and our own records change nothing', async (t) => {
  const { take, cell } = await desk(t);
  t.same(await take({ origin: 'innkeeper', totalRooms: 9 }), { effect: 'none' });
  t.same(await cell(), [3, 0]);
  t.same(await take(), { effect: 'taken' });
  t.same(await cell(), [4, 1]);
});

t.test('the same event has one effect, whatever happened since', async (t) => {
  const { take, cell, seq } = await desk(t);
  const eventId = 'a57c0c2e-0000-4000-8000-000000000001';
  await take({ eventId });
  await take({ totalRooms: 2, blockedRooms: 0, timestamp: NOW });
  const before = await seq();
  t.same(await take({ eventId }), { effect: 'none' });
  t.same([await cell(), await seq()], [[2, 0], before]);
});

t.test('an older report does not overwrite a newer one', async (t) => {
  const { take, cell } = await desk(t);
  await take({ timestamp: NOW - 1_000, totalRooms: 5 });
  t.same(await take({ timestamp: NOW - 2_000, totalRooms: 9 }), { effect: 'none' });
  await take({ timestamp: NOW - 500, seq: 7, totalRooms: 6 });
  t.same(await take({ timestamp: NOW - 500, seq: 6, totalRooms: 9 }), { effect: 'none' }, 'in the same moment');
  t.same(await cell(), [6, 1]);
  t.same(await take({ timestamp: NOW - 500, seq: 8, totalRooms: 7 }), { effect: 'taken' });
  t.same(await cell(), [7, 1]);
});

t.test('a record that cannot be applied becomes a dead letter with its reason', async (t) => {
  const { take, running } = await desk(t);
  const refused = async (fields: Record<string, unknown>, reason: string, headers = {}): Promise<void> =>
    void (await t.rejects(take(fields, headers), { name: 'InvalidRecord', reason }));
  await refused({ tenantId: null }, 'NO_TENANT');
  await refused({}, 'NO_TENANT', { tenantId: 'rival' });
  await refused({ tenantId: null }, 'UNKNOWN_PROPERTY', { tenantId: 'rival' });
  await refused({ propertyId: 'none' }, 'UNKNOWN_PROPERTY');
  await refused({ roomType: 'NONE' }, 'UNKNOWN_ROOM_TYPE');
  await refused({ date: '2026-05-31' }, 'DATE_OUTSIDE_HORIZON');
  await refused({ date: '2036-05-31' }, 'DATE_OUTSIDE_HORIZON');
  await refused({ date: 'tomorrow' }, 'MALFORMED');
  await refused({ totalRooms: -1 }, 'MALFORMED');
  await refused({ timestamp: NOW + 600_000 }, 'TIMESTAMP_AHEAD');
  for (let n = 0; n < 3; n++) await running.send(bookCommand());
  await refused({ totalRooms: 3, blockedRooms: 1 }, 'ROOM_NOT_AVAILABLE');
  t.same(
    await take({ tenantId: null }, { tenantId: PROPERTY_ID.tenantId }),
    { effect: 'taken' },
    'the header is enough',
  );
});

t.test('a tenant that is not active is not set up from outside either', async (t) => {
  const { take, cell } = await desk(t, 'SUSPENDED');
  await t.rejects(take(), { name: 'InvalidRecord', reason: 'TENANT_NOT_ACTIVE' });
  t.same(await cell(), [3, 0]);
});
