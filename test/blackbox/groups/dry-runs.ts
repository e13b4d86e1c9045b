import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

/** Steps of the desk that are tried first: `?dryRun=true` answers the same and stores nothing. */
export async function dryRuns(group: Test, service: Service): Promise<void> {
  const dryRun = (method: string, path: string, body: object = {}) =>
    service.reservations<Record<string, unknown>>(method, `${path}?dryRun=true`, { body });
  const hotel = async (policies = {}): Promise<BlackboxProperty> => {
    const property = await BlackboxProperty.open(service, { policies });
    const body = { roomNumber: '101', roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
    return property;
  };

  await group.test('a stay that is tried from its room to its end is as it was', async (t) => {
    const property = await hotel();
    const { reservationId } = await property.booked({ from: 0 });
    const before = await property.read(reservationId);
    t.match(must(await dryRun('PUT', `/${reservationId}/room`, { roomNumber: '101' }), 200).json, {
      roomNumber: '101',
      upgraded: false,
    });
    const came = must(await dryRun('POST', `/${reservationId}/checkin`, { identificationVerified: true }), 200);
    t.match(came.json, { status: 'CHECKED_IN', roomDetails: { roomNumber: '101' } });
    t.notOk(came.headers.etag, 'what would come of it has no version');
    const gone = must(await dryRun('DELETE', `/${reservationId}`, { reason: 'DUPLICATE' }), 200);
    t.match(gone.json, {
      status: 'CANCELLED',
      cancellationPolicy: { penaltyAmount: 100 },
      refund: { refundAmount: 100 },
    });
    const after = await property.read(reservationId);
    t.equal(after.text, before.text);
    t.equal(after.headers.etag, before.headers.etag);
    await addsUp(t, property, 0, 4);
  });

  await group.test('a dry run of a check-out shows the bill and charges nothing', async (t) => {
    const property = await hotel({ paymentRequired: false });
    const { reservationId } = await property.booked({ from: 0, card: null });
    const arrival = { identificationVerified: true };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body: arrival }), 200);
    isProblem(t, await dryRun('POST', `/${reservationId}/checkout`), 422, { code: 'PAYMENT_METHOD_REQUIRED' });
    const cash = { method: 'CASH', amount: 200 };
    must(await service.reservations('POST', `/${reservationId}/payments`, { body: cash }), 201);
    const before = await property.read(reservationId);
    const bill = must(await dryRun('POST', `/${reservationId}/checkout`), 200).json;
    t.match(bill, { status: 'CHECKED_OUT', payment: { method: 'CASH', amount: 200 }, refund: { amount: 100 } });
    t.equal((await property.read(reservationId)).text, before.text);
    const left = must(await service.reservations('POST', `/${reservationId}/checkout`, { body: {} }), 200).json;
    t.same((left as typeof bill).finalBill, bill.finalBill, 'and it is the bill that comes');
  });

  await group.test('the same steps of an administrator store nothing either', async (t) => {
    const property = await hotel({ paymentRequired: false });
    const { reservationId } = await property.booked({ from: 0, card: null });
    const asAdmin = (path: string, body: object = {}) => {
      const url = `${service.dev.reservationUrl}/api/v1/admin/reservations/${reservationId}/${path}?dryRun=true`;
      return service.call<Record<string, unknown>>('POST', url, { body, role: 'ADMIN' });
    };
    const awaited = await property.read(reservationId);
    t.match(must(await asAdmin('assign-room', { roomNumber: '101' }), 200).json, { roomNumber: '101' });
    t.equal((await property.read(reservationId)).text, awaited.text, 'no room is assigned');
    const arrival = { identificationVerified: true };
    must(await service.reservations('POST', `/${reservationId}/checkin`, { body: arrival }), 200);
    const inHouse = await property.read(reservationId);
    const left = must(await asAdmin('force-checkout'), 200);
    t.match(left.json, { status: 'CHECKED_OUT', forced: true });
    t.notOk(left.headers.etag);
    t.equal((await property.read(reservationId)).text, inHouse.text, 'the guest has not left');
  });

  await group.test('what is refused is refused when it is tried, and a version counts', async (t) => {
    const property = await hotel();
    const { reservationId } = await property.booked({ from: 3 });
    const arrival = { identificationVerified: true };
    isProblem(t, await dryRun('POST', `/${reservationId}/checkin`, arrival), 422, { code: 'TOO_EARLY' });
    isProblem(t, await dryRun('PUT', `/${reservationId}/room`, { roomNumber: '999' }), 404, {
      code: 'ROOM_NOT_FOUND',
    });
    const headers = { 'if-match': '"7"' };
    const stale = await service.reservations('DELETE', `/${reservationId}?dryRun=true`, { body: {}, headers });
    isProblem(t, stale, 412, { code: 'STALE_VERSION' });
  });
}
