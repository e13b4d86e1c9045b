import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { addsUp, auditIsClean } from '../audit.ts';
import { isProblem } from '../problems.ts';
import { advanceClock, BlackboxProperty, must, serviceClock } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;
type Posting = {
  postingId: string;
  kind: string;
  description: string;
  amount: number;
  businessDate: string;
  taxes: { code: string; amount: number }[];
  voidedBy?: string;
  voids?: string;
};
type Window = {
  window: string;
  postings: Posting[];
  total: number;
  paid: number;
  balance: number;
  expectedTotal: number;
};
type Folio = { reservationId: string; currency: string; windows: Window[]; routing: Json[] };

const HOUR_SECONDS = 3_600;

/** A property with a room of DLX at 100.00 and 10 % tax, breakfast on its list, and a stay that arrives today. */
async function open(service: Service, of: { nights?: number; card?: string | null; hasCompany?: boolean } = {}) {
  const { nights = 2, card = 'tok_visa', hasCompany = false } = of;
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 }, policies: { taxPercent: 10 } });
  const path = `/properties/${property.propertyId}`;
  const room = { roomNumber: '101', roomType: 'DLX', floor: 1 };
  must(await service.tenants('POST', `${path}/rooms`, { body: room }), 201);
  const breakfast = { name: 'Breakfast', price: 20, taxPercent: 7 };
  must(await service.tenants('PUT', `${path}/services/BREAKFAST`, { body: breakfast }), 200);
  const companies = `${service.dev.reservationUrl}/api/v1/companies`;
  const invoiced = () => service.call<{ companyId: string }>('POST', companies, { body: { name: 'Harbor Trading' } });
  const more = hasCompany ? { companyId: must(await invoiced(), 201).json.companyId } : {};
  const { reservationId } = await property.booked({ from: 0, nights, card, more });
  const call = <T = Posting>(method: string, step: string, body?: Json, options: CallOptions = {}) =>
    service.reservations<T>(method, `/${reservationId}${step}`, { ...(body && { body }), ...options });
  const folio = async (options: CallOptions = {}) =>
    must(await call<Folio>('GET', '/folio', undefined, options), 200);
  const post = (body: Json, options: CallOptions = {}) => call('POST', '/folio/postings', body, options);
  const arrive = async () => must(await call('POST', '/checkin', { identificationVerified: true }), 200);
  return { property, reservationId, call, folio, post, arrive };
}

const WATER = { description: 'Water for Mrs Byron', unitAmount: 4.5, quantity: 2 };

/** Postings, voids and windows of a stay (docs/reference/folio.md#folio). */
export async function folios(group: Test, service: Service): Promise<void> {
  await group.test('a minibar is on the folio, on the bill of the check-out and on the invoice', async (t) => {
    const { property, call, folio, post, arrive } = await open(service);
    isProblem(t, await post(WATER), 409, { code: 'INVALID_STATE' });
    const breakfast = must(await post({ extraCode: 'BREAKFAST', quantity: 2 }), 201).json;
    t.match(breakfast, { kind: 'EXTRA', description: 'Breakfast', amount: 42.8, extraCode: 'BREAKFAST' });
    t.same(breakfast.taxes, [{ code: 'TAX', amount: 2.8 }]);
    await arrive();
    const water = must(await post(WATER), 201);
    t.match(water.json, { quantity: 2, unitAmount: 4.5, amount: 9, businessDate: property.day(0), window: 'GUEST' });
    const read = await folio();
    t.equal(read.headers.etag, water.headers.etag);
    const [window] = read.json.windows as [Window];
    t.match(window, { window: 'GUEST', total: 51.8, paid: 220, balance: -168.2, expectedTotal: 271.8 });
    t.same(
      window.postings.map(({ kind }) => kind).toSorted(),
      ['EXTRA', 'EXTRA', 'PAYMENT'],
      'nights are posted when they are over',
    );
    const [{ postings }] = (await folio({ role: 'VIEWER' })).json.windows as [Window];
    t.same(
      postings.map(({ description }) => description).toSorted(),
      ['Breakfast', 'CREDIT_CARD', 'W***'],
      'what is typed is shortened for a VIEWER',
    );
    const body = { finalCharges: [{ description: 'Bar', amount: 10 }] };
    const left = must(await call<{ finalBill: Json }>('POST', '/checkout', body), 200).json;
    t.match(left.finalBill, { totalAmount: 171.8 }, 'one night, breakfast, water and bar');
    const [after] = (await folio()).json.windows as [Window];
    t.match(after, { total: 171.8, paid: 171.8, balance: 0, expectedTotal: 171.8 });
    const invoice = must(await call<{ totalAmount: number; balanceDue: number }>('GET', '/invoice'), 200).json;
    t.match(invoice, { totalAmount: 171.8, balanceDue: 0 });
    isProblem(t, await post(WATER), 409, { code: 'INVALID_STATE' });
    await addsUp(t, property, 0, 4);
  });

  await group.test('a posting is taken back once, by a manager, with a reason', async (t) => {
    const { call, folio, post, arrive } = await open(service);
    await arrive();
    const { postingId } = must(await post(WATER), 201).json;
    const take = (id: string, body: Json = { reason: 'Wrong room' }, options: CallOptions = {}) =>
      call('POST', `/folio/postings/${id}/void`, body, { role: 'MANAGER', ...options });
    isProblem(t, await take(postingId, undefined, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await take(postingId, {}), 400, { pointers: ['/reason'] });
    const taken = must(await take(postingId), 201).json;
    t.match(taken, { amount: -9, quantity: -2, kind: 'EXTRA', voids: postingId, reason: 'Wrong room' });
    isProblem(t, await take(postingId), 409, { code: 'INVALID_STATE' });
    isProblem(t, await take(taken.postingId), 409, { code: 'INVALID_STATE' });
    isProblem(t, await take(randomUUID()), 404, { code: 'POSTING_NOT_FOUND' });
    const [{ postings, total }] = (await folio()).json.windows as [Window];
    const payment = postings.find(({ kind }) => kind === 'PAYMENT')!;
    isProblem(t, await take(payment.postingId), 409, { code: 'INVALID_STATE' });
    t.equal(total, 0);
    t.equal(postings.find((one) => one.postingId === postingId)?.voidedBy, taken.postingId);
  });

  await group.test('the same key posts once, another version or a dry run nothing', async (t) => {
    const { folio, post, arrive } = await open(service);
    await arrive();
    const before = (await folio()).headers.etag!;
    const headers = { 'idempotency-key': randomUUID() };
    const first = must(await post(WATER, { headers }), 201);
    const again = must(await post(WATER, { headers }), 201);
    t.equal(again.text, first.text);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await post(WATER, { headers: { 'if-match': before } }), 412, { code: 'STALE_VERSION' });
    t.equal((await folio()).json.windows[0]!.total, 9);
  });

  await group.test('bad input is named, and nothing is stored', async (t) => {
    const { call, folio, post, arrive } = await open(service);
    await arrive();
    const before = (await folio()).text;
    const cases: [Json, string[]][] = [
      [{}, ['/description', '/unitAmount']],
      [{ extraCode: 'BREAKFAST', unitAmount: 1 }, ['/unitAmount']],
      [{ extraCode: 'NONE' }, ['/extraCode']],
      [{ ...WATER, quantity: 0 }, ['/quantity']],
      [{ ...WATER, quantity: 100 }, ['/quantity']],
      [{ ...WATER, quantity: 1.5 }, ['/quantity']],
      [{ ...WATER, unitAmount: 0 }, ['/unitAmount']],
      [{ ...WATER, unitAmount: -1 }, ['/unitAmount']],
      [{ ...WATER, unitAmount: 1e9 }, ['/unitAmount']],
      [{ ...WATER, unitAmount: 99_999_999, quantity: 99 }, ['/unitAmount']],
      [{ ...WATER, window: 'BANK' }, ['/window']],
    ];
    for (const [body, pointers] of cases) isProblem(t, await post(body), 400, { pointers });
    const route = (rules: Json[]) => call<Folio>('PUT', '/folio/routing', { rules });
    const room = { kind: 'ROOM', window: 'COMPANY' };
    isProblem(t, await route([room, { ...room, window: 'GUEST' }]), 400, { pointers: ['/rules/1/kind'] });
    isProblem(t, await route([{ kind: 'PAYMENT', window: 'COMPANY' }]), 400, { pointers: ['/rules/0/kind'] });
    isProblem(t, await route([{ kind: 'ROOM', window: 'BANK' }]), 400, { pointers: ['/rules/0/window'] });
    isProblem(t, await route([room]), 400, { pointers: ['/rules/0/window'] });
    isProblem(t, await post({ ...WATER, window: 'COMPANY' }), 400, { pointers: ['/window'] });
    const pay = (body: Json) => call('POST', '/payments', { amount: 1, ...body });
    isProblem(t, await pay({ method: 'CASH', window: 'CHANNEL' }), 400, { pointers: ['/window'] });
    isProblem(t, await pay({ method: 'INVOICE' }), 400, { pointers: ['/method'] });
    t.equal((await folio()).text, before);
    isProblem(t, await service.reservations('GET', `/${randomUUID()}/folio`), 404, { code: 'RESERVATION_NOT_FOUND' });
  });

  await group.test('the company pays the room, the guest the rest', async (t) => {
    const { call, folio, post, arrive } = await open(service, { card: null, hasCompany: true });
    const rules = ['ROOM', 'FEE', 'TAX'].map((kind) => ({ kind, window: 'COMPANY' }));
    t.same(must(await call<Folio>('PUT', '/folio/routing', { rules }), 200).json.routing, rules);
    const pay = (body: Json) => call<{ amount: number }>('POST', '/payments', { method: 'CASH', ...body });
    t.match(must(await pay({ window: 'COMPANY' }), 201).json, { amount: 220 });
    await arrive();
    must(await post(WATER), 201);
    isProblem(t, await pay({ amount: 10 }), 400, { pointers: ['/amount'] });
    t.match(must(await pay({}), 201).json, { amount: 9 });
    t.match((await folio()).json.windows, [
      { window: 'GUEST', total: 9, paid: 9, balance: 0, expectedTotal: 9 },
      { window: 'COMPANY', total: 0, paid: 220, balance: -220, expectedTotal: 220 },
    ]);
  });

  await group.test('a company is named with the routing, and not changed once its account has paid', async (t) => {
    const { reservationId, call, folio } = await open(service, { card: null });
    const companies = `${service.dev.reservationUrl}/api/v1/companies`;
    const made = async (body: Json) =>
      must(await service.call<{ companyId: string }>('POST', companies, { body }), 201).json.companyId;
    const companyId = await made({ name: 'Analytical Engines' });
    const rules = ['ROOM', 'FEE', 'TAX'].map((kind) => ({ kind, window: 'COMPANY' }));
    const route = (body: Json, query = '') =>
      call<Folio & { companyId: string }>('PUT', `/folio/routing${query}`, body);
    const before = (await folio()).text;
    const windows = [
      { window: 'GUEST', expectedTotal: 0 },
      { window: 'COMPANY', expectedTotal: 220 },
    ];
    t.match(must(await route({ rules, companyId }, '?dryRun=true'), 200).json, { companyId, windows });
    t.equal((await folio()).text, before, 'only said');
    t.match(must(await route({ rules, companyId }), 200).json, { reservationId, companyId, routing: rules, windows });
    isProblem(t, await route({ rules, companyId: randomUUID() }), 404, { code: 'COMPANY_NOT_FOUND' });
    const idle = await made({ name: 'Idle Engines', active: false });
    isProblem(t, await route({ rules, companyId: idle }), 400, { pointers: ['/companyId'] });
    const other = await made({ name: 'Difference Engines' });
    t.match(must(await route({ rules, companyId: other }), 200).json, { companyId: other });
    must(await call('POST', '/payments', { method: 'INVOICE', window: 'COMPANY', amount: 20 }), 201);
    isProblem(t, await route({ rules, companyId }), 409, { code: 'INVALID_STATE' });
    t.match(must(await route({ rules }), 200).json, { companyId: other }, 'the same one stays');
  });
}

/** What a night adds to the folio; it moves the clock (docs/concepts/rooms.md#overstays). */
export async function overnight(group: Test, service: Service): Promise<void> {
  const seconds = async (): Promise<number> => Math.floor(Date.parse((await serviceClock(service)).now) / 1_000);
  /** The service's clock stands at an hour of a day of the property, which is in UTC. */
  const goTo = async (property: BlackboxProperty, day: number, hour: number): Promise<void> => {
    const to = (property.firstDay + day) * 24 * HOUR_SECONDS + hour * HOUR_SECONDS;
    must(await advanceClock(service, to - (await seconds())), 200);
  };

  await group.test('a guest who does not leave keeps the room off sale, and pays the night', async (t) => {
    const { property, reservationId, call, folio, arrive } = await open(service, { nights: 1 });
    await arrive();
    t.same(await property.left(1), [1]);
    must(await property.price('DLX', 1, 1, 130), 200);
    await goTo(property, 1, 10);
    t.same(await property.left(1), [1], 'until the check-out time');
    await goTo(property, 1, 12);
    t.same(await property.left(1), [0]);
    isProblem(t, await property.book({ from: 1, nights: 1 }), 409, { code: 'ROOM_NOT_AVAILABLE' });
    await auditIsClean(t, property);
    await goTo(property, 2, 4);
    const stayed = await until('the night', 60_000, async () => {
      const { json } = await property.read(reservationId);
      return json.stayDetails.nights === 2 ? json : undefined;
    });
    t.match(stayed, { status: 'CHECKED_IN', financial: { totalAmount: 253 } });
    t.match(stayed.timeline.at(-1), { event: 'OVERSTAY' });
    const [{ postings, balance }] = (await folio()).json.windows as [Window];
    t.match(
      postings.filter(({ kind }) => kind === 'ROOM'),
      [
        { businessDate: property.day(0), amount: 110, taxes: [{ code: 'TAX', amount: 10 }] },
        { businessDate: property.day(1), amount: 143, taxes: [{ code: 'TAX', amount: 13 }] },
      ],
    );
    t.equal(balance, 143);
    t.same(await property.left(2), [0], 'and so on until he leaves');
    must(await call('POST', '/checkout', {}), 200);
    t.same(await property.left(2), [1]);
    await addsUp(t, property, 2, 3);
  });
}
