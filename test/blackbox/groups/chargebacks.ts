import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Payment = { paymentId: string; type: string; amount: number; status: string; kind?: string; closed?: boolean };
type Financial = { paidAmount: number; balanceDue: number; paymentStatus: string; paymentDetails: Payment[] };
type ChargedBack = { chargebackId: string; amount: number; claim: number; financial: Financial };
type Task = { kind: string; reservationId: string; claim?: number };
type Items<T> = { items: T[] };

/** What a card issuer takes back (docs/reference/chargebacks.md#record). */
export async function chargebacks(group: Test, service: Service): Promise<void> {
  const at = (id: string, paymentId: string) => `/${id}/payments/${paymentId}/chargeback`;
  const take = (id: string, paymentId: string, body: object, options: CallOptions = {}, query = '') => {
    const sent = { body: { reason: 'fraud', ...body }, role: 'MANAGER' as const, ...options };
    return service.reservations<ChargedBack>('POST', at(id, paymentId) + query, sent);
  };
  const close = (id: string, paymentId: string, body: object) =>
    service.reservations<{ writtenOff: number; claim: number }>('POST', `${at(id, paymentId)}/close`, {
      body: { reason: 'lost', ...body },
      role: 'MANAGER',
    });
  const paidBy = async (property: BlackboxProperty, id: string): Promise<string> => {
    const { paymentDetails } = (await property.read(id)).json.financial as unknown as Financial;
    return paymentDetails.find(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED')!.paymentId;
  };
  const tasks = async ({ propertyId }: BlackboxProperty): Promise<Task[]> => {
    const url = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks?propertyId=${propertyId}`;
    return must(await service.call<Items<Task>>('GET', url, { role: 'STAFF' }), 200).json.items;
  };
  const open = async ({ propertyId }: BlackboxProperty): Promise<object[]> => {
    const url = `${service.dev.reservationUrl}/api/v1/reports/balances?propertyId=${propertyId}`;
    return must(await service.call<Items<object>>('GET', url, { role: 'STAFF' }), 200).json.items;
  };

  await group.test('what is taken back is owed again, once, and the desk has a task until it is paid', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId: id } = await property.booked({ from: 0, nights: 2 });
    const paymentId = await paidBy(property, id);
    const body = { amount: 50, reference: 'dp_17' };
    const dry = must(await take(id, paymentId, body, {}, '?dryRun=true'), 201).json;
    t.match((await property.read(id)).json.financial, { paidAmount: 200 }, 'a dry run changes nothing');
    isProblem(t, await take(id, paymentId, body, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await take(id, paymentId, body, { headers }), 201);
    t.match(first.json, { amount: 50, claim: 50, reference: 'dp_17', financial: dry.financial });
    const again = await take(id, paymentId, body, { headers });
    t.equal(again.headers['idempotency-replayed'], 'true');
    t.equal(again.text, first.text);
    isProblem(t, await take(id, paymentId, body), 409, { code: 'INVALID_STATE' });
    isProblem(t, await take(id, paymentId, { amount: 150.01 }), 422, { code: 'REFUND_EXCEEDS_PAID' });
    isProblem(t, await take(id, randomUUID(), {}), 404, { code: 'PAYMENT_NOT_FOUND' });
    isProblem(t, await take(id, paymentId, { amount: 0, odd: 1 }), 400, { pointers: ['/amount', '/odd'] });
    const { json } = await property.read(id);
    t.match(json, {
      status: 'CONFIRMED',
      financial: { totalAmount: 200, paidAmount: 150, balanceDue: 50, paymentStatus: 'PARTIALLY_PAID' },
    });
    t.match(json.financial.paymentDetails?.at(-1), {
      type: 'REFUND',
      kind: 'CHARGEBACK',
      amount: 50,
      status: 'COMPLETED',
      chargedBackPaymentId: paymentId,
      reference: 'dp_17',
      closed: false,
    });
    t.match(await tasks(property), [{ kind: 'CHARGEBACK', reservationId: id, claim: 50 }]);
    t.match(await open(property), [{ reservationId: id, balanceDue: 50 }]);
    const refunds = await service.reservations<Items<object>>('GET', `/refunds?propertyId=${property.propertyId}`);
    t.same(refunds.json.items, [], 'nobody has anything to pay out');
    must(await service.reservations('POST', `/${id}/payments`, { body: { method: 'CASH' } }), 201);
    t.same(await tasks(property), []);
    t.same(await open(property), []);
    await addsUp(t, property, 0, 3);
  });

  await group.test('an ended stay is in the open balances until its claim is written off', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId: id } = await property.booked({ from: 20, nights: 2, stay: { rateCode: 'NRF' } });
    must(await service.reservations('DELETE', `/${id}`), 200);
    const paymentId = await paidBy(property, id);
    const { claim } = must(await take(id, paymentId, {}), 201).json;
    t.match((await property.read(id)).json, {
      status: 'CANCELLED',
      financial: { totalAmount: claim, paidAmount: 0, balanceDue: claim, paymentStatus: 'UNPAID' },
    });
    t.match(await open(property), [{ reservationId: id, balanceDue: claim }], 'of a stay to come that was cancelled');
    t.match(await tasks(property), [{ kind: 'CHARGEBACK', claim }]);
    must(await close(id, paymentId, {}), 200);
    t.same(await tasks(property), []);
    t.match(await open(property), [{ balanceDue: claim }], 'it is owed on');
    t.match(must(await close(id, paymentId, { writeOff: true }), 200).json, { writtenOff: claim, claim: 0 });
    t.same(await open(property), []);
    isProblem(t, await close(id, paymentId, { writeOff: true }), 409, { code: 'INVALID_STATE' });
    const invoice = await service.reservations('GET', `/${id}/invoice`);
    t.match(invoice.json, {
      totalAmount: claim,
      creditedAmount: claim,
      paidAmount: 0,
      refundedAmount: 0,
      chargedBackAmount: claim,
      balanceDue: 0,
    });
    t.match((await property.read(id)).json.financial.paymentDetails?.at(-1), { kind: 'CHARGEBACK', closed: true });
  });

  await group.test('a dispute that the property wins brings the money back, once', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId: id } = await property.booked({ from: 0, nights: 2 });
    const paymentId = await paidBy(property, id);
    const win = (body: object, options: CallOptions = {}, query = '') =>
      service.reservations<ChargedBack>('POST', `${at(id, paymentId)}/win${query}`, {
        body: { reason: 'delivered', ...body },
        role: 'MANAGER',
        ...options,
      });
    isProblem(t, await win({}), 409, { code: 'INVALID_STATE' });
    must(await take(id, paymentId, { amount: 50 }), 201);
    isProblem(t, await win({}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await win({ amount: 50.01 }), 400, { pointers: ['/amount'] });
    isProblem(t, await win({ amount: -1, odd: 1 }), 400, { pointers: ['/amount', '/odd'] });
    const dry = must(await win({}, {}, '?dryRun=true'), 201).json;
    t.match((await property.read(id)).json.financial, { paidAmount: 150 }, 'a dry run changes nothing');
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await win({}, { headers }), 201);
    t.match(first.json, { amount: 50, claim: 0, financial: dry.financial });
    t.equal((await win({}, { headers })).text, first.text);
    isProblem(t, await win({}), 409, { code: 'INVALID_STATE' });
    const { json } = await property.read(id);
    t.match(json.financial, { totalAmount: 200, paidAmount: 200, balanceDue: 0, paymentStatus: 'PAID' });
    t.match(json.financial.paymentDetails?.at(-1), {
      type: 'CHARGE',
      kind: 'CHARGEBACK_WON',
      method: 'BANK_TRANSFER',
      chargedBackPaymentId: paymentId,
    });
    t.same(await tasks(property), []);
    t.same(await open(property), []);
    await addsUp(t, property, 0, 3);
  });

  await group.test('tasks of arrivals and of chargebacks come in pages, newest booking first', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 5 } });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { reservationId: id } = await property.booked({ from: 5 + n, nights: 1 });
      must(await take(id, await paidBy(property, id), { amount: 10 }), 201);
      ids.push(id);
    }
    const found: string[] = [];
    for (let cursor = '', pages = 0; pages < 5; pages++) {
      const query = `propertyId=${property.propertyId}&limit=1${cursor}`;
      const url = `${service.dev.reservationUrl}/api/v1/admin/desk-tasks?${query}`;
      const { json } = await service.call<Items<Task> & { nextCursor: string | null }>('GET', url, { role: 'STAFF' });
      found.push(...json.items.map(({ reservationId }) => reservationId));
      if (json.nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
    }
    t.same(found, ids.toReversed());
  });
}
