import t from 'tap';

import { atLeast, type Role } from '../../kernel/rules/caller.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { PostOffice } from '../../testing/partners/post-office.ts';
import { freshId } from '../../testing/property-world.ts';
import { mattersFor, type WaitingMatter } from '../rules/waiting-matter.ts';
import { databaseWaitingMatters } from '../storage/waiting-matters.ts';
import { CountedMatters } from './waiting-matters.ts';

const office = await PostOffice.open(t);
const { admin, url } = office.test;
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const matters = databaseWaitingMatters(database);

t.test('what waits is counted until it is solved', async (t) => {
  const property = await office.property('waits', { paymentRequired: false, overbookingLimit: 50 });
  const { propertyId } = property.scene.state.property!;
  const to = { tenantId: 'waits', propertyId };
  const waiting = async (): Promise<WaitingMatter[]> => matters(to, office.clock.now());
  t.same(await waiting(), []);
  const { id } = await office.booked(property);
  await office.booked(property);
  const { rows } = await admin.query<{ today: string }>(
    `select business_date::text as today from property_actor where tenant_id = 'waits'`,
  );
  const [{ today }] = rows as [{ today: string }];
  await admin.query(
    `update reservations set check_in = $1::date, check_out = $1::date + nights where tenant_id = 'waits'`,
    [today],
  );
  t.same(await waiting(), [{ kind: 'ROOMS_MISSING', count: 2 }]);
  await admin.query(`update reservations set room_number = '101' where id = $1`, [id]);
  t.same(await waiting(), [{ kind: 'ROOMS_MISSING', count: 1 }]);
  await admin.query(`update reservations set room_number = '102' where tenant_id = 'waits'`);

  for (const created of [`$2::date - interval '2 days'`, `$2::date + interval '12 hours'`])
    await admin.query(
      `insert into housekeeping_tasks (tenant_id, property_id, room_number, status, created_at)
       values ('waits', $1, gen_random_uuid()::text::varchar(10), 'PENDING', ${created})`,
      [propertyId, today],
    );
  t.same(await waiting(), [{ kind: 'TASKS_OVERDUE', count: 1 }], 'the one of today is not late');
  await admin.query(`update housekeeping_tasks set status = 'IN_PROGRESS' where tenant_id = 'waits'`);

  for (const [days, last] of [
    [7, null],
    [6, null],
    [9, today],
  ] as const)
    await admin.query(
      `insert into maintenances (tenant_id, property_id, id, room_number, kind, first_night, last_night, reason,
         created_at, updated_at)
       values ('waits', $1, $2, '101', 'OUT_OF_ORDER', $3::date - $4::int, $5, 'Pipe', now(), now())`,
      [propertyId, freshId(), today, days, last],
    );
  t.same(await waiting(), [{ kind: 'MAINTENANCE_OVERDUE', count: 1 }]);
  await admin.query(`update maintenances set deleted_at = now() where tenant_id = 'waits'`);

  await office.gather('waits');
  office.answer = () => ({ outcome: 'REFUSED', reason: 'SMTP 550' });
  await office.send('waits');
  t.same(await waiting(), [{ kind: 'MESSAGES_FAILED', count: 2 }]);
  await admin.query(`update notifications set state = 'WAITING' where tenant_id = 'waits'`);
  t.same(await waiting(), []);
});

t.test('recommendations wait for a day, until some of them are accepted', async (t) => {
  const property = await office.property('advised');
  const { propertyId } = property.scene.state.property!;
  const waiting = async (later = 0): Promise<WaitingMatter[]> =>
    matters({ tenantId: 'advised', propertyId }, office.clock.now() + later);
  const optimizationId = freshId();
  await admin.query(
    `insert into optimizations (tenant_id, id, property_id, status, request, plan, created_at)
     values ('advised', $1, $2, 'COMPLETED', '{}', '{"recommendations": [{}, {}]}', to_timestamp($3::float8 / 1000))`,
    [optimizationId, propertyId, office.clock.now()],
  );
  t.same(await waiting(), [{ kind: 'RECOMMENDATIONS', count: 2 }]);
  t.same(await waiting(86_400_000), []);
  await admin.query(
    `insert into optimization_history (tenant_id, id, property_id, optimization_date, algorithm_used, revenue_before,
       revenue_after, performance_metrics, created_at)
     values ('advised', $1, $2, now(), 'genetic', 1, 1, $3, to_timestamp($4::float8 / 1000))`,
    [freshId(), propertyId, JSON.stringify({ event: 'IMPLEMENT', optimizationId }), office.clock.now()],
  );
  t.same(await waiting(), []);
});

t.test('everybody sees what he can do something about, and an inviter his own invitations', async (t) => {
  const all: WaitingMatter[] = [
    { kind: 'ROOMS_MISSING', count: 1 },
    { kind: 'RECOMMENDATIONS', count: 1 },
    { kind: 'MESSAGES_FAILED', count: 1 },
    { kind: 'INVITATION_ACCEPTED', count: 1, of: 'olivia' },
    { kind: 'INVITATION_ACCEPTED', count: 1, of: 'otto' },
  ];
  const seen = (role: Role): number =>
    mattersFor(all, { subject: 'olivia', may: (least) => atLeast(role, least) }).length;
  t.same((['VIEWER', 'STAFF', 'MANAGER', 'ADMIN', 'OWNER'] as const).map(seen), [0, 1, 2, 3, 4]);
});

t.test('a property is counted once a minute, however many ask, and again after a failure', async (t) => {
  const counted = new CountedMatters();
  let counts = 0;
  const of = (propertyId: string, now: number, count = async () => (counts++, [])) =>
    counted.of({ tenantId: 'a', propertyId }, now, count);
  await Promise.all([of('x', 0), of('x', 0), of('x', 59_999)]);
  t.equal(counts, 1);
  await of('y', 0);
  await of('x', 60_000);
  t.equal(counts, 3);
  await t.rejects(of('z', 0, () => Promise.reject(new Error('away'))));
  await of('z', 1);
  t.equal(counts, 4);
  for (let n = 0; n < 1_000; n++) await of(`p${n}`, 0);
  await of('y', 1);
  t.equal(counts, 1_005, 'the oldest are forgotten');
});
