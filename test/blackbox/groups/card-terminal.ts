import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Slip = { reference: string; cardLast4?: string };
type Paid = { paymentId: string; method: string; status: string; terminal?: Slip; gatewayName?: string };
type Refunded = { refundId: string; refunds: Paid[] };

/** Payments by a card terminal beside the desk (docs/reference/reservations.md#card-terminal). */
export async function cardTerminal(group: Test, service: Service): Promise<void> {
  const pay = (id: string, terminal: object | undefined, options: CallOptions & { amount?: number } = {}) => {
    const { amount = 20, ...call } = options;
    const body = { method: 'TERMINAL', amount, ...(terminal && { terminal }) };
    return service.reservations<Paid>('POST', `/${id}/payments`, { body, ...call });
  };
  const unpaid = async (property: BlackboxProperty): Promise<string> =>
    (await property.booked({ card: null })).reservationId;

  await group.test('a slip is recorded once in a property, and nothing is charged by the provider', async (t) => {
    const property = await BlackboxProperty.open(service);
    const [id, other] = [await unpaid(property), await unpaid(property)];
    const slip = { reference: 'TRM-7/004711', cardLast4: '4242' };
    const headers = { 'idempotency-key': randomUUID() };
    const taken = must(await pay(id, slip, { headers }), 201);
    t.match(taken.json, { method: 'TERMINAL', status: 'COMPLETED', amount: 20, terminal: slip, cardLast4: '4242' });
    t.notOk(taken.json.gatewayName);
    const again = must(await pay(id, slip, { headers }), 201);
    t.same([again.text, again.headers['idempotency-replayed']], [taken.text, 'true']);
    for (const [stay, reference] of [
      [id, slip.reference],
      [other, slip.reference],
      [other, 'trm-7/004711'],
    ] as const)
      isProblem(t, await pay(stay, { reference }), 409, { code: 'TERMINAL_REFERENCE_TAKEN' });
    const both = await Promise.all([id, other].map((stay) => pay(stay, { reference: 'AT ONCE' })));
    t.same(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    );
    const elsewhere = await BlackboxProperty.open(service);
    must(await pay(await unpaid(elsewhere), slip), 201);
    const { paymentDetails = [] } = (await property.read(id)).json.financial;
    t.match(
      paymentDetails.find(({ method }) => method === 'TERMINAL'),
      { terminal: slip },
    );
  });

  await group.test('its refund waits for somebody to give it back at the terminal', async (t) => {
    const property = await BlackboxProperty.open(service);
    const id = await unpaid(property);
    const { paymentId } = must(await pay(id, { reference: 'SLIP 1', cardLast4: '0005' }), 201).json;
    const body = { amount: 5, reason: 'Noise', paymentId };
    const given = must(
      await service.reservations<Refunded>('POST', `/${id}/refunds`, { body, role: 'MANAGER' }),
      201,
    ).json;
    t.match(given.refunds, [{ method: 'TERMINAL', status: 'PENDING', cardLast4: '0005' }]);
    t.notOk(given.refunds[0]!.terminal);
    const out = { method: 'TERMINAL', reference: 'SLIP 2' };
    const path = `/${id}/refunds/${given.refundId}/pay-out`;
    t.match(must(await service.reservations('POST', path, { body: out, role: 'MANAGER' }), 200).json, {
      status: 'COMPLETED',
      method: 'TERMINAL',
      reference: 'SLIP 2',
    });
    const { paymentDetails } = (await property.read(id)).json.financial;
    t.notMatch(JSON.stringify(paymentDetails), 'gatewayName');
  });

  await group.test('a slip that is none is refused at its place, a card number above all', async (t) => {
    const property = await BlackboxProperty.open(service);
    const id = await unpaid(property);
    const wrong = async (terminal: object | undefined, pointer: string): Promise<void> =>
      isProblem(t, await pay(id, terminal), 400, { code: 'VALIDATION_FAILED', pointers: [pointer] });
    await wrong(undefined, '/terminal');
    await wrong({}, '/terminal/reference');
    await wrong({ reference: '  ' }, '/terminal/reference');
    await wrong({ reference: 'x'.repeat(200) }, '/terminal/reference');
    await wrong({ reference: '1', cardLast4: '42424' }, '/terminal/cardLast4');
    for (const reference of ['4242424242424242', 'slip 4242-4242-4242-4242', '378282246310005'])
      isProblem(t, await pay(id, { reference }), 400, { code: 'RAW_CARD_NUMBER' });
    const cash = { method: 'CASH', amount: 20, terminal: { reference: '1' } };
    isProblem(t, await service.reservations('POST', `/${id}/payments`, { body: cash }), 400, {
      pointers: ['/terminal'],
    });
    t.match((await property.read(id)).json.financial, { paidAmount: 0 });
    must(await pay(id, { reference: '4242424242424241' }), 201);
  });
}
