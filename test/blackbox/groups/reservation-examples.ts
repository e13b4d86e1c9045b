import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, someone } from '../property.ts';
import type { Service } from '../service.ts';

type Json = Record<string, unknown>;
type Stay = 'propertyInfo' | 'guestInfo' | 'stayDetails' | 'financial';
type Change = 'changes' | 'additionalPayment' | 'cancellationPolicy' | 'refund' | 'waived';
type Desk = 'roomDetails' | 'finalBill' | 'payment' | 'feedback';
/** An answer whose parts are looked into. */
type Parts = Record<Stay | Change | Desk, Json> & Json;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const cents = (amount: unknown): number => Math.round((amount as number) * 100);

/**
 * The requests of docs/reference/reservations.md#reservations about one reservation, with every field of their answers.
 */
export async function reservationExamples(group: Test, service: Service): Promise<void> {
  const policies = { taxPercent: 10, feePerNight: 2.5, freeCancellationHours: 48 };
  const property = await BlackboxProperty.open(service, { policies, rooms: { STD: 9, DLX: 9 } });
  for (const roomNumber of ['501', '502', '503'])
    must(
      await service.tenants('POST', `/properties/${property.propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DLX', floor: 5 },
      }),
      201,
    );
  const post = (id: unknown, what: string, body: Json, headers: Record<string, string> = {}) =>
    service.reservations<Json>('POST', `/${String(id)}/${what}`, { body, headers });

  await group.test('POST /reservations, whole and minimal', (t) => creates(t, service, property));
  await group.test('GET /reservations/{reservationId}', async (t) => {
    const { reservationId } = must(
      await service.reservations<Json>('POST', '', { body: wholeWish(property) }),
      201,
    ).json;
    await reads(t, must(await service.reservations<Parts>('GET', `/${String(reservationId)}`), 200).json, property);
  });
  await group.test('PUT /reservations/{reservationId}', (t) => modifies(t, service, property));
  await group.test('DELETE /reservations/{reservationId}', (t) => cancels(t, service, property));

  await group.test('POST /reservations/{reservationId}/checkin and /checkout', async (t) => {
    const body = wholeWish(property, 0, 2);
    const { reservationId } = must(await service.reservations<Json>('POST', '', { body }), 201).json;
    const checkInTime = new Date().toISOString();
    const arrival = {
      checkInTime,
      actualGuests: { adults: 2, children: 0 },
      identificationVerified: true,
      keyCards: 2,
      staffMember: 'Eve',
      notes: 'Late arrival',
    };
    const came = must(await post(reservationId, 'checkin', arrival), 200).json as Parts;
    t.match(came, { checkInId: UUID, reservationId, status: 'CHECKED_IN', checkInTime, amenities: Array });
    t.match(came.roomDetails, { roomNumber: /^50\d$/, floor: 5 });
    t.equal((came.roomDetails.keyCards as string[]).length, 2);
    t.ok((came.roomDetails.keyCards as unknown[]).every((card) => typeof card === 'string'));
    const leaves = `${property.day(2)}T11:00:00.000Z`;
    t.match([came.roomDetails.keyCardExpiry, came.expectedCheckOut], [leaves, leaves]);

    const checkOutTime = new Date(Date.now() + 1_000).toISOString();
    const departure = {
      checkOutTime,
      roomCondition: 'GOOD',
      keyCardsReturned: 2,
      staffMember: 'Eve',
      finalCharges: [
        { description: 'Minibar', amount: 25.5, date: property.day(0) },
        { description: 'Spa', amount: 150, date: property.day(0) },
      ],
    };
    const left = must(await post(reservationId, 'checkout', departure), 200).json as Parts;
    t.match(left, { checkOutId: UUID, reservationId, status: 'CHECKED_OUT', checkOutTime });
    const { roomCharges, additionalCharges, taxes, totalAmount, balanceDue } = left.finalBill;
    // He leaves after the first night: the other goes back, 112.50 of what he had paid.
    t.match([roomCharges, additionalCharges, taxes], [100, 178, 10]);
    t.equal(cents(totalAmount), cents(roomCharges) + cents(additionalCharges) + cents(taxes));
    t.equal(cents(balanceDue), cents(totalAmount) - 22_500);
    t.match(left.payment, {
      method: 'CARD_ON_FILE',
      amount: balanceDue,
      paymentId: UUID,
      receiptUrl: /^\/receipts\//,
    });
    t.match(left.feedback, { surveyUrl: /^\/survey\//, loyaltyPoints: 0 }, 'who is no member earns none');
    isProblem(t, await post(reservationId, 'checkout', departure), 409, { code: 'INVALID_STATE' });
  });

  await group.test('the minimal check-in and check-out', async (t) => {
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const arrival = { checkInTime: new Date().toISOString(), identificationVerified: true, keyCards: 1 };
    t.match(must(await post(reservationId, 'checkin', arrival), 200).json, { status: 'CHECKED_IN' });
    const left = must(await post(reservationId, 'checkout', {}), 200).json;
    t.match(left, {
      status: 'CHECKED_OUT',
      payment: { method: 'CREDIT_CARD' },
      refund: { amount: 0, method: 'NONE' },
      checkOutTime: ISO,
      finalBill: { balanceDue: 0 },
    });
  });

  await group.test('POST /admin/reservations/{reservationId}/force-checkout', async (t) => {
    const own = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
    const room = { roomNumber: '11', roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${own.propertyId}/rooms`, { body: room }), 201);
    const { reservationId } = await own.booked({ from: 0, nights: 1, card: null });
    must(await post(reservationId, 'checkin', { identificationVerified: true, keyCards: 0 }), 200);
    isProblem(t, await post(reservationId, 'checkout', {}), 422, { code: 'PAYMENT_METHOD_REQUIRED' });
    const path = `${service.dev.reservationUrl}/api/v1/admin/reservations/${reservationId}/force-checkout`;
    isProblem(t, await service.call('POST', path, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const { json } = must(await service.call<Json>('POST', path, { role: 'ADMIN' }), 200);
    t.match(json, {
      checkOutId: UUID,
      status: 'CHECKED_OUT',
      forced: true,
      payment: { method: null, amount: 0, paymentId: null },
      checkOutTime: ISO,
      finalBill: { totalAmount: 100, balanceDue: 100 },
    });
    t.match((await own.read(reservationId)).json, { financial: { balanceDue: 100, paymentStatus: 'UNPAID' } });
  });

  await group.test('POST /reservations/{reservationId}/waive-penalty and /confirm', async (t) => {
    const { reservationId } = await property.booked({ from: 1, nights: 2 });
    const gone = must(await service.reservations<Parts>('DELETE', `/${reservationId}`, { body: {} }), 200).json;
    const retained = gone.cancellationPolicy.penaltyAmount as number;
    t.equal(retained, 112.5);
    const waive = (body: Json, role: 'STAFF' | 'MANAGER' = 'MANAGER') =>
      service.reservations<Parts>('POST', `/${reservationId}/waive-penalty`, { body, role });
    isProblem(t, await waive({ reason: 'ill' }, 'STAFF'), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await waive({ reason: 'ill', amount: retained + 1 }), 422, { code: 'REFUND_EXCEEDS_PAID' });
    const { json } = must(await waive({ reason: 'ill' }), 200);
    t.match(json, { waived: { amount: retained, refundId: UUID, reason: 'ill' }, status: 'CANCELLED' });
    t.match(json.cancellationPolicy, { penaltyAmount: 0 });
    isProblem(t, await waive({ reason: 'ill' }), 409, { code: 'INVALID_STATE' });

    const own = await BlackboxProperty.open(service, { policies: { autoConfirmation: false } });
    const waiting = await own.booked();
    t.match(waiting, { status: 'PENDING', holdExpiresAt: undefined });
    const done = must(await post(waiting.reservationId, 'confirm', {}), 200).json;
    t.match(done, { status: 'CONFIRMED', reservationId: waiting.reservationId });
  });

  await group.test('a check-out and a payment whose answer was lost are found under their keys', async (t) => {
    const own = await BlackboxProperty.open(service);
    const { reservationId } = await own.booked({ card: null });
    const key = { 'idempotency-key': randomUUID() };
    const body = { method: 'CREDIT_CARD', cardToken: 'tok_timeout' };
    isProblem(t, await post(reservationId, 'payments', body, key), 503);
    isProblem(t, await post(reservationId, 'payments', body), 409, { code: 'INVALID_STATE' });
    const found = must(await post(reservationId, 'payments', body, key), 201);
    t.match(found.json, { paymentId: UUID, amount: 200, status: 'COMPLETED', reservationStatus: 'CONFIRMED' });
    const again = must(await post(reservationId, 'payments', body, key), 201);
    t.match([again.headers['idempotency-replayed'], again.text], ['true', found.text]);
    t.match((await own.read(reservationId)).json, { financial: { paymentStatus: 'PAID' } });

    const wish = wholeWish(property, 0, 1);
    const paymentDetails = { method: 'CREDIT_CARD', cardToken: 'tok_timeout' };
    const create = () =>
      service.reservations<Json>('POST', '', {
        body: { ...wish, paymentDetails },
        headers: { 'idempotency-key': String(wish.specialRequests) + property.propertyId },
      });
    isProblem(t, await create(), 503);
    const { reservationId: id } = must(await create(), 201).json;
    must(await post(id, 'checkin', { identificationVerified: true, keyCards: 1 }), 200);
    const bar = { finalCharges: [{ description: 'Bar', amount: 12 }] };
    const leave = (headers?: Record<string, string>) => post(id, 'checkout', bar, headers);
    const other = { 'idempotency-key': randomUUID() };
    isProblem(t, await leave(other), 503);
    isProblem(t, await leave(), 409, { code: 'INVALID_STATE' });
    const left = must(await leave(other), 200);
    t.match(left.json, { status: 'CHECKED_OUT', payment: { method: 'CARD_ON_FILE', amount: 12 } });
    const answer = must(await leave(other), 200);
    t.match([answer.headers['idempotency-replayed'], answer.text], ['true', left.text]);
  });

  await group.test('the operational endpoints', async (t) => {
    const open = (path: string) => service.call<Json>('GET', `${service.dev.reservationUrl}/actuator${path}`);
    t.match(must(await open('/health'), 200).json, { status: 'UP' });
    for (const component of ['availabilityService', 'paymentService'])
      t.match(must(await open(`/health/${component}`), 200).json, { status: 'UP' });
  });
}

/** A request with every field. */
function wholeWish(property: BlackboxProperty, from = 30, nights = 3): Json {
  return {
    propertyId: property.propertyId,
    guestInfo: {
      ...someone(),
      phone: '+1-555-0123',
      preferences: { roomType: 'DLX', floorPreference: 'HIGH', bedType: 'KING', smokingPreference: 'NON_SMOKING' },
    },
    stayDetails: {
      checkIn: property.day(from),
      checkOut: property.day(from + nights),
      nights,
      adults: 2,
      children: 0,
      roomType: 'DLX',
      rateCode: 'BAR',
    },
    paymentDetails: {
      method: 'CREDIT_CARD',
      cardToken: 'tok_visa',
      billingAddress: {
        name: 'Ada Byron',
        addressLine1: '1 Main Street',
        city: 'Boston',
        state: 'MA',
        zipCode: '02101',
        country: 'US',
      },
    },
    specialRequests: ['Late check-in', 'High floor'],
    source: { channel: 'DIRECT', medium: 'WEBSITE', campaign: 'SUMMER' },
  };
}

async function creates(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const whole = wholeWish(property);
  const { propertyId } = property;
  const minimal = {
    propertyId,
    guestInfo: someone(),
    stayDetails: { checkIn: property.day(30), checkOut: property.day(33), roomType: 'DLX' },
  };
  for (const body of [whole, minimal]) {
    const answer = must(await service.reservations<Parts>('POST', '', { body }), 201);
    const { json } = answer;
    const status = body === whole ? 'CONFIRMED' : 'PENDING';
    t.match(json, { reservationId: UUID, confirmationNumber: /^[0-9A-Z]{10}$/, status, createdAt: ISO });
    t.equal(answer.headers.location, `/api/v1/reservations/${String(json.reservationId)}`);
    const { firstName, lastName, email } = body.guestInfo as Json;
    t.match(json.guestInfo, { guestId: UUID, firstName, lastName, email });
    t.match(json.stayDetails, {
      checkIn: property.day(30),
      checkOut: property.day(33),
      nights: 3,
      roomType: 'DLX',
      roomNumber: 'TBA',
    });
    const { totalAmount, baseAmount, taxes, fees } = json.financial;
    t.match([totalAmount, baseAmount, taxes, fees], [337.5, 300, 30, 7.5]);
    t.equal(cents(totalAmount), cents(baseAmount) + cents(taxes) + cents(fees));
    t.match(json.financial, { currency: 'EUR', paymentStatus: body === whole ? 'PAID' : 'UNPAID' });
    t.match(json.timeline, [{ event: 'CREATED', timestamp: ISO, status }]);
  }
}

async function reads(t: Test, json: Parts, property: BlackboxProperty): Promise<void> {
  t.match(json, { reservationId: UUID, confirmationNumber: String, status: 'CONFIRMED' });
  t.match(json.propertyInfo, { propertyId: property.propertyId, propertyName: String });
  for (const field of ['address', 'contact']) t.ok(field in json.propertyInfo, field);
  t.match(json.guestInfo, {
    guestId: UUID,
    firstName: String,
    lastName: String,
    email: /@/,
    phone: '+1-555-0123',
    loyaltyMember: Boolean,
    loyaltyTier: String,
  });
  t.match(json.stayDetails, { nights: 3, adults: 2, children: 0, roomType: 'DLX', roomNumber: 'TBA' });
  t.match(json.stayDetails, { checkIn: property.day(30), checkOut: property.day(33) });
  t.ok('assignedAt' in json.stayDetails);
  t.match(json.financial, { totalAmount: 337.5, baseAmount: 300, taxes: 30, fees: 7.5, currency: 'EUR' });
  t.match(json.financial, {
    paymentStatus: 'PAID',
    breakdown: [30, 31, 32].map((day) => ({ date: property.day(day), roomRate: 100, taxes: 10 })),
    paymentDetails: [{ paymentId: UUID, amount: 337.5, method: 'CREDIT_CARD', processedAt: ISO }],
  });
  t.match(json.specialRequests, ['Late check-in', 'High floor']);
  t.ok(Array.isArray(json.amenities));
  const [created] = json.timeline as Json[];
  t.match(created, { event: 'CREATED', timestamp: ISO, status: 'CONFIRMED' });
  t.ok('notes' in created!);
}

async function modifies(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const { reservationId } = await property.booked({ from: 40, nights: 3 });
  const modifications = {
    stayDetails: { checkOut: property.day(44), nights: 4 },
    guestInfo: { phone: '+1-555-9999' },
    specialRequests: ['Ocean view'],
  };
  const put = (body: Json) => service.reservations<Parts>('PUT', `/${reservationId}`, { body });
  const { json } = must(await put({ modifications, reason: 'Extended stay', modifiedBy: 'guest' }), 200);
  t.match(json, { modificationId: UUID, reservationId, status: 'CONFIRMED', modifiedAt: ISO });
  t.match(json.changes, {
    checkOut: { from: property.day(43), to: property.day(44) },
    nights: { from: 3, to: 4 },
    totalAmount: { from: 337.5, to: 450 },
    phone: { to: '+1-555-9999' },
    specialRequests: { from: [], to: ['Ocean view'] },
  });
  t.match(json.additionalPayment, { amount: 112.5, paymentRequired: true, dueDate: ISO });
  const shorter = { modifications: { stayDetails: { nights: 3 } }, reason: 'Shorter' };
  t.match(must(await put(shorter), 200).json.additionalPayment, { amount: 0, paymentRequired: false, dueDate: null });
}

async function cancels(t: Test, service: Service, property: BlackboxProperty): Promise<void> {
  for (const [from, penalty] of [
    [50, 0],
    [1, 112.5],
  ] as const) {
    const { reservationId } = await property.booked({ from, nights: 2 });
    const body = {
      reason: 'GUEST_REQUEST',
      description: 'Plans changed',
      cancelledBy: 'guest',
      refundRequested: true,
    };
    const { json } = must(await service.reservations<Parts>('DELETE', `/${reservationId}`, { body }), 200);
    t.match(json, { cancellationId: UUID, reservationId, status: 'CANCELLED', cancelledAt: ISO });
    t.match(json.cancellationPolicy, {
      policyName: 'STANDARD',
      deadlineDate: ISO,
      penaltyAmount: penalty,
      refundEligible: true,
    });
    t.match(json.refund, {
      refundAmount: 225 - penalty,
      refundMethod: 'ORIGINAL_PAYMENT_METHOD',
      processingTime: String,
      refundId: UUID,
    });
  }
}
