import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, someone } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { until } from '../waiting.ts';

type Financial = {
  totalAmount: number;
  originalTotal?: number;
  paidAmount: number;
  balanceDue: number;
  paymentStatus: string;
  paymentDetails: { paymentId: string; type: string; amount: number; status: string }[];
};
type Read = { status: string; financial: Financial };
type Invoice = {
  totalAmount: number;
  creditedAmount: number;
  paidAmount: number;
  balanceDue: number;
  taxes: number;
  subtotal: number;
};
type Refunded = { refundId: string; credit: number; refunds: unknown[]; financial: Financial };
type Left = {
  finalBill: { totalAmount: number; balanceDue: number };
  payment: {
    method: string | null;
    amount: number;
    paymentId: string | null;
    receiptUrl: string;
    invoiceUrl: string;
  };
  refund: { amount: number; method: string };
  invoiceUrl: string;
};

const cents = (amount: number): number => Math.round(amount * 100);

/** What is owed, retained and given back, in every state: total less paid, and no debt of a stay that is over. */
export async function balances(group: Test, service: Service): Promise<void> {
  const opened = (policies = {}) =>
    BlackboxProperty.open(service, {
      policies: { taxPercent: 10, feePerNight: 3, earlyDepartureNights: 0, ...policies },
    });
  const invoiceOf = async (id: string) =>
    must(await service.reservations<Invoice>('GET', `/${id}/invoice`), 200).json;
  const refund = (id: string, body: object, options: CallOptions = {}) =>
    service.reservations<Refunded>('POST', `/${id}/refunds`, { body, role: 'MANAGER', ...options });
  /** The reservation says what its invoice less its credit notes says, and neither says a debt. */
  const settled = async (t: Test, property: BlackboxProperty, id: string): Promise<Financial> => {
    const { financial } = (await property.read(id)).json as unknown as Read;
    const { totalAmount, creditedAmount, paidAmount, balanceDue } = await invoiceOf(id);
    t.match(financial, { paidAmount, balanceDue });
    t.equal(cents(financial.totalAmount), cents(totalAmount) - cents(creditedAmount));
    t.equal(cents(financial.balanceDue), cents(financial.totalAmount) - cents(financial.paidAmount));
    t.ok(financial.balanceDue <= 0, 'no debt');
    return financial;
  };
  const arrives = async (property: BlackboxProperty, id: string) => {
    const rooms = `/properties/${property.propertyId}/rooms`;
    must(await service.tenants('POST', rooms, { body: { roomNumber: '101', roomType: 'DLX', floor: 1 } }), 201);
    const body = { identificationVerified: true, keyCards: 1 };
    must(await service.reservations('POST', `/${id}/checkin`, { body }), 200);
  };

  await group.test('a stay in a currency without cents has none, and all of it comes back', async (t) => {
    // A tax in the price changes no total.
    const vat = { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 7.77, included: true };
    const policies = { taxPercent: 8.5, feePerNight: 333, taxes: [vat] };
    const property = await BlackboxProperty.open(service, { currency: 'JPY', price: 12_345, policies });
    const plan = { propertyId: property.propertyId, code: 'PLUS', name: 'Plus', adjustmentPercent: 10 };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const wholes = (text: string) => {
      for (const [, amount] of text.matchAll(/"\w+":(-?\d+\.\d\d)[,}]/g))
        if (!amount!.endsWith('.00')) t.fail(`${amount} in ${text.slice(0, 2_000)}`);
    };
    const quote = must(await property.quote(30, 3, '&explain=true&rateCode=PLUS'), 200);
    wholes(quote.text);
    const { reservationId: id } = await property.booked({ from: 30, nights: 3, stay: { rateCode: 'PLUS' } });
    const problem = await refund(id, { amount: 1_000.5, reason: 'noise' });
    isProblem(t, problem, 400, { code: 'VALIDATION_FAILED', pointers: ['/amount'] });
    for (const amount of [1_001, 333]) must(await refund(id, { amount, reason: 'noise' }), 201);
    const read = await property.read(id);
    wholes(read.text);
    t.match(read.text, /"code":"VAT"/);
    t.match(read.json, { financial: { totalAmount: 45_198, paidAmount: 45_198 - 1_334, currency: 'JPY' } });
    must(await service.reservations('DELETE', `/${id}`), 200);
    const { financial } = (await property.read(id)).json as unknown as Read;
    const back = financial.paymentDetails.filter(({ type }) => type === 'REFUND').map(({ amount }) => amount);
    t.equal(
      back.reduce((sum, amount) => sum + amount, 0),
      45_198,
    );
    t.equal(financial.paidAmount, 0);
  });

  await group.test('a cancelled stay costs the retained amount, and says what it would have cost', async (t) => {
    const property = await opened();
    const free = await property.booked({ from: 30, nights: 2 });
    must(await service.reservations('DELETE', `/${free.reservationId}`), 200);
    t.match(await settled(t, property, free.reservationId), {
      totalAmount: 0,
      originalTotal: 226,
      paidAmount: 0,
      balanceDue: 0,
      paymentStatus: 'REFUNDED',
    });
    const late = await property.booked({ from: 1, nights: 2 });
    must(await service.reservations('DELETE', `/${late.reservationId}`), 200);
    t.match(await settled(t, property, late.reservationId), {
      totalAmount: 113,
      originalTotal: 226,
      paidAmount: 113,
      balanceDue: 0,
      paymentStatus: 'PAID',
    });
    t.match(await invoiceOf(late.reservationId), { subtotal: 102.73, taxes: 10.27, fees: 0 }, 'and no city tax');
    const dryRun = `/${late.reservationId}/refunds?dryRun=true`;
    const asked = { body: { amount: 13, reason: 'ill' }, role: 'MANAGER' as const };
    t.match(must(await service.reservations<Refunded>('POST', dryRun, asked), 201).json, { credit: 13 });
    t.match(await settled(t, property, late.reservationId), { totalAmount: 113, paidAmount: 113 }, 'only tried');
    t.match(must(await refund(late.reservationId, asked.body), 201).json, { credit: 13 });
    t.match(await settled(t, property, late.reservationId), { totalAmount: 100, paidAmount: 100 });
    t.match(
      await invoiceOf(late.reservationId),
      { subtotal: 102.73, taxes: 10.27, creditNotes: [{ subtotal: -11.82, taxes: -1.18, totalAmount: -13 }] },
      'tax on the retained amount',
    );
    const unpaid = await property.booked({ from: 40, nights: 2, card: null });
    must(await service.reservations('DELETE', `/${unpaid.reservationId}`), 200);
    t.match(await settled(t, property, unpaid.reservationId), { totalAmount: 0, originalTotal: 226, paidAmount: 0 });
    const missed = await property.booked({ from: 0, nights: 2 });
    must(await service.reservations('POST', `/${missed.reservationId}/no-show`, { role: 'MANAGER' }), 200);
    t.match(await settled(t, property, missed.reservationId), { totalAmount: 113, originalTotal: 226 });
    await addsUp(t, property, 0, 6);
  });

  await group.test(
    'what was not refunded is a credit, and is given back later, never more than was paid',
    async (t) => {
      const property = await opened();
      const { reservationId: id } = await property.booked({ from: 30, nights: 2 });
      must(await service.reservations('DELETE', `/${id}`, { body: { refundRequested: false } }), 200);
      t.match(await settled(t, property, id), { totalAmount: 0, paidAmount: 226, balanceDue: -226 });
      isProblem(t, await refund(id, { amount: 1, reason: 'asked' }, { role: 'STAFF' }), 403, {
        code: 'ROLE_TOO_LOW',
      });
      isProblem(t, await refund(id, { amount: 0, reason: '', extra: 1 }), 400, {
        pointers: ['/amount', '/extra', '/reason'],
      });
      isProblem(t, await refund(id, { amount: 226.01, reason: 'asked' }), 422, { code: 'REFUND_EXCEEDS_PAID' });
      const nobody = '00000000-0000-7000-8000-000000000000';
      isProblem(t, await refund(id, { amount: 1, reason: 'asked', paymentId: nobody }), 404, {
        code: 'PAYMENT_NOT_FOUND',
      });
      const headers = { 'idempotency-key': `refund-${id}` };
      const given = must(await refund(id, { amount: 26, reason: 'asked' }, { headers }), 201).json;
      t.match(given, { credit: 0, refunds: [{ amount: 26, type: 'REFUND' }], financial: { balanceDue: -200 } });
      t.same(
        must(await refund(id, { amount: 26, reason: 'asked' }, { headers }), 201).json,
        given,
        'once, under its key',
      );
      must(await refund(id, { amount: 200, reason: 'asked' }), 201);
      await until('the provider has given it back', 10_000, async () => {
        const { paymentDetails } = await settled(t, property, id);
        const refunds = paymentDetails.filter(({ type }) => type === 'REFUND');
        return refunds.length === 2 && refunds.every(({ status }) => status === 'COMPLETED') ? true : undefined;
      });
      t.match(await settled(t, property, id), {
        totalAmount: 0,
        paidAmount: 0,
        balanceDue: 0,
        paymentStatus: 'REFUNDED',
      });
      isProblem(t, await refund(id, { amount: 0.01, reason: 'asked' }), 422, { code: 'REFUND_EXCEEDS_PAID' });
    },
  );

  await group.test('of an open stay it is owed again, and good will is a credit line', async (t) => {
    const property = await opened();
    const { reservationId: id } = await property.booked({ from: 0, nights: 1 });
    t.match(must(await refund(id, { amount: 13, reason: 'wrong card' }), 201).json.financial, {
      totalAmount: 113,
      paidAmount: 100,
      balanceDue: 13,
    });
    t.match(must(await refund(id, { amount: 20, reason: 'noise', goodwill: true }), 201).json, {
      credit: 20,
      financial: { totalAmount: 93, paidAmount: 80, balanceDue: 13 },
    });
    await arrives(property, id);
    const { json } = must(await service.reservations<Left>('POST', `/${id}/checkout`), 200);
    t.match(json, {
      finalBill: { totalAmount: 93, balanceDue: 13 },
      payment: { method: 'CARD_ON_FILE', amount: 13 },
    });
    t.match(must(await refund(id, { amount: 10, reason: 'cold water' }), 201).json, { credit: 10 });
    t.match(await settled(t, property, id), { totalAmount: 83, paidAmount: 83, balanceDue: 0 });
  });

  await group.test('the invoice of a penalty keeps its name when the guest is erased', async (t) => {
    const property = await opened();
    const { reservationId: id, guestInfo } = await property.booked({ from: 1, guest: someone() });
    must(await service.reservations('DELETE', `/${id}`), 200);
    const before = must(await service.reservations<{ issuedTo: object }>('GET', `/${id}/invoice`), 200).json;
    const guests = `${service.dev.reservationUrl}/api/v1/guests/${guestInfo.guestId}`;
    // What goes back to the card is under way for a moment, and until then the guest is in use.
    const erased = await until('the guest is erased', 10_000, async () => {
      const answer = await service.call<{ code?: string }>('DELETE', guests, { role: 'ADMIN' });
      return answer.json.code === 'GUEST_IN_USE' ? undefined : answer;
    });
    must(erased, 200);
    t.match((await property.read(id)).json, { guestInfo: { firstName: '' } });
    t.match(must(await service.reservations('GET', `/${id}/invoice`), 200).json, { issuedTo: before.issuedTo });
    t.match(before, { status: 'ISSUED', issuedTo: { name: /^Ada Guest/ } });
  });

  await group.test(
    'a check-out names receipt, invoice, payment and what goes back; tried first as well',
    async (t) => {
      const property = await opened();
      const { reservationId: id } = await property.booked({ from: 0, nights: 2 });
      await arrives(property, id);
      const links = { receiptUrl: /\/receipts\//, invoiceUrl: `/api/v1/reservations/${id}/invoice` };
      const expected = {
        finalBill: { totalAmount: 113, balanceDue: 0 },
        refund: { amount: 113, method: 'ORIGINAL_PAYMENT_METHOD' },
        payment: { ...links, method: 'CREDIT_CARD', amount: 226, paymentId: String },
        invoiceUrl: links.invoiceUrl,
      };
      t.match(must(await service.reservations<Left>('POST', `/${id}/checkout?dryRun=true`), 200).json, expected);
      const { json } = must(await service.reservations<Left>('POST', `/${id}/checkout`), 200);
      t.match(json, expected);
      must(await service.call('GET', `${service.dev.reservationUrl}${json.invoiceUrl}`), 200);
      const page = await fetch(new URL(json.payment.receiptUrl, service.dev.reservationUrl));
      t.equal(page.status, 200);
      t.match(await settled(t, property, id), { totalAmount: 113, paidAmount: 113 });

      const unpaid = await opened({ paymentRequired: false });
      const { reservationId: other } = await unpaid.booked({ from: 0, nights: 1, card: null });
      await arrives(unpaid, other);
      const url = `${service.dev.reservationUrl}/api/v1/admin/reservations/${other}/force-checkout`;
      t.match(must(await service.call<Left>('POST', url, { role: 'ADMIN' }), 200).json, {
        payment: { method: null, amount: 0, paymentId: null, receiptUrl: /\/receipts\// },
        refund: { amount: 0, method: 'NONE' },
      });
    },
  );
}
