import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Rates = { items: { currency: string; rate: number; date: string; usable: boolean }[] };
type Paid = { paymentId: string; amount: number; tendered?: object };

/** Money of another currency at the rate of the day (docs/reference/set-up.md#exchange-rates). */
export async function otherCurrencies(group: Test, service: Service): Promise<void> {
  const path = ({ propertyId }: BlackboxProperty) => `/properties/${propertyId}/exchange-rates`;
  const set = (property: BlackboxProperty, rates: object[], options: CallOptions = {}) =>
    service.tenants<Rates>('PUT', path(property), { body: { rates }, ...options });
  const pay = (id: string, body: object, options: CallOptions = {}) =>
    service.reservations<Paid>('POST', `/${id}/payments`, { body, ...options });
  const usd = { method: 'CASH', currency: 'USD', amount: 100 };

  await group.test('rates are set for a day, listed, and stand in the audit trail', async (t) => {
    const property = await BlackboxProperty.open(service);
    const rates = [
      { currency: 'USD', rate: 0.92 },
      { currency: 'JPY', rate: 0.006123 },
    ];
    isProblem(t, await set(property, rates, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    const headers = { 'idempotency-key': randomUUID() };
    const done = must(await set(property, rates, { headers }), 200);
    const day = property.day(0);
    t.match(done.json.items, [
      { currency: 'JPY', rate: 0.006123, baseCurrency: 'EUR', date: day, usable: true },
      { currency: 'USD', rate: 0.92, baseCurrency: 'EUR', date: day, usable: true },
    ]);
    t.equal((await set(property, rates, { headers })).headers['idempotency-replayed'], 'true');
    must(await set(property, [{ currency: 'USD', rate: 0.93 }]), 200);
    const listed = await service.tenants<Rates>('GET', path(property), { role: 'VIEWER' });
    t.match(listed.json.items, [{ currency: 'USD', rate: 0.93 }]);
    t.equal(listed.json.items.length, 1);
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=exchangeRates`;
    const { json } = must(await service.call<{ items: object[] }>('GET', trail), 200);
    t.match(json.items[0], {
      entity: 'exchangeRates',
      entityId: property.propertyId,
      action: 'CHANGED',
      before: { rates: [{ currency: 'JPY' }, { currency: 'USD', rate: 0.92, date: day }] },
      after: { rates: [{ currency: 'USD', rate: 0.93 }] },
    });
  });

  await group.test('a rate that cannot be one is refused with its place', async (t) => {
    const property = await BlackboxProperty.open(service);
    const wrong = async (rates: object[], pointers: string[]): Promise<void> =>
      isProblem(t, await set(property, rates), 400, { code: 'VALIDATION_FAILED', pointers });
    await wrong([{ currency: 'XYZ', rate: 1 }], ['/rates/0/currency']);
    await wrong([{ currency: 'USD', rate: 0 }], ['/rates/0/rate']);
    await wrong([{ currency: 'USD', rate: 0.1234567 }], ['/rates/0/rate']);
    await wrong([{ currency: 'EUR', rate: 1 }], ['/rates/0/currency']);
    const twice = { currency: 'USD', rate: 1 };
    await wrong([twice, twice], ['/rates/1/currency']);
    isProblem(t, await service.tenants('GET', '/properties/nowhere/exchange-rates'), 404, {
      code: 'PROPERTY_NOT_FOUND',
    });
  });

  await group.test('cash of another currency pays a stay, and change is given in that of the property', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId: id } = await property.booked({ card: null });
    const none = await pay(id, usd);
    isProblem(t, none, 422, { code: 'CURRENCY_MISMATCH' });
    t.match(none.json, { detail: /no exchange rate for USD: an ADMIN sets it/ });
    must(await set(property, [{ currency: 'USD', rate: 0.9205 }]), 200);
    const card = { ...usd, method: 'CREDIT_CARD', cardToken: 'tok_visa' };
    isProblem(t, await pay(id, card), 422, { code: 'CURRENCY_MISMATCH' });
    isProblem(t, await pay(id, { ...usd, amount: undefined }), 400, { pointers: ['/amount'] });
    isProblem(t, await pay(id, { ...usd, currency: 'EURO' }), 400, { pointers: ['/currency'] });
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await pay(id, usd, { headers }), 201);
    const tendered = { amount: 100, currency: 'USD', rate: 0.9205, rateDate: property.day(0) };
    t.match(first.json, { amount: 92.05, tendered, financial: { balanceDue: 107.95 } });
    must(await set(property, []), 200);
    t.equal((await pay(id, usd, { headers })).text, first.text, 'a repeat has the rate of its first time');
    must(await set(property, [{ currency: 'USD', rate: 0.9205 }]), 200);
    const more = { ...usd, amount: 200 };
    isProblem(t, await pay(id, { ...more, method: 'BANK_TRANSFER' }), 400, { pointers: ['/amount'] });
    const rest = must(await pay(id, more), 201).json;
    t.match(rest, { amount: 107.95, tendered: { amount: 200, change: 76.15 } });
    const { json } = await property.read(id);
    t.match(json, { status: 'CONFIRMED', financial: { paidAmount: 200, paymentStatus: 'PAID' } });
    const shown = json.financial.paymentDetails as unknown as Paid[];
    t.match(
      shown.filter((one) => one.tendered),
      [{ tendered }, { tendered: { change: 76.15 } }],
    );
    const folio = await service.reservations<{ windows: { postings: object[] }[] }>('GET', `/${id}/folio`);
    t.match(folio.json.windows[0]!.postings, [
      { kind: 'PAYMENT', amount: 92.05, tendered },
      { kind: 'PAYMENT', amount: 107.95 },
    ]);
    const invoice = await service.reservations<{ receiptUrl: string; payments: object[] }>('GET', `/${id}/invoice`);
    t.match(invoice.json.payments.slice(-2), [{ tendered }, { tendered: { change: 76.15 } }]);
    const receipt = await (await fetch(`${service.dev.reservationUrl}${invoice.json.receiptUrl}`)).text();
    t.match(receipt, /Of that in USD, at 0\.9205 on \d{4}-\d\d-\d\d<\/td><td>USD 100\.00/);
    await addsUp(t, property, 28, 6);
    const body = { amount: 92.05, reason: 'noise', paymentId: first.json.paymentId };
    const refund = must(
      await service.reservations<{ refunds: Paid[] }>('POST', `/${id}/refunds`, {
        body,
        role: 'MANAGER',
      }),
      201,
    ).json;
    t.match(refund.refunds, [{ amount: 92.05, method: 'CASH', status: 'PENDING' }], 'in that of the property');
    t.notOk(refund.refunds[0]!.tendered);
  });

  await group.test('a currency without cents has none, on either side', async (t) => {
    const property = await BlackboxProperty.open(service, { currency: 'JPY', price: 12_345 });
    const { reservationId: id } = await property.booked({ card: null, nights: 1 });
    must(await set(property, [{ currency: 'EUR', rate: 163.333333 }]), 200);
    const eur = { method: 'CASH', currency: 'EUR', amount: 10.01 };
    t.match(must(await pay(id, eur), 201).json, { amount: 1_635, tendered: { amount: 10.01 } });
    const other = await BlackboxProperty.open(service);
    const { reservationId } = await other.booked({ card: null });
    must(await set(other, [{ currency: 'JPY', rate: 0.006 }]), 200);
    isProblem(t, await pay(reservationId, { ...usd, currency: 'JPY', amount: 100.5 }), 400, {
      pointers: ['/amount'],
    });
    isProblem(t, await pay(reservationId, { ...usd, currency: 'JPY', amount: 0 }), 400, { pointers: ['/amount'] });
    t.match(must(await pay(reservationId, { ...usd, currency: 'JPY', amount: 5_000 }), 201).json, { amount: 30 });
  });

  await group.test('a stay that was promised in another currency is added to nothing of the property', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 4 }, policies: { taxPercent: 10 } });
    const { propertyId } = property;
    const { quoteToken } = await property.quoted(0, 1);
    const changed = { name: 'Changed', metadata: { currency: 'USD', timezone: 'UTC', policies: { taxPercent: 10 } } };
    must(await service.tenants('PUT', `/properties/${propertyId}`, { body: changed }), 200);
    await property.booked({ from: 0, nights: 1 });
    const promised = await property.booked({ from: 0, nights: 1, stay: { quoteToken } });
    t.equal(promised.financial.currency, 'EUR');
    must(await service.reservations('DELETE', `/${promised.reservationId}`), 200);
    const report = (name: string, format = 'json') => {
      const url = `${service.dev.reservationUrl}/api/v1/reports/${name}?propertyId=${propertyId}&format=${format}`;
      return service.call<object>('GET', url, { role: 'MANAGER' });
    };
    t.match(must(await report('arrivals'), 200).json, {
      currency: 'USD',
      totals: { stays: 1, totalAmount: 110 },
      items: [{ currency: 'USD', totalAmount: 110 }],
      otherCurrencies: [],
    });
    t.match(must(await report('cancellations'), 200).json, {
      totals: { stays: 1, penaltyAmount: 0 },
      items: [{ currency: 'EUR', penaltyAmount: 110 }],
      otherCurrencies: [{ currency: 'EUR', totals: { stays: 1, penaltyAmount: 110 } }],
    });
    t.match(must(await report('revenue'), 200).json, {
      currency: 'USD',
      totals: { gross: 0 },
      otherCurrencies: [{ currency: 'EUR', totals: { net: 100, taxes: 10, gross: 110 } }],
    });
    const { text } = must(await report('revenue', 'csv'), 200);
    t.match(text, /PENALTY,,100\.00,10\.00,110\.00,TAX 100\.00 10\.00,EUR\r\n/);
  });
}
