import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

import { changeGuest } from '../../guests/operations/change-guest.ts';
import { getGuest, listGuests } from '../../guests/operations/find-guests.ts';
import type { LiveListener } from '../../kernel/property-actors.ts';
import type { InquiryId, WaitlistId } from '../../kernel/rules/ids.ts';
import { chargeBack } from '../../money/operations/charge-back.ts';
import { closeChargeback } from '../../money/operations/close-chargeback.ts';
import { payOutRefund } from '../../money/operations/pay-out-refund.ts';
import { takePayment } from '../../money/operations/take-payment.ts';
import { inquiryBody } from '../../stay/contracts/inquiries.ts';
import { cancelBody, checkInBody, checkOutBody, createBody, modifyBody } from '../../stay/contracts/reservations.ts';
import { waitlistBody } from '../../stay/contracts/waitlist.ts';
import { walkBody } from '../../stay/contracts/walk.ts';
import { cancelReservation, walkGuest } from '../../stay/operations/cancel-reservation.ts';
import { checkIn } from '../../stay/operations/check-in.ts';
import { checkOut } from '../../stay/operations/check-out.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { writeNote } from '../../stay/operations/desk-notes.ts';
import { keepInquiry } from '../../stay/operations/keep-inquiry.ts';
import { modifyReservation } from '../../stay/operations/modify-reservation.ts';
import { joinWaitlist } from '../../stay/operations/wait-for-room.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { quiet as quietLog, errorOf } from '../../testing/actors/running-host.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { CALLER, SOME_DAY } from '../../testing/front-desk.ts';
import { GuestWorld } from '../../testing/guest-world.ts';
import { bookCommand, DAY, envelope, freshId, PROPERTY_ID } from '../../testing/property-world.ts';
import { Vacuum } from '../storage/vacuum.ts';
import { eraseGuest, finishErasures } from './erase-guest.ts';
import { exportGuest } from './export-guest.ts';

const world = await GuestWorld.open(t);
const { services, admin } = world;
for (const property of ['north', 'south', 'gone']) await world.property(property);

const quietListener: LiveListener = { entry: () => {}, lost: () => {} };

/** Unique values; each names the place where it was entered. */
const VALUES = [
  'Zoraida',
  'Quintaxil',
  'zoraida.q@wherever.example',
  '+34 600 987 654',
  'Calle Xanadulia 77',
  'Villafantasma',
  'pillow of xenolith feathers',
  'her sister knows',
  'walks with a yakstick',
  'Ms Quintaxil herself',
  'xcampaignx',
  '+34 600 111 222',
  'zq2@elsewhere.example',
  'likes brambleberries',
  'bath of yolkfruit',
  'window to the quillgarden',
  '+34 600 555 777',
];

let made = 0;
const key = () => ({ key: freshId(), fingerprint: 'body' });

/** A booking request of hers, or of another guest. */
function wish(propertyId: string, from: number, guest: object = {}) {
  made += 1;
  const body = createBody.parse({
    propertyId,
    guestInfo: {
      firstName: 'Zoraida',
      lastName: 'Quintaxil',
      email: 'Zoraida.Q@wherever.example',
      phone: '+34 600 987 654',
      preferences: { bedType: 'KING' },
      ...guest,
    },
    stayDetails: { ...SOME_DAY, adults: 1, roomType: 'STD' },
    paymentDetails: {
      method: 'CREDIT_CARD',
      cardToken: `tok_${made}`,
      billingAddress: { name: 'Zoraida Quintaxil', addressLine1: 'Calle Xanadulia 77', city: 'Villafantasma' },
    },
    specialRequests: ['a pillow of xenolith feathers'],
    roomWishes: [{ kind: 'FEATURE', value: 'bath of yolkfruit' }],
    source: { channel: 'DIRECT', campaign: 'xcampaignx' },
  });
  return { ...body, stayDetails: { ...body.stayDetails, checkIn: DAY + from, checkOut: DAY + from + 1 } };
}

async function booked(propertyId: string, from: number, guest: object = {}): Promise<Reservation> {
  const { result } = await createReservation(services, CALLER, wish(propertyId, from, guest), key());
  return result.reservation;
}

/** Cancelled, with a refund through the provider. */
async function cancelled(id: string): Promise<void> {
  const why = { description: 'her sister knows', cancelledBy: 'Ms Quintaxil herself' };
  await cancelReservation(services, CALLER, id, cancelBody.parse(why), { key: key() });
  const payments = async () => (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation.payments;
  await untilTime(async () => (await payments()).every(({ status }) => status !== 'PROCESSING'));
}

/** A stay paid in cash and cancelled; its refund is open, then paid out by hand with a note about the recipient. */
async function owed(propertyId: string, from: number, guest: object = {}) {
  const body = { ...wish(propertyId, from, guest), paymentDetails: undefined };
  const { id, guest: who } = (await createReservation(services, CALLER, body, key())).result.reservation;
  await takePayment(services, CALLER, id, { method: 'CASH' }, { key: key() });
  const { result } = await cancelReservation(services, CALLER, id, cancelBody.parse({}), { key: key() });
  const refundId = result.reservation.cancellation!.refundId!;
  const how = { method: 'CASH' as const, reference: 'to Ms Quintaxil herself', paidBy: 'Quintaxil, Z.' };
  const payOut = () => payOutRefund(services, CALLER, { id, refundId }, how, { key: key() });
  return { id, guestId: who.guestId, payOut };
}

/** The card issuer takes a part back, and somebody writes down whom that is about. */
async function disputed(id: string): Promise<void> {
  const { payments } = (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const { paymentId } = payments.find(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED')!;
  const said = { amount: 100, reason: 'her sister knows', reference: 'dispute of Quintaxil' };
  await chargeBack(services, CALLER, { id, paymentId }, said, { key: key() });
  const end = { writeOff: false, reason: 'told Ms Quintaxil herself' };
  await closeChargeback(services, CALLER, { id, paymentId }, end, { key: key() });
}

/** A stay from check-in to check-out, with every kind of text about a guest. */
async function stayed(propertyId: string): Promise<Reservation> {
  const { id } = await booked(propertyId, 0);
  const changes = {
    guestInfo: { phone: '+34 600 111 222', email: 'zq2@elsewhere.example' },
    specialRequests: ['likes brambleberries'],
    roomWishes: [{ kind: 'FEATURE', value: 'window to the quillgarden' }],
  };
  const modified = modifyBody.parse({ modifications: changes, reason: 'her sister knows' });
  await modifyReservation(services, CALLER, id, modified, { key: key(), dryRun: false });
  const arrival = { identificationVerified: true, notes: 'walks with a yakstick', staffMember: 'Eve' };
  await checkIn(services, CALLER, id, checkInBody.parse(arrival), { key: key() });
  const charge = { description: 'Minibar of Quintaxil', amount: 5 };
  await checkOut(services, CALLER, id, checkOutBody.parse({ finalCharges: [charge], staffMember: 'Eve' }), {
    forced: true,
  });
  return (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
}

/** Sent to another hotel, with words about her. */
async function walked(propertyId: string): Promise<void> {
  const { id } = await booked(propertyId, 0);
  const body = walkBody.parse({ to: 'the inn that her sister knows', reason: 'likes brambleberries' });
  await walkGuest(services, CALLER, id, body, { key: key() });
  const payments = async () => (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation.payments;
  await untilTime(async () => (await payments()).every(({ status }) => status !== 'PROCESSING'));
}

/** A request that waits, since no stay is as cheap as she wants. */
async function waiting(propertyId: string): Promise<WaitlistId> {
  const body = waitlistBody.parse({
    propertyId,
    guestInfo: {
      firstName: 'Zoraida',
      lastName: 'Quintaxil',
      email: 'Zoraida.Q@wherever.example',
      phone: '+34 600 987 654',
    },
    stayDetails: { ...SOME_DAY, adults: 1, roomType: 'STD', maxTotal: 0.01 },
  });
  const stayDetails = { ...body.stayDetails, checkIn: DAY + 3, checkOut: DAY + 4 };
  return (await joinWaitlist(services, CALLER, { ...body, stayDetails }, key())).result.waitlistId;
}

/** A price that is promised to her, with a note that names her. */
async function inquiring(propertyId: string): Promise<InquiryId> {
  const body = inquiryBody.parse({
    propertyId,
    guestInfo: { firstName: 'Zoraida', lastName: 'Quintaxil', email: 'ZORAIDA.q@wherever.example' },
    stayDetails: { ...SOME_DAY, adults: 1, roomType: 'STD' },
    notes: 'Zoraida calls again',
  });
  const stayDetails = { ...body.stayDetails, checkIn: DAY + 3, checkOut: DAY + 4 };
  return (await keepInquiry(services, CALLER, { ...body, stayDetails }, key())).result.inquiry.inquiryId;
}

async function places(): Promise<string[]> {
  const found: string[] = [];
  // Tax law requires name and address with an issued invoice, and nothing else.
  const isFree = (at: string): boolean =>
    at !== 'public.invoice_documents.issued_to' && at !== 'public.invoices.billing';
  for (const value of VALUES)
    for (const at of (await world.whereStands(value)).filter(isFree)) found.push(`${value}: ${at}`);
  return found;
}

function verify(): { status: number | null; output: string } {
  const path = fileURLToPath(new URL('../../commands/verify-audit.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: world.url };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './src/platform/launch/strip-types.mjs', path],
    {
      env,
      encoding: 'utf8',
    },
  );
  return { status, output: stdout + stderr };
}

void t.test('an erased guest stands in no table and in no memory, and the books are what they were', async (t) => {
  const { id: stayId } = await stayed('north');
  await disputed(stayId);
  const stay = (await services.reservations.get(PROPERTY_ID.tenantId, stayId))!.reservation;
  await walked('north');
  const waits = await waiting('south');
  const asks = await inquiring('south');
  const south = await booked('south', 5);
  await cancelled(south.id);
  const { id: orphan } = await booked('gone', 6);
  await disputed(orphan);
  await cancelled(orphan);
  const owing = [await owed('north', 9), await owed('gone', 9)];
  for (const { payOut } of owing) await payOut();
  const guestInfo = { firstName: 'Somebody', lastName: 'Else', email: 'else@example.com' };
  const plain = {
    ...wish('south', 8),
    guestInfo,
    specialRequests: [],
    roomWishes: [],
    source: {},
    paymentDetails: undefined,
  };
  const other = await createReservation(services, CALLER, plain, key());
  const { guestId } = stay.guest;
  t.equal(south.guest.guestId, guestId, 'one profile over houses');
  const view = (propertyId: string) => services.properties.view({ ...PROPERTY_ID, propertyId });
  const corrected = { phone: '+34 600 555 777' };
  const under = key();
  const done = await changeGuest(services, CALLER, guestId, corrected, { key: under });
  t.match(done.result.profile, { lastName: 'Quintaxil', ...corrected });
  t.strictSame(await changeGuest(services, CALLER, guestId, corrected, { key: under }), { ...done, replayed: true });
  t.same((await getGuest(services, CALLER, guestId)).profile, done.result.profile, 'as it is read');
  const before = (await view('south')).grid(DAY, DAY + 20);
  const erasing = key();
  const aboutStay = { to: { ...PROPERTY_ID, propertyId: 'north' }, reservationId: stay.id };
  await writeNote(services, CALLER, aboutStay, 'Wants to be woken at six', key());
  const naming = await writeNote(services, CALLER, { to: aboutStay.to }, 'Zoraida left an umbrella', key());
  await world.signOnline(stay.id, 'north', 'Zoraida Quintaxil');
  // As release 0.1.0 wrote it.
  await admin.query(
    `insert into invoices (tenant_id, property_id, reservation_id, invoice_number) values ('acme', 'north', $1, 'INV-X')`,
    [stay.id],
  );
  for (const value of VALUES) t.not((await world.whereStands(value)).length, 0, `${value} stands somewhere`);
  await services.properties.execute({ ...PROPERTY_ID, propertyId: 'gone' }, envelope({ type: 'DELETE_PROPERTY' }));
  const { erasedAt } = await eraseGuest(services, CALLER, guestId, erasing);
  t.same(await places(), [], 'no column of any table has a value of hers');
  t.same((await view('south')).grid(DAY, DAY + 20), before, 'rooms and prices are as they were');
  const { status: over, guest: nobody } = (await services.waitlist.get(PROPERTY_ID.tenantId, waits))!;
  t.same([over, nobody], ['REMOVED', undefined], 'she waits no more');
  t.same(await services.deskNotes.ofStays(PROPERTY_ID.tenantId, [stay.id]), [], 'notes about her stays are gone');
  const shift = await services.deskNotes.ofDay(aboutStay.to, naming.note.businessDate);
  t.match(shift, [{ text: 'guest' }]);
  const inquiry = (await services.inquiries.get(PROPERTY_ID.tenantId, asks))!;
  t.same([inquiry.status, inquiry.guest, inquiry.notes], ['CLOSED', undefined, undefined]);
  const read = async (id: string) => (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;
  const retained = await read(stay.id);
  const { confirmationNumber, nights, paid, status } = stay;
  const payments = stay.payments.map(({ chargeback: _said, ...payment }) => payment);
  t.match(retained, { confirmationNumber, nights, paid, status, payments, charges: [{ amount: 500 }] });
  t.same(retained.guest, { guestId, firstName: '', lastName: '', email: '' });
  t.match(retained.checkIn, { staffMember: 'Eve', keyCards: 1 }, 'who worked there stays');
  t.match((await read(south.id)).cancellation, {
    reason: 'GUEST_REQUEST',
    cancelledBy: 'guest',
    description: undefined,
  });
  t.match((await read(orphan)).guest, { firstName: '' }, 'also where the house is gone');
  t.equal((await read(other.result.reservation.id)).guest.firstName, 'Somebody', 'others are left alone');

  for (const propertyId of ['north', 'south']) {
    const { recent, close } = await services.properties.follow(
      { ...PROPERTY_ID, propertyId },
      undefined,
      quietListener,
    );
    close();
    t.notOk(
      recent.some(({ guestName }) => guestName?.includes('Quintaxil')),
      'no feed has the name',
    );
  }
  const invoices = await admin.query('select reservation_id, number, issued_to, lines, total from invoice_documents');
  t.match(invoices.rows, [
    {
      reservation_id: stay.id,
      number: 'INV-2026-000001',
      issued_to: {
        name: 'Zoraida Quintaxil',
        address: { name: 'Zoraida Quintaxil', addressLine1: 'Calle Xanadulia 77', city: 'Villafantasma' },
      },
    },
  ]);
  t.equal(invoices.rows.length, 1);
  const document = invoices.rows[0] as { lines: { description: string; amount: number }[] };
  t.match(document.lines.at(-1), { description: 'guest', amount: 500 }, 'of a line only the words go');
  t.match(await services.guestErasure.issuedTo(PROPERTY_ID.tenantId, stay.id), { name: 'Zoraida Quintaxil' });
  t.equal(await errorOf(getGuest(services, CALLER, guestId)), 'GUEST_NOT_FOUND');
  t.same(await eraseGuest(services, CALLER, guestId), { erasedAt, replayed: false }, 'again, it answers the same');
  t.same(await eraseGuest(services, CALLER, guestId, erasing), { erasedAt, replayed: true });
  const noted = await admin.query(
    `select action, before, after from administration_journal where entity_id = $1 order by seq`,
    [guestId],
  );
  const sealed = { personal: /^[\w-]{40,}$/ };
  t.match(noted.rows, [
    { action: 'CHANGED', before: sealed, after: sealed },
    { action: 'ERASED', before: null, after: null },
  ]);
  t.equal(noted.rows.length, 2);
  t.match(verify(), { status: 0, output: /every chain is whole/ });
  world.crash();
  const [named] = (
    await services.properties.follow({ ...PROPERTY_ID, propertyId: 'south' }, undefined, quietListener)
  ).recent;
  t.equal(named?.guestName, undefined, 'a house that wakes cannot open the name');

  const next = await booked('north', 12);
  t.not(next.guest.guestId, guestId, 'who comes back is somebody new');
  await cancelled(next.id);
});

/** Row versions of tables, live or dead, that contain a text. */
async function versionsWith(text: string): Promise<number> {
  await world.admin.query('create extension if not exists pageinspect');
  const { rows } = await world.admin.query<{ versions: number }>(
    `select count(*)::int as versions
     from (select oid::regclass::text as name, pg_relation_size(oid) / current_setting('block_size')::int as pages
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) as tables,
       generate_series(0, pages - 1) as page, heap_page_items(get_raw_page(name, page::int)) as item
     where position(convert_to($1, 'UTF8') in item.t_data) > 0`,
    [text],
  );
  return rows[0]!.versions;
}

void t.test('no name that a guest ever had is left, nor in versions of rows that are no longer valid', async (t) => {
  const names = ['Melusina', 'Oxenbridge', 'Undine', 'Thistlewood', 'Peregrine', 'Farthingale'];
  const [first, last, second, secondLast, profiled, profiledLast] = names as [string, ...string[]];
  const { id, guest } = await booked('north', 27, {
    firstName: first,
    lastName: last,
    email: 'mel@oxenbridge.example',
  });
  const renamed = modifyBody.parse({
    modifications: { guestInfo: { firstName: second, lastName: secondLast } },
    reason: 'a new name',
    modifiedBy: `${first} ${last}`,
  });
  await modifyReservation(services, CALLER, id, renamed, { key: key(), dryRun: false });
  await changeGuest(services, CALLER, guest.guestId, { firstName: profiled, lastName: profiledLast }, { key: key() });
  await changeGuest(services, CALLER, guest.guestId, { firstName: 'Last', lastName: 'Known' }, { key: key() });
  const later = modifyBody.parse({ modifications: { specialRequests: [] }, modifiedBy: `Ms ${profiledLast}` });
  await modifyReservation(services, CALLER, id, later, { key: key(), dryRun: false });
  const why = { description: `${secondLast} fell ill`, cancelledBy: `${last}, ${first}` };
  await cancelReservation(services, CALLER, id, cancelBody.parse(why), { key: key() });
  const money = async () => (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation.payments;
  await untilTime(async () => (await money()).every(({ status }) => status !== 'PROCESSING'));
  for (const name of [first, last, second, secondLast, profiledLast!])
    t.not((await world.whereStands(name!)).length, 0, `${name} stands somewhere`);

  await eraseGuest(services, CALLER, guest.guestId);
  for (const name of names) t.same(await world.whereStands(name), [], name);
  t.ok((await versionsWith(last!)) > 0, 'what was valid before is there still');
  await using vacuum = new Vacuum(world.url, quietLog);
  await vacuum.run();
  for (const name of names) t.equal(await versionsWith(name), 0, `${name} in no version of any row`);
  t.match((await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation, {
    guest: { firstName: '', former: undefined },
    cancellation: { cancelledBy: 'guest' },
  });
});

void t.test('an idempotency record says that it was done, and no more for whom', async (t) => {
  const used = key();
  const body = wish('north', 14, { lastName: 'Keptaxil' });
  const { result } = await createReservation(services, CALLER, body, used);
  await cancelled(result.reservation.id);
  await eraseGuest(services, CALLER, result.reservation.guest.guestId);
  // The property's clock is behind its database's, for which the key expired long ago.
  await admin.query(`update idempotency set expires_at = app_now() + interval '1 hour'`);
  const again = await createReservation(services, CALLER, body, used);
  t.match(again, { replayed: true, result: { reservation: { id: result.reservation.id, guest: { lastName: '' } } } });
  t.same(await world.whereStands('Keptaxil'), []);
});

void t.test('a guest to whom a refund is owed is not erased before it was paid out', async (t) => {
  const { id, guestId, payOut } = await owed('north', 24, { lastName: 'Owed' });
  const refused = { code: 'GUEST_IN_USE', details: { extra: { reservations: [id] } } };
  await t.rejects(eraseGuest(services, CALLER, guestId), refused);
  t.equal((await getGuest(services, CALLER, guestId)).profile.lastName, 'Owed', 'nothing was done');
  await payOut();
  t.equal(await errorOf(eraseGuest(services, CALLER, guestId)), 'accepted');
});

void t.test('a guest whose stays are not over is not erased', async (t) => {
  const coming = await booked('north', 16, { lastName: 'Coming' });
  const { guestId } = coming.guest;
  const refused = { code: 'GUEST_IN_USE', details: { extra: { reservations: [coming.id] } } };
  await t.rejects(eraseGuest(services, CALLER, guestId), refused);
  t.equal((await getGuest(services, CALLER, guestId)).profile.lastName, 'Coming', 'nothing was done');
  const waiting = new Gate();
  world.desk.gateway.before = async () => waiting.opened;
  const paying = booked('north', 17, { lastName: 'Paying' });
  const known = async () => (await listGuests(services, CALLER, { q: 'paying', limit: 5 })).items[0];
  await untilTime(async () => (await known()) !== undefined);
  const { guestId: payer } = (await known())!;
  t.equal(await errorOf(eraseGuest(services, CALLER, payer)), 'GUEST_IN_USE', 'a booking is being paid');
  waiting.open();
  world.desk.gateway.before = async () => {};
  await cancelled((await paying).id);
  await cancelled(coming.id);
  t.equal(await errorOf(eraseGuest(services, CALLER, payer)), 'accepted');
});

void t.test(
  'a booking that had found the profile before it was erased is refused, and tried again as new',
  async (t) => {
    const { id, guest } = await booked('north', 18, { lastName: 'Racing' });
    await cancelled(id);
    const { guests } = services;
    const stale = await guests.identify(PROPERTY_ID.tenantId, guest);
    t.equal(stale.guestId, guest.guestId);
    await eraseGuest(services, CALLER, guest.guestId);
    const late = bookCommand({
      guest: { ...guest },
      stay: { checkIn: DAY + 18, checkOut: DAY + 19 },
      wrappedKey: undefined,
    });
    await t.rejects(services.properties.execute({ ...PROPERTY_ID, propertyId: 'north' }, envelope(late)), {
      code: 'NOT_EXECUTED',
      details: { extra: { reason: 'guest-moved' } },
    });
    let asked = 0;
    guests.identify = async (...who) =>
      (asked += 1) === 1 ? stale : (Object.getPrototypeOf(guests) as typeof guests).identify.call(guests, ...who);
    t.teardown(() => void delete (guests as Partial<typeof guests>).identify);
    const again = await booked('north', 18, { lastName: 'Racing' });
    t.not(again.guest.guestId, guest.guestId);
  },
);

void t.test('an erasure that was cut off goes on by itself', async (t) => {
  const first = await booked('north', 20, { lastName: 'Cutoff' });
  const second = await booked('south', 20, { lastName: 'Cutoff' });
  for (const { id } of [first, second]) await cancelled(id);
  const { guestId } = first.guest;
  const broken = {
    ...services,
    properties: {
      ...services.properties,
      execute: (to: typeof PROPERTY_ID, ...what: [never]) =>
        to.propertyId === 'south' ? Promise.reject(new Error('gone')) : services.properties.execute(to, ...what),
    },
  };
  await t.rejects(eraseGuest(broken as typeof services, CALLER, guestId), { message: 'gone' });
  t.equal(await errorOf(getGuest(services, CALLER, guestId)), 'GUEST_NOT_FOUND', 'nobody finds the profile');
  t.not((await world.whereStands('Cutoff')).length, 0, 'and the other house is not done');
  await finishErasures(services, PROPERTY_ID.tenantId);
  t.same(await world.whereStands('Cutoff'), []);
  const { rows } = await admin.query(
    'select count(*)::int as n from guests where deleted_at is not null and erased_at is null',
  );
  t.same(rows, [{ n: 0 }]);
});

void t.test('the export has all data of the guest, and nothing of a card', async (t) => {
  const { id, guest } = await booked('north', 22, { lastName: 'Exporta' });
  await cancelled(id);
  const [waitlistId, inquiryId] = [await waiting('north'), await inquiring('north')];
  const about = { to: { ...PROPERTY_ID, propertyId: 'north' }, reservationId: id };
  await writeNote(services, CALLER, about, 'Allergic to feathers', key());
  const { guest: profile, stays, waiting: waits, inquiries } = await exportGuest(services, CALLER, guest.guestId);
  t.match(waits, [{ waitlistId }]);
  t.match(inquiries, [{ inquiryId, notes: 'Zoraida calls again' }]);
  t.match(stays[0]!.notes, [{ text: 'Allergic to feathers', by: CALLER.subject }]);
  t.match(profile, {
    profile: { lastName: 'Exporta', phone: '+34 600 987 654' },
    stays: { byStatus: { CANCELLED: 1 } },
  });
  t.match(stays, [
    { reservation: { id }, property: { propertyId: 'north' }, statuses: [{ newStatus: 'CONFIRMED' }, {}] },
  ]);
});

void t.test('an export names the reservations that cannot be read, and has the others', async (t) => {
  const surviving = await booked('north', 24, { lastName: 'Exportb' });
  const broken = await booked('south', 24, { lastName: 'Exportb' });
  await admin.query(`update reservations set details = (details::jsonb - 'nights')::json where id = $1`, [broken.id]);
  const { stays, unreadable } = await exportGuest(services, CALLER, surviving.guest.guestId);
  t.match(stays, [{ reservation: { id: surviving.id } }]);
  t.equal(stays.length, 1);
  t.same(unreadable, [broken.id]);
});
