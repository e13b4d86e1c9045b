import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must, type Wish } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Line = { confirmationNumber: string; guestName: string; status: string; roomNumber: string | null };
type Report = {
  report: string;
  date: string;
  businessDate: string;
  totals: Record<string, number>;
  items: (Line & Record<string, unknown>)[];
  nextCursor: string | null;
};
type Revenue = { rooms: number; additionalCharges: number; penalties: number; taxes: number; total: number };

/** Lists that a hotel prints each morning (docs/concepts/night-audit.md#reports-of-a-day). */
export async function dayReports(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, {
    rooms: { STD: 4, DLX: 6 },
    policies: { taxPercent: 10, feePerNight: 3 },
  });
  const { propertyId } = property;
  for (const roomNumber of ['101', '102', '103'])
    must(
      await service.tenants('POST', `/properties/${propertyId}/rooms`, {
        body: { roomNumber, roomType: 'DLX', floor: 1 },
      }),
      201,
    );
  const url = (report: string, query = ''): string =>
    `${service.dev.reservationUrl}/api/v1/reports/${report}?propertyId=${propertyId}${query}`;
  const get = (report: string, query = '', options: CallOptions = {}) =>
    service.call<Report>('GET', url(report, query), { role: 'MANAGER', ...options });
  const read = async (report: string, query = ''): Promise<Report> => must(await get(report, query), 200).json;
  const names = async (report: string, query = ''): Promise<string[]> =>
    (await read(report, query)).items.map(({ guestName }) => guestName);
  const book = (lastName: string, wish: Wish) => property.booked({ ...wish, guest: { firstName: 'Ada', lastName } });
  const act = (method: string, id: string, action = '', body: object = {}) =>
    service.reservations(method, `/${id}${action}`, { body });
  const checkIn = async (id: string): Promise<void> =>
    void must(await act('POST', id, '/checkin', { identificationVerified: true, keyCards: 1 }), 200);

  const zed = await book('Zed', { from: 0, nights: 2, stay: { adults: 1 } });
  const byron = await book('Byron', { from: 0, nights: 1, more: { specialRequests: ['=quiet', 'high'] } });
  await book('Missing', { from: 0, nights: 2, roomType: 'STD' });
  const late = await book('Late', { from: 1, nights: 2 });
  const early = await book('Early', { from: 30, nights: 2 });
  const credit = await book('Credit', { from: 31, nights: 2 });
  const later = await book('Later', { from: 5, nights: 3, roomType: 'STD' });
  for (const { reservationId } of [zed, byron]) await checkIn(reservationId);
  must(await act('DELETE', late.reservationId), 200);
  must(await act('DELETE', early.reservationId), 200);
  must(await act('DELETE', credit.reservationId, '', { refundRequested: false }), 200);

  await group.test('lists of today say who arrives, is in house, leaves and has cancelled', async (t) => {
    t.same(await names('arrivals'), ['Ada Byron', 'Ada Missing', 'Ada Zed']);
    t.same((await names('in-house')).toSorted(), ['Ada Byron', 'Ada Zed']);
    t.same(await names('departures'), []);
    t.same(await names('departures', `&date=${property.day(1)}`), ['Ada Byron']);
    t.same(await names('in-house', `&date=${property.day(1)}`), ['Ada Zed'], 'who will be here tomorrow night');
    t.same(await names('no-shows'), []);
    const cancelled = await read('cancellations');
    t.match(cancelled, { report: 'cancellations', date: property.day(0), businessDate: property.day(0) });
    t.match(cancelled.items, [
      { guestName: 'Ada Credit', penaltyAmount: 0, reason: 'GUEST_REQUEST' },
      { guestName: 'Ada Early', penaltyAmount: 0, totalAmount: 0 },
      { guestName: 'Ada Late', penaltyAmount: 113, totalAmount: 113, paidAmount: 113, cancelledAt: String },
    ]);
    t.match(cancelled.totals, { stays: 3, penaltyAmount: 113, balanceDue: -226 });
    t.match(await read('balances', `&date=${property.day(31)}`), {
      totals: { stays: 1, balanceDue: -226 },
      items: [{ guestName: 'Ada Credit', balanceDue: -226 }],
    });
    const deposits = await read('deposits');
    t.same(
      deposits.items.map(({ guestName }) => guestName),
      ['Ada Missing', 'Ada Later'],
    );
    t.equal(deposits.totals['paidAmount'], 339 + 226);
    t.same(await names('arrivals', `&date=${property.day(5)}`), [`Ada ${later.guestInfo.lastName}`]);
  });

  await group.test('a list is read page by page, and as a file', async (t) => {
    const first = await read('arrivals', '&limit=2');
    t.match(first, { items: [{ guestName: 'Ada Byron' }, { guestName: 'Ada Missing' }], totals: { stays: 3 } });
    const next = `&limit=2&cursor=${encodeURIComponent(first.nextCursor!)}`;
    t.match(await read('arrivals', next), { items: [{ guestName: 'Ada Zed' }], nextCursor: null });
    isProblem(t, await get('departures', next), 400, { parameters: ['cursor'] });
    const file = must(await get('arrivals', '&format=csv'), 200);
    t.match(file.headers, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="arrivals-${propertyId}-${property.day(0)}.csv"`,
    });
    const [head, line] = file.text.split('\r\n');
    t.match(head, /^reservationId,confirmationNumber,guestName,status,roomType,roomNumber,checkIn,/);
    t.match(line, `,Ada Byron,CHECKED_IN,DLX,`);
    t.match(line, /,'=quiet; high,113\.00,113\.00,0\.00,0\.00,,,,,EUR$/, 'a wish is text, an amount a number');
    const accepted = await get('balances', `&date=${property.day(31)}`, { headers: { accept: 'text/csv' } });
    t.match(accepted.text, /,0\.00,226\.00,-226\.00,0\.00,GUEST_REQUEST,/);
    const part = await get('arrivals', '&format=csv&limit=1');
    t.ok(part.headers['x-next-cursor']);
  });

  await group.test('the revenue of a day by group is that of its night audit', async (t) => {
    const charges = { finalCharges: [{ description: 'Spa', amount: 45 }] };
    must(await act('POST', byron.reservationId, '/checkout', charges), 200);
    t.same(await names('in-house'), ['Ada Zed'], 'who has left is not here');
    must(await advanceClock(service, 86_400), 200);
    const date = `&date=${property.day(0)}`;
    const { items, totals } = await read('revenue', date);
    const audits = `${service.dev.reservationUrl}/api/v1/analytics/reports?propertyId=${propertyId}`;
    type Audits = { items: { date: string; content: { revenue: Revenue } }[] };
    const found = must(await service.call<Audits>('GET', audits), 200).json;
    const { revenue } = found.items.find((one) => one.date === property.day(0))!.content;
    t.ok(revenue.total > 0 && revenue.penalties > 0);
    t.equal(totals['gross'], revenue.total);
    t.equal(totals['taxes'], revenue.taxes);
    t.match(items, [
      { group: 'ROOM', roomType: 'DLX', net: revenue.rooms, taxLines: [{ code: 'TAX', net: revenue.rooms }] },
      { group: 'FEE', roomType: null, taxLines: [{ code: 'FEES', net: 0 }] },
      { group: 'EXTRA', net: 45 },
      { group: 'PENALTY', net: revenue.penalties },
    ]);
    t.match(
      (await get('revenue', `${date}&format=csv`)).text,
      /^group,roomType,net,taxes,gross,taxLines,currency\r\nROOM,DLX,200\.00,20\.00,220\.00,TAX 200\.00 20\.00,EUR\r\n/,
    );
    t.match(await read('no-shows', date), {
      totals: { stays: 1, penaltyAmount: 113 },
      items: [{ guestName: 'Ada Missing', status: 'NO_SHOW', penaltyAmount: 113 }],
    });
    t.same((await names('in-house', date)).toSorted(), ['Ada Byron', 'Ada Zed'], 'whose night it was');
    t.match(await read('arrivals'), { date: property.day(1), items: [] });
  });

  await group.test('only the desk reads lists, and only managers revenue', async (t) => {
    isProblem(t, await get('arrivals', '', { role: 'VIEWER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await get('revenue', '', { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    t.equal((await get('arrivals', '', { role: 'STAFF' })).status, 200);
    isProblem(t, await get('departed'), 404, { code: 'REPORT_NOT_FOUND' });
    isProblem(t, await get('arrivals', '&date=tomorrow'), 400, { parameters: ['date'] });
    isProblem(t, await get('arrivals', '&limit=201'), 400, { parameters: ['limit'] });
    isProblem(t, await get('arrivals', '&format=pdf'), 400, { parameters: ['format'] });
    const unknownProperty = `${service.dev.reservationUrl}/api/v1/reports/arrivals?propertyId=nowhere`;
    isProblem(t, await service.call('GET', unknownProperty), 404, { code: 'PROPERTY_NOT_FOUND' });
  });
}
