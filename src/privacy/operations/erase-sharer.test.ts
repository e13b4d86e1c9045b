import t from 'tap';

import { exportedGuest } from '../../../gateways/rest/guests/render/guest.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { postCharge } from '../../money/operations/post-charge.ts';
import { routeFolio } from '../../money/operations/route-folio.ts';
import { takePayment } from '../../money/operations/take-payment.ts';
import { cancelBody, checkInBody, checkOutBody, createBody, modifyBody } from '../../stay/contracts/reservations.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { checkIn } from '../../stay/operations/check-in.ts';
import { checkOut } from '../../stay/operations/check-out.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { listStays } from '../../stay/operations/find-reservations.ts';
import { modifyReservation } from '../../stay/operations/modify-reservation.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { errorOf } from '../../testing/actors/running-host.ts';
import { CALLER, SOME_DAY } from '../../testing/front-desk.ts';
import { GuestWorld } from '../../testing/guest-world.ts';
import { DAY, envelope, freshId, PROPERTY_ID } from '../../testing/property-world.ts';
import { eraseGuest } from './erase-guest.ts';
import { exportGuest } from './export-guest.ts';

const world = await GuestWorld.open(t);
const { services } = world;
for (const property of ['north', 'gone']) await world.property(property);

const ZORAIDA = {
  firstName: 'Zoraida',
  lastName: 'Quintaxil',
  email: 'Zoraida.Q@wherever.example',
  phone: '+34 600 987 654',
};
const HEPZIBAH = { firstName: 'Hepzibah', lastName: 'Wolfsbane', email: 'hepzi@elsewhere.example' };
/** Unique values of the sharer; each was entered somewhere. */
const VALUES = ['Zoraida', 'Quintaxil', 'zoraida.q@wherever.example', '+34 600 987 654', 'Xanthippe', '+34 600 111'];

const key = () => ({ key: freshId(), fingerprint: 'body' });
const read = async (id: ReservationId): Promise<Reservation> =>
  (await services.reservations.get(PROPERTY_ID.tenantId, id))!.reservation;

async function booked(propertyId: string, from: number, guestInfo: object, sharer: object): Promise<Reservation> {
  const body = createBody.parse({
    propertyId,
    guestInfo,
    sharer,
    stayDetails: { ...SOME_DAY, adults: 2, roomType: 'STD' },
    specialRequests: ['a pillow of xenolith feathers', 'a cot for Quintaxil'],
  });
  const stayDetails = { ...body.stayDetails, checkIn: DAY + from, checkOut: DAY + from + 1 };
  return (await createReservation(services, CALLER, { ...body, stayDetails }, key())).result.reservation;
}

const cancel = (id: ReservationId) =>
  cancelReservation(services, CALLER, id, cancelBody.parse({ description: 'her sister knows' }), { key: key() });

/** Of a stay of both what the sharer pays, from check-in to check-out. */
async function stayed(id: ReservationId): Promise<void> {
  await takePayment(services, CALLER, id, { method: 'CASH' }, { key: key() });
  await checkIn(
    services,
    CALLER,
    id,
    checkInBody.parse({ identificationVerified: true, notes: 'both came late' }),
    {},
  );
  await routeFolio(services, CALLER, id, { rules: [{ kind: 'ROOM', window: 'SHARER', percent: 50 }] }, {});
  const minibar = { description: 'Minibar of Quintaxil', unitAmount: 500, quantity: 1, window: 'SHARER' as const };
  await postCharge(services, CALLER, id, minibar, {});
  await takePayment(services, CALLER, id, { method: 'CASH', window: 'SHARER' }, { key: key() });
  await checkOut(services, CALLER, id, checkOutBody.parse({}), {});
}

/** Columns with a value of the sharer; the recipient of an issued invoice stays. */
async function places(): Promise<string[]> {
  const found: string[] = [];
  for (const value of VALUES)
    for (const at of await world.whereStands(value))
      if (at !== 'public.invoice_documents.issued_to') found.push(`${value}: ${at}`);
  return found;
}

void t.test('a sharer is found, exported and erased, and the guest who has booked stays', async (t) => {
  const { id } = await booked('north', 0, HEPZIBAH, ZORAIDA);
  const { guestId } = (await read(id)).sharer!;
  const renamed = { modifications: { sharer: { ...ZORAIDA, firstName: 'Xanthippe', phone: '+34 600 111' } } };
  await modifyReservation(services, CALLER, id, modifyBody.parse(renamed), { key: key() });
  t.equal((await read(id)).sharer!.guestId, guestId, 'the profile is known by address and last name');
  const { id: orphan } = await booked('gone', 6, HEPZIBAH, ZORAIDA);
  const { id: own, guest: self } = await booked('north', 9, ZORAIDA, HEPZIBAH);
  t.equal(self.guestId, guestId, 'one profile, whoever books');

  const filters = [{ guestId }, { email: 'zoraida.q@WHEREVER.example' }];
  for (const filter of filters) {
    const { items } = await services.reservations.list(PROPERTY_ID.tenantId, filter, 10);
    t.same(new Set(items.map((one) => one.id)), new Set([id, orphan, own]), 'with those that the guest shares');
  }
  t.equal((await listStays(services, CALLER, guestId, { limit: 10 })).items.length, 3);
  t.equal(await errorOf(eraseGuest(services, CALLER, guestId)), 'GUEST_IN_USE');

  for (const one of [own]) await cancel(one);
  t.equal(await errorOf(eraseGuest(services, CALLER, guestId)), 'GUEST_IN_USE', 'of stays of others, too');
  await stayed(id);
  for (const { paymentId, status, ...refund } of (await read(id)).payments)
    if (status === 'PENDING')
      await services.properties.execute(
        { ...PROPERTY_ID, propertyId: 'north' },
        envelope({
          type: 'SETTLE_REFUND',
          reservationId: id,
          payment: { ...refund, paymentId, status: 'COMPLETED' },
        }),
      );
  await cancel(orphan);

  const exported = exportedGuest(await exportGuest(services, CALLER, guestId));
  t.same(
    exported.reservations.map(({ reservationId }) => reservationId),
    [own],
  );
  t.match(
    exported.sharedStays.find(({ reservationId }) => reservationId === id),
    { sharer: { firstName: 'Xanthippe' }, folio: { window: 'SHARER', postings: [{}, {}, {}] } },
  );
  const text = JSON.stringify(exported);
  for (const secret of ['Wolfsbane', 'hepzi@elsewhere.example', 'xenolith'])
    t.notOk(JSON.stringify(exported.sharedStays).includes(secret), 'nothing of the other guest');
  t.notOk(text.includes('hepzi@elsewhere.example'), 'nor of who shares an own stay');

  for (const value of VALUES) t.not((await world.whereStands(value)).length, 0, `${value} stands somewhere`);
  await services.properties.execute({ ...PROPERTY_ID, propertyId: 'gone' }, envelope({ type: 'DELETE_PROPERTY' }));
  const feed = async () => {
    const { recent, close } = await services.properties.follow({ ...PROPERTY_ID, propertyId: 'north' }, undefined, {
      entry: () => {},
      lost: () => {},
    });
    close();
    return JSON.stringify(recent.map(({ guestName }) => guestName));
  };
  const named = await feed();
  await eraseGuest(services, CALLER, guestId);
  t.equal((await feed()).includes('Wolfsbane'), named.includes('Wolfsbane'), 'the feed still names who has booked');
  t.same(await places(), [], 'no column of any table has a value of hers');
  const after = await read(id);
  const nobody = { guestId, firstName: '', lastName: '', email: '' };
  t.same([after.sharer, (await read(orphan)).sharer, (await read(own)).guest], [nobody, nobody, nobody]);
  t.match(after.guest, HEPZIBAH);
  t.match(after.specialRequests, ['a pillow of xenolith feathers', 'guest']);
  t.equal(after.checkIn!.notes, 'both came late', 'what was typed of the other guest stays');
  t.match((await read(own)).sharer, HEPZIBAH);
  t.match((await read(orphan)).guest, HEPZIBAH, 'also where the property is gone');
  const { documents = [] } = after;
  t.match(
    documents.map(({ issuedTo }) => issuedTo),
    [{ name: 'Hepzibah Wolfsbane' }, { name: 'Xanthippe Quintaxil', sharerId: guestId }],
  );
  t.equal(documents[1]!.lines.at(-1)!.description, 'guest');

  await eraseGuest(services, CALLER, after.guest.guestId);
  const names = ['Wolfsbane', 'hepzi@elsewhere.example', 'xenolith'];
  const left = (await Promise.all(names.map((name) => world.whereStands(name)))).flat();
  t.same(new Set(left), new Set(['public.invoice_documents.issued_to']));
});

void t.test('a sharer whose profile was erased between look-up and commit is found anew', async (t) => {
  const { id, sharer } = await booked(
    'north',
    12,
    { ...HEPZIBAH, lastName: 'Third' },
    { ...ZORAIDA, lastName: 'Fourth' },
  );
  await cancel(id);
  const { identify } = services.guests;
  const known = await services.guests.identify(PROPERTY_ID.tenantId, { ...ZORAIDA, lastName: 'Fourth' });
  t.equal(known.guestId, sharer!.guestId);
  await eraseGuest(services, CALLER, known.guestId);
  const { id: other } = await booked('north', 13, HEPZIBAH, { ...ZORAIDA, lastName: 'Fifth' });
  let asked = 0;
  const late = {
    ...services,
    guests: {
      ...services.guests,
      byId: services.guests.byId.bind(services.guests),
      open: services.guests.open.bind(services.guests),
      identify: async (...args: Parameters<typeof identify>) => {
        asked += 1;
        return asked === 1 ? { ...known } : services.guests.identify(...args);
      },
    },
  };
  const body = modifyBody.parse({ modifications: { sharer: { ...ZORAIDA, lastName: 'Fourth' } } });
  await modifyReservation(late, CALLER, other, body, { key: key() });
  t.equal(asked, 2);
  t.not((await read(other)).sharer!.guestId, known.guestId);
});
