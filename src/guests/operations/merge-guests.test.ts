import t from 'tap';

import { eraseGuest } from '../../privacy/operations/erase-guest.ts';
import { exportGuest } from '../../privacy/operations/export-guest.ts';
import { cancelBody, createBody } from '../../stay/contracts/reservations.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { listStays } from '../../stay/operations/find-reservations.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { CALLER, SOME_DAY } from '../../testing/front-desk.ts';
import { GuestWorld } from '../../testing/guest-world.ts';
import { DAY, freshId } from '../../testing/property-world.ts';
import { changeGuest } from './change-guest.ts';
import { getGuest, listGuests } from './find-guests.ts';
import { notesOfGuest, removeGuestNote, writeGuestNote } from './guest-notes.ts';
import { mergeGuests, planMerge } from './merge-guests.ts';

const world = await GuestWorld.open(t);
const { services, admin } = world;
await world.property('north');

const key = () => ({ key: freshId(), fingerprint: 'body' });
let night = 0;

/** A stay of a guest, who is found by e-mail address and last name. */
async function booked(firstName: string, guest: object = {}): Promise<Reservation> {
  night += 1;
  const body = createBody.parse({
    propertyId: 'north',
    guestInfo: { firstName, lastName: 'Merger', email: `${firstName}@example.com`, ...guest },
    stayDetails: { ...SOME_DAY, adults: 1, roomType: 'STD' },
    paymentDetails: { method: 'CREDIT_CARD', cardToken: `tok_${night}` },
  });
  const days = { checkIn: DAY + night, checkOut: DAY + night + 1 };
  const wanted = { ...body, stayDetails: { ...body.stayDetails, ...days } };
  return (await createReservation(services, CALLER, wanted, key())).result.reservation;
}

const idOf = async (firstName: string, guest: object = {}) => (await booked(firstName, guest)).guest.guestId;
const read = async (id: string) => (await getGuest(services, CALLER, id)).profile;
const merge = (id: string, from: string, under = key()) => mergeGuests(services, CALLER, { id, from }, under);
const staysOf = async (id: string) =>
  (await listStays(services, CALLER, id, { limit: 50 })).items.map((stay) => stay.id).toSorted();
const actionsOf = async (id: string) => {
  const sql = 'select action from administration_journal where entity_id = $1 order by seq';
  return (await admin.query<{ action: string }>(sql, [id])).rows.map(({ action }) => action);
};

t.test('a merged profile is part of the surviving one, under both ids and both addresses', async (t) => {
  const surviving = await booked('ada', { preferences: { bedType: 'KING' } });
  const other = await booked('adah', {
    phone: '+34 600 123 456',
    language: 'pt',
    preferences: { floorPreference: 'HIGH' },
  });
  const [id, from] = [surviving.guest.guestId, other.guest.guestId];
  await changeGuest(services, CALLER, from, { consent: { marketingByMail: true } });
  await writeGuestNote(services, CALLER, { id: from, text: 'Likes the harbor view' });
  const plan = await planMerge(services, CALLER, id, from);
  t.match(plan.lines, [
    { field: 'firstName', surviving: 'ada', other: 'adah', takes: 'SURVIVING' },
    { field: 'lastName' },
    { field: 'email', takes: 'SURVIVING' },
    { field: 'phone', surviving: undefined, other: '+34 600 123 456', takes: 'OTHER' },
    { field: 'language', other: 'pt', takes: 'OTHER' },
    { field: 'floorPreference', takes: 'OTHER' },
    { field: 'bedType', takes: 'SURVIVING' },
    { field: 'marketingByMail', other: 'YES', takes: 'OTHER' },
  ]);
  t.equal(plan.notes, 1);
  t.equal((await read(from)).guestId, from, 'a plan changes nothing');

  const under = key();
  t.equal((await merge(id, from, under)).replayed, false);
  t.equal((await merge(id, from, under)).replayed, true, 'a repeat finds its answer');
  await merge(id, from);
  await merge(from, id);
  const profile = await read(id);
  t.match(profile, {
    guestId: id,
    firstName: 'ada',
    phone: '+34 600 123 456',
    language: 'pt',
    preferences: { bedType: 'KING', floorPreference: 'HIGH' },
    consent: { marketingByMail: true, by: CALLER.subject },
    merged: [{ guestId: from, firstName: 'adah' }],
    version: 2,
  });
  t.strictSame(await read(from), profile, 'the old id reads the surviving profile');
  t.same(await staysOf(id), [surviving.id, other.id].toSorted());
  t.same(await staysOf(from), [surviving.id, other.id].toSorted());
  t.equal((await getGuest(services, CALLER, id)).stays.byStatus.CONFIRMED, 2);
  t.match(await notesOfGuest(services, CALLER, id), [{ text: 'Likes the harbor view', guestId: from }]);
  t.match(await actionsOf(id), ['MERGED']);
  t.match(await actionsOf(from), ['CHANGED', 'NOTE_WRITTEN', 'MERGED_INTO']);

  t.equal(await idOf('adah'), id, 'a booking with the old address finds the surviving profile');
  const found = async (q: string) =>
    (await listGuests(services, CALLER, { q, limit: 50 })).items.map(({ guestId }) => guestId);
  t.same(await found('adah@example'), [id]);
  t.same(await found('+34 (600) 123-456'), [id], 'by its phone number');
  t.same(await found('0600123'), [id]);
  t.same(await listGuests(services, CALLER, { email: 'ADAH@example.com', limit: 50 }), {
    items: [await read(id)],
    nextCursor: undefined,
  });
});

t.test('the address of a merged profile can become that of the surviving one, and both find it', async (t) => {
  const [id, from] = [await idOf('bea'), await idOf('beatrix')];
  await merge(id, from);
  await changeGuest(services, CALLER, from, { email: 'beatrix@example.com' });
  t.match(await read(id), { email: 'beatrix@example.com', merged: [{ email: 'bea@example.com' }] });
  t.equal(await idOf('bea'), id);
  t.equal(await idOf('beatrix'), id);
});

t.test('merges have no cycles and no chains, also at the same time', async (t) => {
  const [a, b, c, d] = [await idOf('cora'), await idOf('corah'), await idOf('corinna'), await idOf('corin')];
  await Promise.all([merge(a, b), merge(b, a)]);
  const survivor = (await read(a)).guestId;
  t.equal((await read(b)).guestId, survivor);
  const ended = survivor === a ? b : a;
  t.equal(await errorOf(merge(c, ended)), 'GUEST_MERGED', 'what ended is not merged once more');
  t.equal(await errorOf(planMerge(services, CALLER, a, b)), 'GUEST_MERGED');
  await Promise.allSettled([merge(c, survivor), merge(d, c), merge(d, survivor)]);
  const left = (await read(c)).guestId;
  if (left !== (await read(d)).guestId) await merge(d, left);
  for (const id of [a, b, c, d]) t.equal((await read(id)).guestId, (await read(d)).guestId);
  const { rows } = await admin.query(
    'select from guests g join guests m on m.id = g.merged_into where m.merged_into is not null',
  );
  t.same(rows, [], 'a profile is merged only into one that survives');
  t.equal((await staysOf(b)).length, 4);
  const named = { code: 'VALIDATION_FAILED', details: { errors: [{ pointer: '/from' }] } };
  await t.rejects(merge(a, a), named);
  await t.rejects(planMerge(services, CALLER, a, a.toUpperCase()), named);
  t.equal(await errorOf(merge(a, freshId())), 'GUEST_NOT_FOUND');
});

t.test('of consent the latest decision stands', async (t) => {
  const [id, from] = [await idOf('dora'), await idOf('dorah')];
  await changeGuest(services, CALLER, from, { consent: { marketingByMail: true } });
  world.clock.pass(1_000);
  await changeGuest(services, CALLER, id, { consent: { marketingByMail: false } });
  await merge(id, from);
  t.match((await read(id)).consent, { marketingByMail: false });
  await changeGuest(services, CALLER, id, { consent: null });
  t.equal((await read(id)).consent, undefined);
});

t.test('two editors see each other', async (t) => {
  const id = await idOf('eva');
  const { version } = await read(id);
  const changed = await changeGuest(services, CALLER, id, { phone: '1' }, { ifVersion: version });
  t.equal(changed.result.profile.version, version + 1);
  const late = changeGuest(services, CALLER, id, { phone: '2' }, { ifVersion: version });
  t.equal(await errorOf(late), 'STALE_VERSION');
  t.equal((await read(id)).phone, '1');
  await changeGuest(services, CALLER, id, { language: 'es' });
  t.equal((await read(id)).language, 'es');
  const without = await changeGuest(services, CALLER, id, { language: null });
  t.equal(without.result.profile.language, undefined);
  t.equal((await read(id)).language, undefined);
});

t.test('a note is deleted by its author or a manager, once', async (t) => {
  const id = await idOf('fay');
  const under = key();
  const { note } = await writeGuestNote(services, CALLER, { id, text: 'Allergic to nuts' }, under);
  t.same(await writeGuestNote(services, CALLER, { id, text: 'Allergic to nuts' }, under), { note, replayed: true });
  const { noteId } = note;
  const remove = (caller: typeof CALLER, mayRemoveAny = false) =>
    removeGuestNote(services, caller, { id, noteId }, { mayRemoveAny });
  t.equal(await errorOf(remove({ ...CALLER, subject: 'else' })), 'ROLE_TOO_LOW');
  await remove({ ...CALLER, subject: 'else' }, true);
  t.same(await notesOfGuest(services, CALLER, id), []);
  t.equal(await errorOf(remove(CALLER)), 'NOTE_NOT_FOUND');
});

t.test('export and erasure cover all profiles, and a merge at the same time loses nothing', async (t) => {
  const surviving = await booked('ursulina', { phone: '+34 611 222 333' });
  const other = await booked('ursprung');
  const third = await booked('urbana');
  const [id, from, late] = [surviving.guest.guestId, other.guest.guestId, third.guest.guestId];
  await writeGuestNote(services, CALLER, { id: from, text: 'Calls herself Ursprung' });
  await changeGuest(services, CALLER, from, { consent: { marketingByMail: true } });
  await merge(id, from);
  const exported = await exportGuest(services, CALLER, from);
  t.same(exported.stays.map(({ reservation }) => reservation.id).toSorted(), [surviving.id, other.id].toSorted());
  t.match(exported.guest.profile.merged, [{ email: 'ursprung@example.com' }]);
  t.match(exported.notes, [{ text: 'Calls herself Ursprung' }]);

  await cancelReservation(services, CALLER, surviving.id, cancelBody.parse({ refundRequested: false }), {
    key: key(),
  });
  t.equal(await errorOf(eraseGuest(services, CALLER, id)), 'GUEST_IN_USE', 'for a stay of the merged one');
  t.equal((await read(id)).firstName, 'ursulina', 'all profiles are erased, or none');
  for (const stay of [other, third])
    await cancelReservation(services, CALLER, stay.id, cancelBody.parse({ refundRequested: false }), { key: key() });
  const [erased, merged] = await Promise.allSettled([eraseGuest(services, CALLER, from), merge(id, late)]);
  t.equal(erased.status, 'fulfilled');
  const gone = merged.status === 'fulfilled' ? [id, from, late] : [id, from];
  if (merged.status === 'rejected') t.equal((merged.reason as { code: string }).code, 'GUEST_NOT_FOUND');
  for (const one of gone) t.equal(await errorOf(read(one)), 'GUEST_NOT_FOUND');
  for (const value of ['ursulina', 'ursprung', '+34 611 222 333'])
    t.same(await world.whereStands(value), [], `${value} is nowhere`);
  const { rows } = await admin.query('select from guests where consent is not null and deleted_at is not null');
  t.same(rows, []);
  t.not(await idOf('ursprung'), id, 'who books again is new');
});
