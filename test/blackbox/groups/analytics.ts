import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import type { Page } from '../shapes.ts';

const DAY_SECONDS = 86_400;

type Bill = { finalBill: Record<string, number>; payment: { amount: number } | null };
type Figures = { roomsSold: number; roomsAvailable: number; occupancyRate: number; adr: number; revPar: number };
type Report = {
  reportId: string;
  date: string;
  content: Figures & {
    cancellationRate: number;
    roomTypes: (Figures & { roomType: string })[];
    reservations: Record<string, number>;
    revenue: Record<string, number>;
    payments: { total: number };
  };
};
type Metric = { metricType: string; metricValue: number; date: string; dimensions: { roomType?: string } };

/** The price list of extras, and what the night audit says of a day (docs/concepts/night-audit.md#figures). */
export async function analytics(group: Test, service: Service): Promise<void> {
  const read = <T>(path: string, options: object = {}) =>
    service.call<T>('GET', `${service.dev.reservationUrl}/api/v1/analytics${path}`, { role: 'MANAGER', ...options });

  /** A property with a room of each type, and a guest of two nights who has come. */
  const withGuest = async (policies = {}): Promise<{ property: BlackboxProperty; reservationId: string }> => {
    const property = await BlackboxProperty.open(service, {
      policies: { taxPercent: 10, feePerNight: 3, ...policies },
    });
    const rooms = `/properties/${property.propertyId}/rooms`;
    must(await service.tenants('POST', rooms, { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } }), 201);
    const { reservationId } = await property.booked({ from: 0, nights: 2 });
    const body = { identificationVerified: true };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body }), 200);
    return { property, reservationId };
  };

  await group.test('a final charge by code costs what the price list says', async (t) => {
    const { property, reservationId } = await withGuest({ earlyDepartureNights: 2 });
    const list = `/properties/${property.propertyId}/services`;
    const breakfast = { name: 'Breakfast', price: 18.5, taxPercent: 10 };
    isProblem(t, await service.tenants('PUT', `${list}/BREAKFAST`, { body: breakfast, role: 'MANAGER' }), 403);
    isProblem(t, await service.tenants('PUT', `${list}/BREAKFAST`, { body: { ...breakfast, price: -1 } }), 400);
    for (const price of [20, 18.5]) {
      const put = await service.tenants('PUT', `${list}/BREAKFAST`, { body: { ...breakfast, price } });
      t.match(put, { status: 200, json: { code: 'BREAKFAST', price, currency: 'EUR', active: true } });
    }
    must(await service.tenants('PUT', `${list}/POOL`, { body: { name: 'Pool', price: 5, active: false } }), 200);
    isProblem(t, await service.tenants('PUT', `${list}/CREDIT`, { body: breakfast }), 400, { parameters: ['code'] });
    const listed = must(await service.tenants<Page<object>>('GET', list, { role: 'VIEWER' }), 200);
    t.match(listed.json.items, [
      { code: 'BREAKFAST', grossPrice: 20.35 },
      { code: 'POOL', active: false },
    ]);
    t.match(listed.text, /"price":18\.50,/);

    const leave = (finalCharges: object[]) =>
      service.reservations<Bill>('POST', `/${reservationId}/checkout`, { body: { finalCharges } });
    const unknown = [{ code: 'BREAKFAST' }, { code: 'POOL' }, { code: 'SAUNA', amount: 9 }, { amount: 1 }];
    isProblem(t, await leave(unknown.slice(0, 3)), 400, {
      code: 'VALIDATION_FAILED',
      pointers: ['/finalCharges/1/code', '/finalCharges/2/code'],
    });
    isProblem(t, await leave(unknown.slice(3)), 400, { pointers: ['/finalCharges/0/description'] });
    const { json } = must(await leave([{ code: 'BREAKFAST' }, { code: 'BREAKFAST', amount: 10 }]), 200);
    t.match(json.payment, { amount: 30.35 });
    isProblem(t, await service.tenants('DELETE', `${list}/SAUNA`), 404, { code: 'SERVICE_NOT_FOUND' });
    t.equal((await service.tenants('DELETE', `${list}/POOL`)).status, 200);
    isProblem(t, await service.tenants('GET', `${list}/POOL`), 404, { code: 'SERVICE_NOT_FOUND' });
    isProblem(t, await service.tenants('GET', '/properties/nowhere/services'), 404, { code: 'PROPERTY_NOT_FOUND' });
  });

  await group.test('each business date is closed at its roll, once, with its figures', async (t) => {
    const { property } = await withGuest();
    const missing = await property.booked({ from: 0, nights: 1, roomType: 'STD' });
    const called = await property.booked({ from: 0, nights: 1, roomType: 'STD' });
    must(await service.reservations('DELETE', `/${called.reservationId}`), 200);
    const own = await BlackboxProperty.open(service, { policies: { autoConfirmation: false } });
    const unconfirmed = await own.book({ from: 0, nights: 2 });
    const about = `propertyId=${property.propertyId}`;
    const reports = async (query = '') => must(await read<Page<Report>>(`/reports?${about}${query}`), 200).json.items;
    t.same(await reports(), []);
    for (const day of [1, 2]) {
      must(await advanceClock(service, DAY_SECONDS), 200);
      t.equal((await reports()).length, day);
    }
    t.match((await property.read(missing.reservationId)).json, { status: 'NO_SHOW' });
    t.equal(unconfirmed.json.status, 'PENDING');
    const { status, financial } = (await own.read(unconfirmed.json.reservationId)).json;
    t.match({ status, financial }, { status: 'CANCELLED', financial: { paymentStatus: 'REFUNDED', paidAmount: 0 } });
    const [second, first] = await reports();
    t.match([second, first], [{ date: property.day(1) }, { date: property.day(0) }]);
    t.match(first!.content, {
      roomsSold: 1,
      roomsAvailable: 7,
      occupancyRate: 14.29,
      adr: 100,
      revPar: 14.29,
      cancellationRate: 33.33,
      roomTypes: [
        { roomType: 'DLX', roomsSold: 1, roomsAvailable: 3, occupancyRate: 33.33 },
        { roomType: 'STD', roomsSold: 0, roomsAvailable: 4, adr: null, occupancyRate: 0 },
      ],
      reservations: { arrivals: 1, departures: 0, noShows: 1, booked: 3, cancelled: 1 },
      // One night each of who called too late and of who did not come: 113.00, of which 10/110 is tax.
      revenue: { rooms: 100, additionalCharges: 3, penalties: 205.46, taxes: 30.54, total: 339 },
      payments: { total: 452 },
    });
    t.match(second!.content, { roomsSold: 1, reservations: { arrivals: 0, booked: 0 }, payments: { total: 0 } });
    t.same(await reports(`&from=${property.day(1)}&to=${property.day(1)}`), [second]);

    const page = must(await read<Page<Report>>(`/reports?${about}&limit=1`), 200);
    t.match(page.headers.link, /rel="next"/);
    const cursor = encodeURIComponent(page.json.nextCursor!);
    t.match((await read<Page<Report>>(`/reports?${about}&limit=1&cursor=${cursor}`)).json, {
      items: [first],
      nextCursor: null,
    });
    const one = `/reports/${first!.reportId}`;
    t.same((await read(one)).json, first);
    isProblem(t, await read(one, { tenant: 'rival' }), 404, { code: 'REPORT_NOT_FOUND' });
    isProblem(t, await read(one, { role: 'STAFF' }), 403);
    isProblem(t, await read(`/reports?${about}&from=${property.day(1)}&to=${property.day(0)}`), 400, {
      parameters: ['to'],
    });
    isProblem(t, await read(`/reports?propertyId=nowhere`), 404, { code: 'PROPERTY_NOT_FOUND' });

    const metrics = async (query: string) =>
      must(await read<Page<Metric>>(`/metrics?${about}${query}`), 200).json.items;
    const adr = await metrics('&type=ADR');
    t.match(adr, [
      { date: property.day(1), metricType: 'ADR', metricValue: 100, dimensions: {} },
      { date: property.day(1), dimensions: { roomType: 'DLX' } },
      { date: property.day(1), metricValue: null, dimensions: { roomType: 'STD' } },
      { date: property.day(0), metricValue: 100 },
      {},
      {},
    ]);
    t.equal((await metrics('&limit=200')).length, 28);
    isProblem(t, await read(`/metrics?${about}&type=NONSENSE`), 400, { parameters: ['type'] });
  });
}
