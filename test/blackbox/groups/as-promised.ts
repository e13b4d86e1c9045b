import type { Test } from 'tap';

import { placed, readHold } from '../hold.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type HistoryAnswer = { items: Json[]; statusHistory: Json[] };

const STRANGE = { body: { surprise: 1 } };

/** Small promises of the contract that nothing else looks at: bounds, names of fields, headers, words. */
export async function asPromised(group: Test, service: Service): Promise<void> {
  const admin = (path: string, options: CallOptions = {}) =>
    service.call('GET', `${service.dev.reservationUrl}/api/v1/admin${path}`, { role: 'ADMIN', ...options });

  await group.test('a moment that no database takes is 400, wherever it stands', async (t) => {
    const property = await BlackboxProperty.open(service);
    const never = '0000-01-01T00:00:00Z';
    const list = await service.reservations('GET', `?updatedSince=${never}`);
    isProblem(t, list, 400, { code: 'VALIDATION_FAILED', parameters: ['updatedSince'] });
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    for (const checkInTime of [never, '9998-01-01T00:00:00Z'])
      isProblem(
        t,
        await service.reservations('POST', `/${reservationId}/checkin`, {
          body: { identificationVerified: true, checkInTime },
        }),
        400,
        { code: 'VALIDATION_FAILED', pointers: ['/checkInTime'] },
      );
  });

  await group.test('unknown fields are refused by every route, unknown query parameters by none', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const { holdId } = await placed(property);
    for (const path of [`/${reservationId}/no-show`, `/${reservationId}/confirm`, `/holds/${holdId}/extend`])
      isProblem(t, await service.reservations('POST', path, STRANGE), 400, {
        code: 'VALIDATION_FAILED',
        pointers: ['/surprise'],
      });
    isProblem(t, await service.reservations('DELETE', `/holds/${holdId}`, STRANGE), 400, { pointers: ['/surprise'] });
    const conflicts = `/room-assignments/conflicts?propertyId=${property.propertyId}&foo=1`;
    t.equal((await admin(conflicts)).status, 200);
  });

  await group.test('every wrong field is listed, a day that is past for everybody among them', async (t) => {
    const property = await BlackboxProperty.open(service);
    const wish = { from: -400, guest: { email: 'nobody' } };
    const pointers = ['/guestInfo/email', '/stayDetails/checkIn'];
    isProblem(t, await property.book(wish), 400, { code: 'VALIDATION_FAILED', pointers });
  });

  await group.test('a hold that is used up is not extended or released; one that is released says so', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId } = await placed(property);
    must(await property.book({ more: { holdId } }), 201);
    t.match((await readHold(service, holdId)).json, { status: 'USED' });
    isProblem(t, await service.reservations('POST', `/holds/${holdId}/extend`), 409, { code: 'INVALID_STATE' });
    isProblem(t, await service.reservations('DELETE', `/holds/${holdId}`), 409, { code: 'INVALID_STATE' });
  });

  await group.test('what cannot be done is said in words of the desk, with who and why in the history', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 0, nights: 1 });
    const noShow = () =>
      service.reservations('POST', `/${reservationId}/no-show`, {
        body: { reason: 'Missed the train' },
        role: 'MANAGER',
      });
    must(await noShow(), 200);
    const again = await noShow();
    isProblem(t, again, 409, { code: 'INVALID_STATE' });
    t.match(problemOf(again), { detail: 'A reservation that is NO_SHOW cannot be a no-show.' });
    const history = must(await service.reservations<HistoryAnswer>('GET', `/${reservationId}/history`), 200);
    t.match(history.json.statusHistory, [{ reason: 'BOOKED' }, { newStatus: 'NO_SHOW', reason: 'Missed the train' }]);
    t.match(history.headers['server-timing'], /db;dur=/);
  });

  await group.test('the papers of a stay that was not say what it cost and what went back', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ from: 1, nights: 2 });
    must(await service.reservations('DELETE', `/${reservationId}`), 200);
    const invoice = must(await service.reservations<Json>('GET', `/${reservationId}/invoice`), 200).json;
    t.match(invoice, { status: 'ISSUED', totalAmount: 100, paidAmount: 100, refundedAmount: 100, balanceDue: 0 });
    t.match(invoice['items'], [{ code: 'PENALTY', amount: 100 }]);
    const receipt = await (await fetch(`${service.dev.reservationUrl}${String(invoice['receiptUrl'])}`)).text();
    t.match(receipt, 'Cancellation fee');
    t.match(receipt, 'Refunded');
    t.notMatch(receipt, 'Night, DLX');
    const seen = await service.reservations<Json>('GET', `/${reservationId}/invoice`, { role: 'VIEWER' });
    t.match(must(seen, 200).json, { issuedTo: { name: /^[A-Z]\*\*\*/ }, receiptUrl: null });
  });

  await group.test('a reservation is found by its number as somebody typed it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId, confirmationNumber } = await property.booked();
    const typed = confirmationNumber.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
    const found = await service.reservations<HistoryAnswer>('GET', `?confirmationNumber=${typed}`);
    t.match(must(found, 200).json.items, [{ reservationId }]);
    const reversed = `?arrivalFrom=${property.day(5)}&arrivalTo=${property.day(4)}`;
    isProblem(t, await service.reservations('GET', reversed), 400, { parameters: ['arrivalTo'] });
  });

  await group.test('a phone is taken away with null', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = await property.booked({ guest: { phone: '+351 1' } });
    const body = { modifications: { guestInfo: { phone: null } } };
    const { json } = must(await service.reservations<Json>('PUT', `/${reservationId}`, { body }), 200);
    t.match(json, { changes: { phone: { from: '+351 1', to: null } } });
    t.match((await property.read(reservationId)).json, { guestInfo: { phone: null } });
  });

  await group.test(
    'what is taken away answers 200, and an idempotency record is the first one letter by letter',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const rooms = `/properties/${property.propertyId}/rooms`;
      const body = { roomNumber: '101', roomType: 'DLX', floor: 1, features: ['view'] };
      must(await service.tenants('POST', rooms, { body }), 201);
      const dirty = {
        body: { status: 'DIRTY', notes: 'wet' },
        headers: { 'idempotency-key': `k-${property.propertyId}` },
      };
      const first = await service.tenants('PUT', `${rooms}/101/status`, dirty);
      const again = await service.tenants('PUT', `${rooms}/101/status`, dirty);
      t.equal(again.headers['idempotency-replayed'], 'true');
      t.equal(again.text, must(first, 200).text);
      t.match(must(await service.tenants('DELETE', `${rooms}/101`), 200).json, { id: '101', status: 'REMOVED' });
    },
  );
}
