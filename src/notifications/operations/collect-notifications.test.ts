import t from 'tap';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { DEFAULT_SETTINGS } from '../../tenants/rules/tenant.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { importCommand, importedStay, pastStay } from '../../testing/imported-stays.ts';
import { PostOffice, write } from '../../testing/partners/post-office.ts';
import { cancelCommand, freshId, modifyCommand, postCommand, voidCommand } from '../../testing/property-world.ts';
import type { Posting } from './posting.ts';

const office = await PostOffice.open(t);
const { admin } = office.test;
const { notifications } = office;
const HOUR = 3_600_000;

const notified = async (tenantId: string) =>
  (await office.rows(tenantId)).map(({ kind, channel }) => `${kind} ${channel}`);
const position = async (tenantId: string) =>
  (
    await admin.query(`select property_id as id, seq from notification_positions where tenant_id = $1 order by 1`, [
      tenantId,
    ])
  ).rows;

/** Writes journal rows with a confirmed booking each, bypassing the actor. */
async function journal(tenantId: string, propertyId: string, first: number, last: number): Promise<void> {
  await admin.query(
    `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
     select $1, $2, n, to_timestamp($5::float8 / 1000), 'BOOK', 's', 'r', gen_random_uuid(),
       '{"bookings":[["CREATED",null,"0000000000","g","STD",20000,20002,2,100,0,"CONFIRMED"]]}', '' from generate_series($3::int, $4::int) n`,
    [tenantId, propertyId, first, last, office.clock.now()],
  );
  await admin.query(
    `insert into property_actor (tenant_id, property_id, seq) values ($1, $2, $3)
     on conflict (tenant_id, property_id) do update set seq = excluded.seq`,
    [tenantId, propertyId, last],
  );
}

t.test('the journal yields notifications, and none for PENDING reservations', async (t) => {
  const property = await office.property('kinds');
  const first = await office.booked(property);
  property.scene.accept(modifyCommand(first.id, { adults: 1 }));
  property.scene.accept(cancelCommand(first.id));
  await write(property);
  const asking = await office.property('kinds', { paymentRequired: true });
  const pending = await office.booked(asking);
  t.equal(pending.status, 'PENDING');
  asking.scene.accept(modifyCommand(pending.id, { adults: 1 }));
  await write(asking);
  t.equal(await office.gather('kinds'), 'SOME');
  t.equal(await office.gather('kinds'), 'NOTHING');
  t.same(await notified('kinds'), ['CONFIRMATION MAIL', 'MODIFICATION MAIL', 'CANCELLATION MAIL']);
  asking.scene.pass(HOUR);
  asking.scene.accept({ type: 'EXPIRE' });
  await write(asking);
  await office.gather('kinds');
  t.same(
    (await notified('kinds')).slice(3),
    ['CANCELLATION MAIL'],
    'a guest who waits for a room is notified that there is none',
  );
});

t.test('guests whose bookings were imported get no message', async (t) => {
  const property = await office.property('imported');
  const payment = { paymentId: freshId(), type: 'CHARGE' as const, amount: 500, method: 'CASH' as const };
  const at = office.clock.now();
  const paid = { ...payment, status: 'COMPLETED' as const, processedAt: at, createdAt: at };
  property.scene.accept(
    importCommand([importedStay({ payments: [paid] }), pastStay('CANCELLED', { retained: 100 })]),
  );
  await write(property);
  await office.gather('imported');
  t.same(await notified('imported'), []);
});

t.test('a minibar is no change of the booking', async (t) => {
  const property = await office.property('folio');
  const { id } = await office.booked(property);
  const water = postCommand(id, { code: 'WATER' });
  property.scene.accept(water);
  property.scene.accept(voidCommand(id, water.postingId));
  await write(property);
  await office.gather('folio');
  t.same(await notified('folio'), ['CONFIRMATION MAIL']);
});

t.test('a tenant that confirms in its own way has no guest notified, now or later', async (t) => {
  const property = await office.property('quiet');
  await office.booked(property);
  const settings = async () => ({ confirmations: false, reminders: true, reminderHours: 24 });
  await office.gather('quiet', office.posting({ settings }));
  t.same(await notified('quiet'), []);
  t.equal(await office.gather('quiet'), 'NOTHING', 'also when it has changed its mind');
  await office.booked(property);
  await office.gather('quiet');
  t.same(await notified('quiet'), ['CONFIRMATION MAIL']);
});

t.test('guests with a phone get a text besides', async (t) => {
  const property = await office.property('phones');
  await office.booked(property, { guest: { phone: '+49 170 1' } });
  await office.booked(property);
  await office.gather('phones', office.withSms());
  t.same(await notified('phones'), ['CONFIRMATION MAIL', 'CONFIRMATION SMS', 'CONFIRMATION MAIL']);
});

t.test('reading again, from the beginning too, adds nothing', async (t) => {
  const property = await office.property('again');
  await office.booked(property);
  await office.gather('again');
  const [{ id, seq }] = await position('again');
  t.same([id, seq], [property.to.propertyId, property.scene.state.seq]);
  await office.gather('again');
  await admin.query(`update notification_positions set seq = 0 where tenant_id = 'again'`);
  await office.gather('again');
  t.same(await notified('again'), ['CONFIRMATION MAIL']);
  t.same(await position('again'), [{ id, seq }]);
});

t.test('a process that dies while it reads has lost nothing and doubled nothing', async (t) => {
  const property = await office.property('crash');
  await office.booked(property);
  const dying = (what: Partial<Posting['notifications']>) =>
    office.posting({ notifications: { ...notifications, ...what } });
  const dead = Object.assign(new Error('kill -9'), { code: '57P01' });
  const before = dying({ take: () => Promise.reject(dead) });
  await t.rejects(office.gather('crash', before), dead);
  t.same(await notified('crash'), []);
  const within = dying({
    take: (tenantId, read, made) =>
      notifications.take(tenantId, [...read, { propertyId: 'x'.repeat(60), seq: 1 }], made),
  });
  const items: string[] = [];
  const itemFailed = (item: string): void => void items.push(item);
  const round = { name: 'reading', everyMs: 1, itemFailed, itemRests: itemFailed };
  await office.gather('crash', { ...within, each: new ItemRunner(round, quiet) });
  t.same(items, [`crash/${property.to.propertyId} notifications`]);
  t.same(await notified('crash'), [], 'what was added goes with the position that was not');
  t.same(await position('crash'), []);
  const after = dying({
    take: async (...what) => {
      await notifications.take(...what);
      throw dead;
    },
  });
  await t.rejects(office.gather('crash', after), dead);
  await office.gather('crash');
  t.same(await notified('crash'), ['CONFIRMATION MAIL']);
});

t.test('two nodes that read at once make each notification once, and no position goes back', async (t) => {
  for (let n = 0; n < 3; n++) await journal('two', `p${n}`, 1, 30);
  await Promise.all(Array.from({ length: 6 }, () => office.gather('two')));
  t.equal((await notified('two')).length, 90);
  await notifications.take('two', [{ propertyId: 'p1', seq: 7 }], []);
  t.same(
    (await position('two')).map(({ seq }) => seq),
    [30, 30, 30],
  );
});

t.test('long journals and many properties are read in pages, and a busy property delays no other', async (t) => {
  await journal('pages', 'busy', 1, 450);
  for (let n = 0; n < 60; n++) await journal('pages', `quiet-${n}`, 1, 1);
  const pages: number[] = [];
  const counted = office.posting({
    notifications: {
      ...notifications,
      unread: async (...asked) => {
        const unread = await notifications.unread(...asked);
        pages.push(unread.length);
        t.ok(unread.every(({ entries }) => entries.length <= 200));
        return unread;
      },
    },
  });
  t.equal(await office.gather('pages', counted), 'MORE', 'there is more of the busy property');
  t.same(pages, [50, 11], 'one that is not full is the last');
  t.equal((await notified('pages')).length, 260);
  t.equal(await office.gather('pages'), 'MORE');
  t.equal(await office.gather('pages'), 'SOME');
  t.equal((await notified('pages')).length, 510);
});

t.test('a row that makes no sense is named and passed over', async (t) => {
  await journal('poison', 'p', 1, 3);
  await admin.query(`update journal set facts = '{"bookings": 7}' where tenant_id = 'poison' and seq = 2`);
  const errors: object[] = [];
  const log = { ...quiet, warn: (facts: object) => void errors.push(facts) };
  await office.gather('poison', office.posting({ log }));
  t.equal((await notified('poison')).length, 2);
  t.match(errors, [{ item: 'poison/p row 2' }]);
  t.match(await position('poison'), [{ seq: 3 }]);
});

t.test('a property whose old rows have been dropped goes on from where it is', async (t) => {
  await admin.query(`insert into property_actor (tenant_id, property_id, seq) values ('old', 'p', 40)`);
  t.equal(await office.gather('old'), 'SOME');
  t.match(await position('old'), [{ seq: 40 }]);
  await journal('old', 'p', 41, 41);
  await office.gather('old');
  t.equal((await notified('old')).length, 1);
});

t.test('without a channel nothing is stored for later', async (t) => {
  await journal('off', 'p', 1, 5);
  t.equal(await office.gather('off', office.posting({ mail: undefined })), 'NOTHING');
  t.match(await position('off'), [{ seq: 5 }]);
  await journal('off', 'p', 6, 6);
  await office.gather('off');
  t.equal((await notified('off')).length, 1);
});

t.test('tenants have separate notifications and positions', async (t) => {
  await journal('mine', 'p', 1, 1);
  await office.gather('theirs');
  t.same(await notified('mine'), []);
  await office.gather('mine');
  t.equal((await notified('mine')).length, 1);
  t.same(await notifications.lease('theirs', 'MAIL', office.clock.now() + HOUR, 0, 9), []);
});

t.test('stored notifications contain no personal data', async (t) => {
  const property = await office.property('nobody');
  await office.booked(property, { guest: { firstName: 'Zaphod', email: 'zaphod@example.com', phone: '+49 170 42' } });
  await office.gather('nobody', office.withSms());
  const { rows } = await admin.query(`select to_json(n) as row from notifications n where tenant_id = 'nobody'`);
  t.equal(rows.length, 2);
  t.notMatch(JSON.stringify(rows), /zaphod|\+49/i);
});

t.test('a mail that staff send is one message, also where messages about bookings are off', async (t) => {
  const property = await office.property('mails');
  const { id } = await office.booked(property);
  property.scene.accept({ type: 'RECORD_MAIL', mailId: freshId(), ofStay: id, what: 'INVOICE' });
  property.scene.accept({ type: 'RECORD_MAIL', mailId: freshId(), ofStay: id, what: 'STAY_LINK' });
  property.scene.accept({ type: 'RECORD_MAIL', mailId: freshId(), ofStay: id, what: 'LINK_REVOKED' });
  await write(property);
  const settings: Posting['settings'] = async () => ({ ...DEFAULT_SETTINGS.notifications, confirmations: false });
  await office.gather('mails', office.posting({ settings }));
  t.same(await notified('mails'), ['INVOICE MAIL', 'STAY_LINK MAIL']);
});
