import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import type { Answer } from '../http.ts';
import { messages, outbox, posted } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page, Reservation } from '../shapes.ts';

type Guest = {
  guestId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  preferences: Record<string, string> | null;
  loyaltyMember: boolean;
  loyaltyTier: string;
  loyalty: { tier: string; nights: number; days: number; nextTier: string | null; nightsToNextTier: number | null };
  history: Record<string, unknown>;
};

/** A guest that no other group has, so that a search finds nobody else. */
function stranger() {
  const name = `q${randomUUID().slice(0, 8)}`;
  const phone = `+49 ${name}`;
  return { firstName: 'Zoe', lastName: name, email: `${name}@Example.com`, phone };
}

/** Profiles, their search, export and erasure (docs/reference/guests.md#guests). */
export async function guests(group: Test, service: Service): Promise<void> {
  const call = <T = Guest>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> =>
    service.call<T>(method, `${service.dev.reservationUrl}/api/v1/guests${path}`, { role: 'STAFF', ...options });
  const found = async (query: string, options: CallOptions = {}) =>
    must(await call<Page<Guest>>('GET', query, options), 200).json;

  await group.test('one person has one profile, in every property and spelling', async (t) => {
    const guest = stranger();
    const preferences = { bedType: 'KING' };
    const one = await BlackboxProperty.open(service);
    const other = await BlackboxProperty.open(service);
    const first = await one.booked({ guest: { ...guest, preferences } });
    const second = await other.booked({ guest: { ...guest, email: guest.email.toUpperCase() } });
    const { guestId } = first.guestInfo;
    t.equal(second.guestInfo.guestId, guestId);
    const { json } = must(await call('GET', `/${guestId}`), 200);
    t.match(json, { ...guest, guestId, preferences, loyaltyMember: false, loyaltyTier: 'NONE' });
    t.match(json.loyalty, { nights: 0, days: 365, nextTier: 'SILVER', nightsToNextTier: 5 });
    t.match(json.history, { reservations: 2, upcoming: 2, stays: 0, firstArrival: null });
    const stays = must(
      await call<Page<Reservation>>('GET', String(json.history.reservationsUrl).slice(14)),
      200,
    ).json;
    t.same(
      stays.items.map(({ reservationId }) => reservationId),
      [second.reservationId, first.reservationId],
    );
    const same = await service.reservations<Page<Reservation>>('GET', `?guestId=${guestId}`);
    t.equal(same.json.items.length, 2);
  });

  await group.test('guests are found by name, e-mail and tier, in pages, newest first', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 9 } });
    const family = `f${randomUUID().slice(0, 8)}`;
    const named = async (firstName: string) =>
      (await property.booked({ guest: { firstName, lastName: family, email: `${firstName}.${family}@example.com` } }))
        .guestInfo;
    const all = [await named('Anna'), await named('Bert'), await named('Cleo')];
    const ids = (page: Page<Guest>) => page.items.map(({ guestId }) => guestId);
    const newest = all.map(({ guestId }) => guestId).toReversed();
    t.same(ids(await found(`?q=${family}`)), newest);
    t.same(ids(await found(`?q=${encodeURIComponent(`${family.toUpperCase()} bert`)}`)), newest.slice(1, 2));
    t.same(ids(await found(`?q=cleo.${family}`)), newest.slice(0, 1), 'a part of an e-mail address');
    t.same(ids(await found(`?email=${encodeURIComponent(`ANNA.${family}@example.com`)}`)), newest.slice(2));
    t.same(ids(await found(`?q=${family}&loyaltyTier=NONE`)), newest);
    t.same(ids(await found(`?q=${family}&loyaltyTier=GOLD`)), []);
    const first = must(await call<Page<Guest>>('GET', `?q=${family}&limit=2`), 200);
    t.match(first.headers.link, /rel="next"/);
    const second = await found(`?q=${family}&limit=2&cursor=${encodeURIComponent(first.json.nextCursor ?? '')}`);
    t.same([...ids(first.json), ...ids(second)], newest);
    t.equal(second.nextCursor, null);
    isProblem(t, await call('GET', '?limit=0'), 400, { parameters: ['limit'] });
    isProblem(t, await call('GET', '?loyaltyTier=WOOD'), 400, { parameters: ['loyaltyTier'] });
    isProblem(t, await call('GET', '?cursor=made-up'), 400);
  });

  await group.test('a VIEWER sees no contact data and cannot search it piece by piece', async (t) => {
    const guest = stranger();
    const property = await BlackboxProperty.open(service);
    const { guestInfo } = await property.booked({ guest: { ...guest, email: `secret.${guest.email}` } });
    const viewer = { role: 'VIEWER' } as const;
    for (const path of [`/${guestInfo.guestId}`, `?q=${guest.lastName}`, `/${guestInfo.guestId}/reservations`]) {
      const seen = must(await call('GET', path, viewer), 200);
      t.match(seen.text, guest.lastName);
      t.notMatch(seen.text.toLowerCase(), `secret.${guest.email}`.toLowerCase());
      t.notOk(seen.text.includes(guest.phone));
    }
    t.same((await found(`?q=secret.${guest.lastName}`, viewer)).items, []);
    t.equal((await found(`?q=secret.${guest.lastName}`)).items.length, 1);
    isProblem(t, await call('PUT', `/${guestInfo.guestId}`, { ...viewer, body: {} }), 403);
    isProblem(t, await call('GET', `/${guestInfo.guestId}/export`, { role: 'STAFF' }), 403);
    isProblem(t, await call('DELETE', `/${guestInfo.guestId}`, { role: 'MANAGER' }), 403);
  });

  await group.test('a profile is corrected, and reservations keep their copies', async (t) => {
    const guest = stranger();
    const property = await BlackboxProperty.open(service);
    const { guestInfo, reservationId } = await property.booked({ guest });
    const path = `/${guestInfo.guestId}`;
    const spaced = { preferences: { roomType: '', bedType: 'KING' } };
    const emptied = must(await call('PUT', path, { body: spaced }), 200);
    t.match(emptied.json, { preferences: { bedType: 'KING' } }, 'an empty text is none');
    const preferences = { smokingPreference: 'NON_SMOKING' };
    const body = { phone: null, preferences, email: `new.${guest.email}` };
    const changed = must(await call('PUT', path, { body }), 200).json;
    t.match(changed, { firstName: 'Zoe', lastName: guest.lastName, phone: null, preferences, email: body.email });
    t.match((await property.read(reservationId)).json, { guestInfo: { email: guest.email, phone: guest.phone } });
    const later = await property.booked({ from: 40, guest: { ...guest, email: body.email } });
    t.equal(later.guestInfo.guestId, guestInfo.guestId, 'a booking finds it by its new address');
    const twin = await property.booked({ from: 41, guest });
    t.not(twin.guestInfo.guestId, guestInfo.guestId);
    isProblem(t, await call('PUT', `/${twin.guestInfo.guestId}`, { body: { email: body.email } }), 409, {
      code: 'ALREADY_EXISTS',
    });
    isProblem(t, await call('PUT', path, { body: { email: 'no address', shoeSize: 43 } }), 400, {
      pointers: ['/email', '/shoeSize'],
    });
  });

  await group.test('nights that were stayed make a member, also in the answers of reservations', async (t) => {
    const guest = stranger();
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 6 } });
    const rooms = `/properties/${property.propertyId}/rooms`;
    let last: Reservation | undefined;
    for (let n = 1; n <= 5; n += 1) {
      must(await service.tenants('POST', rooms, { body: { roomNumber: `10${n}`, roomType: 'DLX', floor: 1 } }), 201);
      last = await property.booked({ from: 0, nights: 1, guest });
      const body = { identificationVerified: true, keyCards: 1 };
      must(await service.reservations('POST', `/${last.reservationId}/checkin`, { body }), 200);
      must(await service.reservations('POST', `/${last.reservationId}/checkout`, { body: {} }), 200);
    }
    const { reservationId, guestInfo } = last!;
    const { json } = must(await call('GET', `/${guestInfo.guestId}`), 200);
    t.match(json, { loyaltyMember: true, loyaltyTier: 'SILVER', loyalty: { nights: 5, nextTier: 'GOLD' } });
    t.match(json.history, { stays: 5, nights: 5, firstArrival: property.day(0), lastDeparture: property.day(1) });
    const member = { guestInfo: { loyaltyMember: true, loyaltyTier: 'SILVER' } };
    t.match((await property.read(reservationId)).json, member);
    const [listed] = await property.reservations();
    t.match(listed, member);
    t.equal((await found(`?q=${guest.lastName}&loyaltyTier=SILVER`)).items.length, 1);
  });

  await group.test('an export has everything about the person and nothing of a card', async (t) => {
    const guest = stranger();
    const property = await BlackboxProperty.open(service);
    const billingAddress = { name: 'Zoe', addressLine1: 'Example Road 1' };
    const paymentDetails = { method: 'CREDIT_CARD', cardToken: 'tok_exported', billingAddress };
    const more = { paymentDetails, specialRequests: ['a crib'] };
    const { reservationId, guestInfo } = await property.booked({ guest, more });
    await messages(service, reservationId, 1);
    await posted(service);
    const exported = must(
      await call<Record<string, unknown>>('GET', `/${guestInfo.guestId}/export`, { role: 'MANAGER' }),
      200,
    );
    t.match(exported.headers['content-disposition'], /^attachment; filename="guest-/);
    t.match(exported.json, {
      guest: { ...guest, guestId: guestInfo.guestId },
      reservations: [
        {
          reservationId,
          specialRequests: ['a crib'],
          paymentDetails: { billingAddress },
          guestInfo: { email: guest.email },
          financial: { paymentDetails: [{ amount: 200, status: 'COMPLETED' }] },
          statusHistory: [{ newStatus: 'CONFIRMED' }],
          notifications: [{ kind: 'CONFIRMATION', channel: 'MAIL', state: 'SENT' }, { channel: 'SMS' }],
        },
      ],
    });
    t.same(exported.json['leftOut'], []);
    t.notMatch(exported.text, /tok_exported|"card"|transactionId/);
  });

  await group.test(
    'a guest with a stay to come stays; when all is over the books stay and the person goes',
    async (t) => {
      const guest = stranger();
      const property = await BlackboxProperty.open(service);
      const headers = { 'idempotency-key': randomUUID() };
      const friend = { firstName: 'Ottoline', lastName: 'Companion' };
      const more = { specialRequests: [`for ${guest.lastName}`], companions: [friend] };
      const wish = { guest, more };
      const body = property.wish(wish);
      const book = () => service.reservations<Reservation>('POST', '', { body, headers });
      const { reservationId, guestInfo, confirmationNumber, financial } = must(await book(), 201).json;
      const path = `/${guestInfo.guestId}`;
      const admin = { role: 'ADMIN' } as const;
      const refused = await call('DELETE', path, admin);
      isProblem(t, refused, 409, { code: 'GUEST_IN_USE' });
      t.match(refused.json, { reservations: [reservationId] });
      must(await service.reservations('DELETE', `/${reservationId}`, { body: { cancelledBy: guest.lastName } }), 200);
      await posted(service);
      const erased = must(await call('DELETE', path, admin), 200);
      t.match(erased.json, { guestId: guestInfo.guestId, status: 'ERASED', erasedAt: String });
      t.same((await call('DELETE', path, admin)).json, erased.json, 'again, the same');
      isProblem(t, await call('GET', path), 404, { code: 'GUEST_NOT_FOUND' });
      isProblem(t, await call('GET', `${path}/export`, admin), 404, { code: 'GUEST_NOT_FOUND' });
      isProblem(t, await call('PUT', path, { body: { firstName: 'Zoe' } }), 404, { code: 'GUEST_NOT_FOUND' });
      t.same((await found(`?q=${guest.lastName}`)).items, []);
      const stored = await property.read(reservationId);
      t.match(stored.json, {
        confirmationNumber,
        status: 'CANCELLED',
        guestInfo: { firstName: '', lastName: '', email: '' },
      });
      t.match(stored.json.financial, { totalAmount: 0, originalTotal: financial.totalAmount });
      const again = await book();
      t.match(again, { status: 201, json: { reservationId }, headers: { 'idempotency-replayed': 'true' } });
      t.same((await outbox(service, `?reservationId=${reservationId}`)).items, []);
      const listed = await service.reservations('GET', `?propertyId=${property.propertyId}`);
      for (const answer of [stored, again, listed])
        for (const name of [guest.lastName, friend.firstName]) t.notOk(answer.text.includes(name), 'nobody is named');
      const next = await property.booked({ guest });
      t.not(next.guestInfo.guestId, guestInfo.guestId, 'who comes back is somebody new');
    },
  );

  await group.test('former names are erased too, in every reservation', async (t) => {
    const property = await BlackboxProperty.open(service);
    const before = stranger();
    const after = stranger();
    const { reservationId, guestInfo } = await property.booked({ guest: before });
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      modifications: { guestInfo: { lastName: after.lastName } },
      reason: `now ${after.lastName}`,
      modifiedBy: before.lastName,
    };
    const rename = () => service.reservations('PUT', `/${reservationId}`, { body, headers });
    must(await rename(), 200);
    const cancelled = { description: 'ill', cancelledBy: `Ms ${before.lastName}` };
    must(await service.reservations('DELETE', `/${reservationId}`, { body: cancelled }), 200);
    await posted(service);
    const path = `/${reservationId}`;
    const texts = async () => [
      (await property.read(reservationId)).text,
      must(await service.reservations('GET', `${path}/history`), 200).text,
      must(await rename(), 200).text,
    ];
    t.match((await texts()).join(), before.lastName);
    must(await call('DELETE', `/${guestInfo.guestId}`, { role: 'ADMIN' }), 200);
    for (const text of await texts())
      for (const { lastName } of [before, after]) t.notOk(text.includes(lastName), lastName);
  });

  await group.test("another tenant's guest is not there", async (t) => {
    const property = await BlackboxProperty.open(service);
    const { guestInfo } = await property.booked({ guest: stranger() });
    const rival = { tenant: 'rival', role: 'OWNER' } as const;
    const path = `/${guestInfo.guestId}`;
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/export`],
      ['GET', `${path}/reservations`],
      ['DELETE', path],
    ] as const)
      isProblem(t, await call(method, at, rival), 404, { code: 'GUEST_NOT_FOUND' });
    isProblem(t, await call('PUT', path, { ...rival, body: { firstName: 'Mine' } }), 404, {
      code: 'GUEST_NOT_FOUND',
    });
    t.same((await found(`?q=${guestInfo.lastName}`, rival)).items, []);
    for (const id of [randomUUID(), 'nobody'])
      isProblem(t, await call('GET', `/${id}`), 404, { code: 'GUEST_NOT_FOUND' });
  });
}
