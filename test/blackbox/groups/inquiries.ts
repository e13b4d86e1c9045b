import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, WEEK } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Inquiry = Json & { inquiryId: string; status: string; quote: { totalAmount: number } };
type Listed = { items: Inquiry[]; nextCursor: string | null };

/** Quotes stored with a name, without a room (docs/reference/inquiries.md#inquiries). */
export async function inquiries(group: Test, service: Service): Promise<void> {
  await group.test('a quote is kept for a guest, and booked at its price when prices have moved', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1, STD: 1 } });
    const stayDetails = { checkIn: property.day(30), checkOut: property.day(32), adults: 2, roomType: 'DLX' };
    const guestInfo = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
    const body = { propertyId: property.propertyId, guestInfo, stayDetails, notes: 'Calls again' };
    const keep = (options: CallOptions = {}) =>
      service.reservations<Inquiry>('POST', '/inquiries', { body, role: 'STAFF', ...options });
    const read = async (id: string, role: CallOptions['role'] = 'STAFF') =>
      must(await service.reservations<Inquiry>('GET', `/inquiries/${id}`, { role }), 200).json;

    isProblem(t, await keep({ role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await keep({ body: { ...body, guestInfo: { firstName: '' }, stayDetails: {} } }), 400);
    isProblem(t, await keep({ body: { ...body, propertyId: 'nowhere' } }), 404, { code: 'PROPERTY_NOT_FOUND' });
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await keep({ headers }), 201);
    const { inquiryId } = first.json;
    t.equal(first.headers.location, `/api/v1/reservations/inquiries/${inquiryId}`);
    t.match(first.json, {
      status: 'OPEN',
      quote: { totalAmount: 200, nightlyRates: [100, 100] },
      reservationId: null,
    });
    t.equal(must(await keep({ headers }), 201).text, first.text, 'a repeat keeps it once');
    t.match(await read(inquiryId, 'VIEWER'), {
      guestInfo: { firstName: 'Grace', email: 'g***', phone: null },
      notes: 'C***',
      stayDetails: { nights: 2, rateCode: 'BAR', promoCode: null },
    });
    t.same(await property.left(30, 2), [1, 1], 'no room is kept');
    const dropped = must(await keep(), 201).json;

    const rates = WEEK.map((dayOfWeek) => ({
      dayOfWeek,
      rate: 150,
    }));
    const nights = { roomType: 'DLX', effectiveDate: property.day(30), endDate: property.day(31) };
    const dearer = { propertyId: property.propertyId, ...nights, rates };
    must(await service.rates('PUT', '/base', { body: dearer }), 200);
    const create = (more: Json, options: CallOptions = {}) =>
      property.book({ from: 30, nights: 2, ...options, more: { inquiryId, ...more } });
    isProblem(t, await property.book({ from: 30, nights: 1, more: { inquiryId } }), 400, {
      pointers: ['/inquiryId'],
    });
    isProblem(t, await create({ holdId: randomUUID() }), 400, { pointers: ['/inquiryId'] });
    const booked = must(await create({}), 201).json as unknown as Json;
    t.match(booked, { financial: { totalAmount: 200 } });
    t.match(await read(inquiryId), {
      status: 'BOOKED',
      guestInfo: null,
      notes: null,
      reservationId: booked['reservationId'],
    });
    isProblem(t, await create({}), 404, { code: 'INQUIRY_NOT_FOUND' });

    const closed = must(
      await service.reservations<Inquiry>('DELETE', `/inquiries/${dropped.inquiryId}`, { role: 'STAFF' }),
      200,
    );
    t.match(closed.json, { inquiryId: dropped.inquiryId, status: 'CLOSED' });
    isProblem(t, await service.reservations('DELETE', `/inquiries/${dropped.inquiryId}`), 404, {
      code: 'INQUIRY_NOT_FOUND',
    });
    isProblem(t, await service.reservations('GET', `/inquiries/${randomUUID()}`), 404, { code: 'INQUIRY_NOT_FOUND' });
    const list = async (query: string) =>
      must(await service.reservations<Listed>('GET', `/inquiries?propertyId=${property.propertyId}${query}`), 200)
        .json;
    t.match(
      (await list('')).items.map(({ status }) => status),
      ['CLOSED', 'BOOKED'],
    );
    t.match((await list('&status=CLOSED')).items, [{ inquiryId: dropped.inquiryId }]);
    const page = await list('&limit=1');
    t.match((await list(`&limit=1&cursor=${encodeURIComponent(page.nextCursor!)}`)).items, [{ status: 'BOOKED' }]);
    await addsUp(t, property, 28, 8);
  });
}
