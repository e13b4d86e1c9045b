import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page, Reservation } from '../shapes.ts';

/** Nothing crosses tenants (I8, ARCHITECTURE.md#what-we-promise). */
export async function isolation(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { reservationId } = await property.booked();
  const rival: CallOptions = { tenant: 'rival', role: 'OWNER' };
  await group.test("another tenant's reservation is not there, whatever one does with it", async (t) => {
    const modifications = { specialRequests: ['mine'] };
    const answers = [
      await service.reservations('GET', `/${reservationId}`, rival),
      await service.reservations('PUT', `/${reservationId}`, { ...rival, body: { modifications, reason: 'x' } }),
      await service.reservations('DELETE', `/${reservationId}`, rival),
    ];
    for (const answer of answers) isProblem(t, answer, 404, { code: 'RESERVATION_NOT_FOUND' });
    t.match((await property.read(reservationId)).json, { status: 'CONFIRMED' });
  });
  await group.test("another tenant's property is not there", async (t) => {
    const { propertyId } = property;
    const stay = `checkIn=${property.day(3)}&checkOut=${property.day(4)}`;
    const range = `start_date=${property.day(3)}&end_date=${property.day(4)}`;
    const answers = [
      await service.tenants('GET', `/properties/${propertyId}`, rival),
      await service.tenants('GET', `/availability?property_id=${propertyId}&${range}`, rival),
      await service.rates('GET', `/current?propertyId=${propertyId}&${stay}`, rival),
      await service.reservations('POST', '', { ...rival, body: property.wish() }),
      await service.call('GET', `${service.dev.reservationUrl}/api/v1/admin/audit/${propertyId}`, rival),
    ];
    for (const answer of answers) isProblem(t, answer, 404, { code: 'PROPERTY_NOT_FOUND' });
    const put = await service.rates('PUT', '/base', {
      ...rival,
      body: {
        propertyId,
        roomType: 'DLX',
        effectiveDate: property.day(1),
        endDate: property.day(2),
        rates: [{ dayOfWeek: 'MONDAY', rate: 1 }],
      },
    });
    isProblem(t, put, 404, { code: 'PROPERTY_NOT_FOUND' });
  });
  await group.test('lists hold only what is of the tenant', async (t) => {
    const listed = await service.reservations<Page<Reservation>>('GET', `?propertyId=${property.propertyId}`, rival);
    t.ok(listed.status === 404 || listed.json.items.length === 0, `${listed.status}`);
    const all = await service.reservations<Page<Reservation>>('GET', '?limit=200', rival);
    t.notOk(all.json.items.some((one) => one.reservationId === reservationId));
    const properties = await service.tenants<Page<{ propertyId: string }>>('GET', '/properties?limit=200', rival);
    t.ok(properties.json.items.some(({ propertyId }) => propertyId === 'rival-inn'));
    t.notOk(properties.json.items.some(({ propertyId }) => propertyId === property.propertyId));
  });
  await group.test('a key of one tenant is no key of another', async (t) => {
    const headers = { 'idempotency-key': 'the-same-key-in-two-tenants' };
    t.equal((await property.book({}, { headers })).status, 201);
    isProblem(t, await service.reservations('POST', '', { ...rival, headers, body: property.wish() }), 404);
  });
  await group.test('a quote token of one tenant is worth nothing in another', async (t) => {
    const { quoteToken } = await property.quoted();
    const wish = property.wish({ stay: { quoteToken, roomType: 'STD' }, more: { propertyId: 'rival-inn' } });
    const answer = await service.reservations('POST', '', { ...rival, body: wish });
    isProblem(t, answer, 422);
  });
}
