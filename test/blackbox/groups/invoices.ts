import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, someone } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';

type Item = { description: string; amount: number; taxes: number };
export type InvoiceText = {
  number: string;
  kind: string;
  corrects: string | null;
  reservationId: string;
  issuedTo: { name: string };
  items: Item[];
  totalAmount: number;
};
type Shown = {
  invoiceNumber: string;
  status: string;
  creditNotes: InvoiceText[];
  documents: { number: string }[];
  totalAmount: number;
  creditedAmount: number;
  balanceDue: number;
  receiptUrl: string;
};
type Listed = { items: InvoiceText[]; nextCursor: string | null };

/** Below `/api/v1/invoices`. */
export const invoiceCall = <T>(service: Service, path: string, options: CallOptions = {}) =>
  service.call<T>('GET', `${service.dev.reservationUrl}/api/v1/invoices${path}`, { role: 'STAFF', ...options });

/** Invoices and credit notes: numbers, lists, and that nothing of them moves (docs/reference/invoices.md#issue). */
export async function invoices(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10 } });
  const { propertyId } = property;
  const year = property.day(0).slice(0, 4);
  const number = (serial: number, kind = 'INV'): string => `${kind}-${year}-00000${serial}`;
  const one = (which: string, options: CallOptions = {}) =>
    invoiceCall<InvoiceText>(service, `/${which}?propertyId=${propertyId}`, options);
  const shown = async (id: string) => must(await service.reservations<Shown>('GET', `/${id}/invoice`), 200).json;
  const refund = async (id: string, amount: number) => {
    const body = { amount, reason: 'noise' };
    must(await service.reservations('POST', `/${id}/refunds`, { body, role: 'MANAGER' }), 201);
  };
  /** Cancelled on the last day: its first night is owed. */
  const owed = async (guest: object = someone()): Promise<{ id: string; guestId: string }> => {
    const { reservationId: id, guestInfo } = await property.booked({ from: 1, guest: { ...guest } });
    must(await service.reservations('DELETE', `/${id}`), 200);
    return { id, guestId: guestInfo.guestId };
  };

  await group.test('each stay that ends gets the next number, and what is tried gets none', async (t) => {
    const first = await property.booked({ from: 1 });
    t.match(await shown(first.reservationId), { status: 'PRO_FORMA', creditNotes: [], documents: [] });
    const dryRun = `/${first.reservationId}?dryRun=true`;
    await service.reservations('DELETE', dryRun);
    const ids = [(await owed()).id, (await owed()).id];
    t.match(await Promise.all(ids.map(shown)), [
      { invoiceNumber: number(1), status: 'ISSUED', totalAmount: 110 },
      { invoiceNumber: number(2), status: 'ISSUED', totalAmount: 110 },
    ]);
    const free = await property.booked({ from: 30 });
    must(await service.reservations('DELETE', `/${free.reservationId}`), 200);
    t.match(await shown(free.reservationId), { status: 'PRO_FORMA', documents: [] }, 'nothing to invoice');
    const other = await BlackboxProperty.open(service);
    const neighbour = await other.booked({ from: 1 });
    must(await service.reservations('DELETE', `/${neighbour.reservationId}`), 200);
    t.match(await shown(neighbour.reservationId), { invoiceNumber: number(1) }, 'each property counts by itself');
    isProblem(t, await one(number(9)), 404, { code: 'INVOICE_NOT_FOUND' });
    isProblem(t, await invoiceCall(service, `/${number(1)}`), 400, { parameters: ['propertyId'] });
  });

  await group.test('what is given back later is a credit note; of the invoice no byte moves', async (t) => {
    const { id } = await owed();
    const before = must(await one(number(3)), 200);
    await refund(id, 10);
    await refund(id, 5.5);
    t.equal(must(await one(number(3)), 200).text, before.text);
    const note = must(await one(number(2, 'CN')), 200).json;
    t.match(note, { kind: 'CREDIT_NOTE', corrects: number(3), reservationId: id, totalAmount: -5.5 });
    t.match(note.items, [{ description: 'Cancellation, STANDARD', amount: -5, taxes: -0.5 }]);
    t.match(await shown(id), {
      invoiceNumber: number(3),
      totalAmount: 110,
      creditedAmount: 15.5,
      balanceDue: 0,
      creditNotes: [{ number: number(1, 'CN') }, { number: number(2, 'CN') }],
      documents: [{ number: number(3) }, { number: number(1, 'CN') }, { number: number(2, 'CN') }],
    });
    const page = await fetch(new URL((await shown(id)).receiptUrl, service.dev.reservationUrl));
    t.match(await page.text(), `Credit note ${number(2, 'CN')}`);
  });

  await group.test('documents are listed by number, page by page, and masked for a VIEWER', async (t) => {
    const list = async (query: string, options: CallOptions = {}) =>
      must(await invoiceCall<Listed>(service, `?propertyId=${propertyId}${query}`, options), 200).json;
    const first = await list('&limit=2');
    t.match(first.items, [{ number: number(1) }, { number: number(2) }]);
    const cursor = encodeURIComponent(first.nextCursor ?? '');
    const second = await list(`&limit=2&cursor=${cursor}`);
    t.match(second, { items: [{ number: number(3) }], nextCursor: null });
    t.match(await list(`&year=${year}&from=3`), { items: [{ number: number(3) }] });
    t.same((await list(`&year=${Number(year) - 1}`)).items, []);
    t.match((await list('&kind=CREDIT_NOTE')).items, [{ number: number(1, 'CN') }, { number: number(2, 'CN') }]);
    const [masked] = (await list('&limit=1', { role: 'VIEWER' })).items;
    t.match(masked!.issuedTo.name, /^A\*\*\*/);
    const wrong = (query: string) => invoiceCall(service, `?propertyId=${propertyId}${query}`);
    isProblem(t, await wrong('&from=3'), 400, { parameters: ['from'] });
    isProblem(t, await wrong('&kind=BILL&year=soon'), 400, { parameters: ['kind', 'year'] });
    isProblem(t, await wrong('&cursor=mine'), 400, { parameters: ['cursor'] });
  });

  await group.test('an erased guest stays on his invoice by name, and nowhere else', async (t) => {
    const { id, guestId } = await owed();
    const before = must(await one(number(4)), 200);
    const guests = `${service.dev.reservationUrl}/api/v1/guests/${guestId}`;
    const exported = must(await service.call<object>('GET', `${guests}/export`, { role: 'MANAGER' }), 200).json;
    t.match(exported, { reservations: [{ invoices: [{ number: number(4) }] }] });
    must(await service.call('DELETE', guests, { role: 'ADMIN' }), 200);
    t.equal(must(await one(number(4)), 200).text, before.text);
    t.match(await shown(id), { invoiceNumber: number(4), issuedTo: before.json.issuedTo });
  });
}
