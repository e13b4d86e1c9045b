import t from 'tap';

import { instantAt } from '../../kernel/rules/property-time.ts';
import type { Stored } from '../../testing/actors/store-conformance.ts';
import { PostOffice, write } from '../../testing/partners/post-office.ts';
import { cancelCommand, modifyCommand } from '../../testing/property-world.ts';
import { remindGuests } from './remind-guests.ts';

const office = await PostOffice.open(t);
const { admin } = office.test;
const { clock } = office;
const HOUR = 3_600_000;

const reminders = async (tenantId: string) =>
  (await office.rows(tenantId))
    .filter(({ kind }) => kind === 'REMINDER')
    .map(({ channel, state }) => `${channel} ${state}`);
const arrivalOf = (property: Stored, from = 2): number => {
  const { timezone, checkInTime } = property.scene.state.property!.metadata;
  return instantAt(property.scene.state.today + from, checkInTime, timezone);
};
const until = (at: number): void => clock.pass(at - clock.now());
const remind = (tenantId: string, posting = office.posting()) => remindGuests(posting, tenantId);

t.test(
  'a guest is reminded 24 hours before check-in, once, however often and on whichever node the job runs',
  async (t) => {
    const property = await office.property('once');
    await office.booked(property);
    await office.booked(property, { stay: property.stay(4) });
    const arrival = arrivalOf(property);
    until(arrival - 24 * HOUR - 1);
    await remind('once');
    t.same(await reminders('once'), []);
    clock.pass(1);
    await Promise.all([remind('once'), remind('once'), remind('once')]);
    t.same(await reminders('once'), ['MAIL WAITING']);
    await office.send('once');
    await remind('once');
    until(arrival - 1);
    await remind('once');
    await office.send('once');
    t.same(await reminders('once'), ['MAIL SENT']);
    t.same(office.kinds('once'), ['REMINDER']);
    t.match(office.mails[0]!.text, 'Your stay is about to begin');
  },
);

t.test('a tenant may remind earlier, or not at all', async (t) => {
  const property = await office.property('early');
  await office.booked(property, { stay: property.stay(6) });
  const posting = (reminders: boolean) =>
    office.posting({ settings: async () => ({ confirmations: true, reminders, reminderHours: 72 }) });
  until(arrivalOf(property, 6) - 72 * HOUR);
  await remind('early');
  await remind('early', posting(false));
  t.same(await reminders('early'), []);
  await remind('early', posting(true));
  t.same(await reminders('early'), ['MAIL WAITING']);
});

t.test('an arrival that is over is not reminded of', async (t) => {
  const property = await office.property('over');
  await office.booked(property);
  until(arrivalOf(property));
  await remind('over');
  t.same(await reminders('over'), []);
});

t.test('a guest who books within 24 hours of arrival gets no reminder after the confirmation', async (t) => {
  const property = await office.property('late');
  until(arrivalOf(property) - 24 * HOUR);
  await office.booked(property);
  clock.pass(1);
  await remind('late');
  t.same(await reminders('late'), []);
});

t.test('a guest who changes the stay within 24 hours of arrival is reminded only of a later arrival', async (t) => {
  const property = await office.property('moved');
  const { id } = await office.booked(property, { stay: property.stay(4) });
  const { today } = property.scene.state;
  until(arrivalOf(property, 4) - 25 * HOUR);
  property.scene.pass(clock.now() - property.scene.now);
  property.scene.accept(modifyCommand(id, { checkIn: today + 5, checkOut: today + 6 }));
  await write(property);
  clock.pass(2 * HOUR);
  await remind('moved');
  t.same(await reminders('moved'), [], 'nobody comes on the day that was left');
  until(arrivalOf(property, 5) - 24 * HOUR);
  await remind('moved');
  t.same(await reminders('moved'), ['MAIL WAITING']);
  await office.send('moved');
  property.scene.pass(clock.now() - property.scene.now);
  property.scene.accept(
    modifyCommand(
      id,
      { checkIn: today + 6, checkOut: today + 7 },
      { modifiedBy: 'desk', reason: 'the guest is late' },
    ),
  );
  await write(property);
  until(arrivalOf(property, 6) - 23 * HOUR);
  await remind('moved');
  t.same(await reminders('moved'), ['MAIL SENT', 'MAIL WAITING'], 'once for each day of arrival');
});

t.test('unconfirmed reservations get no reminder', async (t) => {
  const property = await office.property('unsure', { paymentRequired: true });
  await office.booked(property);
  until(arrivalOf(property) - 23 * HOUR);
  await remind('unsure');
  t.same(await reminders('unsure'), []);
});

t.test('a reminder that waits is dropped when the guest does not come any more, or has come', async (t) => {
  const property = await office.property('dropped');
  const gone = await office.booked(property);
  await office.booked(property);
  until(arrivalOf(property) - 23 * HOUR);
  await remind('dropped');
  property.scene.pass(clock.now() - property.scene.now);
  property.scene.accept(cancelCommand(gone.id));
  await write(property);
  until(arrivalOf(property));
  await office.send('dropped');
  t.same(await reminders('dropped'), ['MAIL DROPPED', 'MAIL DROPPED']);
  t.same(office.kinds('dropped'), []);
});

t.test('reminders follow the clock of each property', async (t) => {
  const [berlin, tokyo] = [await office.property('zones'), await office.property('zones')];
  await admin.query(
    `update properties set metadata = metadata || '{"timezone":"Asia/Tokyo","checkInTime":"22:00"}'
     where property_id = $1`,
    [tokyo.to.propertyId],
  );
  for (const property of [berlin, tokyo]) await office.booked(property);
  const day = berlin.scene.state.today + 2;
  // 22:00 there is 13:00 UTC, the same as 15:00 in Berlin in summer.
  t.equal(instantAt(day, '22:00', 'Asia/Tokyo'), arrivalOf(berlin));
  await admin.query(`update properties set metadata = metadata || '{"checkInTime":"21:00"}' where property_id = $1`, [
    tokyo.to.propertyId,
  ]);
  until(arrivalOf(berlin) - 25 * HOUR);
  await remind('zones');
  t.equal((await reminders('zones')).length, 1);
  clock.pass(HOUR);
  await remind('zones');
  t.equal((await reminders('zones')).length, 2);
});

t.test('guests with a phone also get a text, and without a channel no notifications are made', async (t) => {
  const property = await office.property('texts');
  await office.booked(property, { guest: { phone: '+49 170 1' } });
  await office.booked(property);
  until(arrivalOf(property) - 23 * HOUR);
  await remind('texts', office.posting({ mail: undefined }));
  t.same(await reminders('texts'), []);
  await remind('texts', office.withSms());
  t.same((await reminders('texts')).sort(), ['MAIL WAITING', 'MAIL WAITING', 'SMS WAITING']);
});

t.test('more arrivals than fit into one statement are all reminded of', async (t) => {
  const property = await office.property('many');
  const { id } = await office.booked(property);
  await admin.query(
    `insert into reservations select (jsonb_populate_record(r, jsonb_build_object(
       'id', gen_random_uuid(), 'confirmation_number', 'N' || n))).* from reservations r, generate_series(1, 1200) n
     where r.id = $1`,
    [id],
  );
  until(arrivalOf(property) - 23 * HOUR);
  await remind('many');
  t.equal((await reminders('many')).length, 1_201);
});
