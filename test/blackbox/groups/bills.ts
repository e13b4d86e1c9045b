import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Json = Record<string, unknown>;
type Line = { code: string; name?: string; amount: number };
type Left = { finalBill: { taxLines: Line[] }; refund: Json };
type Document = Json & { items: (Json & { amount: number; taxes: number })[]; taxes: number; taxLines: Line[] };
type Invoice = Document & { creditNotes: Document[] };
type Folio = { windows: { window: string; total: number; paid: number; balance: number }[] };
type Revenue = { items: (Json & { group: string })[]; totals: Json };

const TAXES = [
  { code: 'VAT', name: 'Value added tax', kind: 'PERCENT', value: 10, included: true, on: 'ROOM' },
  { code: 'BAR', name: 'Tax on drinks', kind: 'PERCENT', value: 13, included: true, on: 'EXTRA' },
  { code: 'CITY', name: 'City tax', kind: 'PER_PERSON_NIGHT', value: 2, on: 'ROOM' },
];

/** A stay that a company pays, with a minibar of the guest: what each paper says (docs/reference/invoices.md#members). */
export async function bills(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 2 }, policies: { taxes: TAXES } });
  const room = { roomNumber: '101', roomType: 'DLX', floor: 1 };
  must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body: room }), 201);
  const company = { name: `Harbor Trading ${randomUUID()}`, vatId: 'DK 1', billingAddress: { city: 'Copenhagen' } };
  const companies = `${service.dev.reservationUrl}/api/v1/companies`;
  const { companyId } = must(
    await service.call<{ companyId: string }>('POST', companies, { body: company }),
    201,
  ).json;
  const plan = { propertyId: property.propertyId, code: 'CORP', name: 'Corporate', guarantee: 'COMPANY', companyId };
  must(await service.rates('POST', '/plans', { body: plan }), 201);
  const stay = { adults: 1, rateCode: 'CORP' };
  const { reservationId } = await property.booked({ from: 0, nights: 1, card: null, stay });
  const send = <T = Json>(method: string, step: string, body?: Json, options: CallOptions = {}) =>
    service.reservations<T>(method, `/${reservationId}${step}`, { ...(body && { body }), ...options });
  const read = async <T>(step: string, options: CallOptions = {}): Promise<T> =>
    must(await send<T>('GET', step, undefined, options), 200).json;
  must(await send('POST', '/checkin', { identificationVerified: true }), 200);
  const posting = { description: 'Minibar', unitAmount: 11.3 };
  const minibar = must(await send<{ taxes: Line[] }>('POST', '/folio/postings', posting), 201).json;
  must(await send('POST', '/payments', { method: 'CASH' }), 201);

  await group.test('a check-out says what goes back, and calls taxes by their names', async (t) => {
    t.same(minibar.taxes, [{ code: 'BAR', amount: 1.3 }], 'also of what is typed in');
    t.match(await read<Invoice>('/invoice'), { status: 'PRO_FORMA', issuedTo: { name: company.name } });
    for (const query of ['?dryRun=true', '']) {
      const { finalBill, refund } = must(await send<Left>('POST', `/checkout${query}`, {}), 200).json;
      t.same(refund, { amount: 0, method: 'NONE' }, 'the account has taken the bill over');
      const names = finalBill.taxLines.map(({ code, name }) => [code, name]);
      t.same(Object.fromEntries(names), Object.fromEntries(TAXES.map(({ code, name }) => [code, name])));
    }
  });

  await group.test('the invoice is issued to the company, and names the guest', async (t) => {
    const { issuedTo, guestName, items } = await read<Invoice>('/invoice');
    t.match(issuedTo, { name: company.name, vatId: 'DK 1', companyId, address: { city: 'Copenhagen' } });
    t.match(guestName, /^Ada /);
    t.notOk(items.some(({ code }) => code === 'GUEST_NAME'));
    must(await service.call('PUT', `${companies}/${companyId}`, { body: { name: 'Renamed' } }), 200);
    t.match(await read<Invoice>('/invoice'), { issuedTo }, 'as it was when it was issued');
    const masked = await read<Invoice>('/invoice', { role: 'VIEWER' });
    t.match(masked, { guestName: /^A\*\*\*/, issuedTo: { name: /^H\*\*\*/ } });
  });

  await group.test('a refund is credited with its tax, in the window whose payment goes back', async (t) => {
    must(await send('POST', '/refunds', { amount: 10, reason: 'Noise' }, { role: 'MANAGER' }), 201);
    const { creditNotes } = await read<Invoice>('/invoice');
    t.match(creditNotes, [{ totalAmount: -10, issuedTo: { name: company.name } }]);
    const [{ taxes, taxLines, items }] = creditNotes as [Document];
    t.ok(taxes < 0 && taxLines.every(({ code, amount }) => code !== 'CITY' && amount < 0));
    const whole = items.reduce((sum, one) => sum + Math.round(one.amount * 100) + Math.round(one.taxes * 100), 0);
    t.equal(whole, -1_000, 'its items are the whole of it');
    t.match((await read<Folio>('/folio')).windows, [
      { window: 'GUEST', total: 11.3, paid: 11.3, balance: 0 },
      { window: 'COMPANY', total: 92, paid: 92, balance: 0 },
    ]);
  });

  await group.test('revenue of the day is known by group and tax', async (t) => {
    const url = `${service.dev.reservationUrl}/api/v1/reports/revenue?propertyId=${property.propertyId}`;
    const { items } = must(await service.call<Revenue>('GET', url), 200).json;
    const of = (name: string) => items.find((item) => item.group === name);
    t.match(of('ROOM'), { gross: 100, taxLines: [{ code: 'VAT', net: 90.91, tax: 9.09 }] });
    t.match(of('FEE'), { gross: 2, taxLines: [{ code: 'CITY', net: 0, tax: 2 }] });
    t.match(of('EXTRA'), { gross: 1.3, taxLines: [{ code: 'BAR' }, { code: 'VAT' }] }, 'minibar less the credit');
    const file = must(await service.call('GET', `${url}&format=csv`), 200).text;
    t.match(file, /^ROOM,DLX,90\.91,9\.09,100\.00,VAT 90\.91 9\.09,EUR\r$/m);
  });
}
