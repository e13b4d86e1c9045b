import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { CallOptions, Service } from '../service.ts';
import type { Page } from '../shapes.ts';
import { makeTenants } from '../tenants.ts';

type Company = { companyId: string; name: string; paymentTermsDays: number; active: boolean; channel?: string };
type Entry = { entryId: string; kind: string; amount: number; currency: string; reservationId?: string };
type Ledger = Page<Entry> & { companyId: string; balances: { currency: string; balance: number }[] };
type Plan = { id: string; code: string; companyId?: string };

const cents = (amount: number): number => Math.round(amount * 100);

/** Companies, who is invoiced, and what they owe (docs/reference/companies.md#companies). */
export async function companies(group: Test, service: Service): Promise<void> {
  const call = <T>(method: string, path = '', options: CallOptions = {}) =>
    service.call<T>(method, `${service.dev.reservationUrl}/api/v1/companies${path}`, { role: 'MANAGER', ...options });
  const create = async (own: object = {}) =>
    must(await call<Company>('POST', '', { body: { name: `Company ${randomUUID()}`, ...own } }), 201).json;
  const ledger = async ({ companyId }: Company, query = '') =>
    must(await call<Ledger>('GET', `/${companyId}/ledger${query}`, { role: 'STAFF' }), 200).json;
  const receive = (id: string, body: object, options: CallOptions = {}) =>
    call<Entry>('POST', `/${id}/payments`, { body: { method: 'BANK_TRANSFER', ...body }, ...options });
  const corporate = (property: BlackboxProperty, own: object = {}) =>
    service.rates<Plan>('POST', '/plans', {
      body: { propertyId: property.propertyId, name: 'Corporate', guarantee: 'COMPANY', ...own },
    });
  const invoice = (id: string, amount: number) =>
    service.reservations('POST', `/${id}/payments`, { body: { method: 'INVOICE', amount } });
  const onAccount = { card: null, stay: { rateCode: 'CORP' } };

  await group.test('a company is created, found by a part of its name, changed and deleted', async (t) => {
    const name = `Ærø & Sons ${randomUUID()}`;
    const body = {
      name,
      vatId: 'DK 1',
      billingAddress: { city: 'Ærøskøbing', country: 'DK' },
      contact: { email: 'pay@example.com' },
    };
    const made = must(await call<Company>('POST', '', { body }), 201);
    const path = `/${made.json.companyId}`;
    t.equal(made.headers.location, `/api/v1/companies${path}`);
    t.match(made.json, { ...body, paymentTermsDays: 30, active: true });
    t.notOk('channel' in made.json);
    t.same(must(await call('GET', path, { role: 'STAFF' }), 200).json, made.json);
    const part = encodeURIComponent(name.slice(6).toUpperCase());
    const found = must(await call<Page<Company>>('GET', `?name=${part}`, { role: 'STAFF' }), 200).json;
    t.same(found, { items: [made.json], nextCursor: null });
    t.same(must(await call<Page<Company>>('GET', `?name=${part}&active=false`), 200).json.items, []);
    const first = must(await call<Page<Company>>('GET', '?limit=1'), 200);
    t.match(first.json, { items: [{ companyId: made.json.companyId }] }, 'newest first');
    const changed = { name: `${name} A/S`, paymentTermsDays: 14 };
    t.match(must(await call('PUT', path, { body: changed }), 200).json, changed);
    t.notMatch(must(await call('GET', path), 200).text, /vatId|billingAddress/, 'what is not said is gone');
    must(await call('DELETE', path), 200);
    for (const [method, rest, sent] of [
      ['GET', path, undefined],
      ['PUT', path, changed],
      ['DELETE', path, undefined],
      ['GET', `/${randomUUID()}/ledger`, undefined],
      ['GET', '/no-id', undefined],
    ] as const)
      isProblem(t, await call(method, rest, { body: sent }), 404, { code: 'COMPANY_NOT_FOUND' });
    const trail = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${made.json.companyId}`;
    const { items } = must(await service.call<Page<{ action: string }>>('GET', trail, { role: 'ADMIN' }), 200).json;
    t.same(items.map(({ action }) => action).toSorted(), ['CHANGED', 'CREATED', 'REMOVED']);
  });

  await group.test('bad input is the problem of the table, and nothing is stored', async (t) => {
    const name = `Bad ${randomUUID()}`;
    for (const [own, pointer] of [
      [{ name: '' }, '/name'],
      [{ paymentTermsDays: 366 }, '/paymentTermsDays'],
      [{ paymentTermsDays: 1.5 }, '/paymentTermsDays'],
      [{ channel: 'FAX' }, '/channel'],
      [{ contact: { email: 'nobody' } }, '/contact/email'],
      [{ balance: 5 }, '/balance'],
    ] as const)
      isProblem(t, await call('POST', '', { body: { name, ...own } }), 400, { pointers: [pointer] });
    t.same(must(await call<Page<Company>>('GET', `?name=${encodeURIComponent(name)}`), 200).json.items, []);
    const property = await BlackboxProperty.open(service);
    const { companyId } = await create();
    const paid = { propertyId: property.propertyId, amount: 10 };
    for (const [own, pointer] of [
      [{ amount: 0 }, '/amount'],
      [{ amount: -5 }, '/amount'],
      [{ amount: 0.001 }, '/amount'],
      [{ method: 'INVOICE' }, '/method'],
      [{ currency: 'eur' }, '/currency'],
      [{ receivedAt: '2999-01-01T00:00:00Z' }, '/receivedAt'],
    ] as const)
      isProblem(t, await receive(companyId, { ...paid, ...own }), 400, { pointers: [pointer] });
    isProblem(t, await receive(companyId, { ...paid, propertyId: 'nowhere' }), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await receive(randomUUID(), paid), 404, { code: 'COMPANY_NOT_FOUND' });
    isProblem(t, await call('GET', `/${companyId}/ledger?from=2027-01-02&to=2027-01-01`), 400, {
      code: 'VALIDATION_FAILED',
    });
    t.match(await ledger({ companyId } as Company), { items: [], balances: [] });
  });

  await group.test('one company of a tenant stands behind a channel', async (t) => {
    await makeTenants(service, [{ tenantId: 'agency-one' }, { tenantId: 'agency-two' }]);
    const behind = (tenant: string, channel: string) =>
      call<Company>('POST', '', { body: { name: channel, channel }, tenantHeader: tenant, role: 'OWNER' });
    must(await behind('agency-one', 'OTA'), 201);
    isProblem(t, await behind('agency-one', 'OTA'), 409, { code: 'ALREADY_EXISTS' });
    must(await behind('agency-one', 'WEBSITE'), 201);
    must(await behind('agency-two', 'OTA'), 201);
  });

  await group.test('a booking and a plan name a company that is there and active', async (t) => {
    const property = await BlackboxProperty.open(service);
    const nobody = randomUUID();
    isProblem(t, await corporate(property, { code: 'CORP', companyId: nobody }), 404, { code: 'COMPANY_NOT_FOUND' });
    const company = await create();
    const plan = must(await corporate(property, { code: 'CORP', companyId: company.companyId }), 201).json;
    const { reservationId } = await property.booked(onAccount);
    t.match((await property.read(reservationId)).json, { status: 'CONFIRMED', companyId: company.companyId });
    isProblem(t, await property.book({ ...onAccount, more: { companyId: nobody } }), 404, {
      code: 'COMPANY_NOT_FOUND',
    });
    const path = `/${company.companyId}`;
    must(await call('PUT', path, { body: { name: company.name, active: false } }), 200);
    isProblem(t, await property.book(onAccount), 400, { pointers: ['/stayDetails/rateCode'] });
    isProblem(t, await property.book({ ...onAccount, more: { companyId: company.companyId } }), 400, {
      pointers: ['/companyId'],
    });
    const change = { name: 'Corporate', guarantee: 'COMPANY', companyId: company.companyId };
    isProblem(t, await service.rates('PUT', `/plans/${plan.id}`, { body: change }), 400, {
      pointers: ['/companyId'],
    });
    isProblem(t, await service.rates('PUT', `/plans/${plan.id}`, { body: { ...change, companyId: nobody } }), 404, {
      code: 'COMPANY_NOT_FOUND',
    });
    t.equal((await property.reservations()).length, 1, 'nothing else is stored');
  });

  await group.test('a ledger comes to what was invoiced less what was paid, to the cent', async (t) => {
    const one = await BlackboxProperty.open(service);
    const two = await BlackboxProperty.open(service);
    const company = await create();
    for (const property of [one, two])
      must(await corporate(property, { code: 'CORP', companyId: company.companyId }), 201);
    const charged: number[] = [];
    for (const [property, amount] of [
      [one, 120.05],
      [one, 79.95],
      [two, 33.33],
    ] as const) {
      const { reservationId } = await property.booked(onAccount);
      must(await invoice(reservationId, amount), 201);
      charged.push(cents(amount));
      const { items } = await ledger(company);
      t.match(items[0], { kind: 'CHARGE', amount, reservationId, currency: 'EUR', propertyId: property.propertyId });
    }
    const owed = charged.reduce((sum, amount) => sum + amount, 0);
    const balance = async (query = '') => (await ledger(company, query)).balances;
    t.same(await balance(), [{ currency: 'EUR', balance: owed / 100 }]);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { propertyId: one.propertyId, amount: 150.5, reference: 'SEPA 1' };
    const paid = must(await receive(company.companyId, body, { headers }), 201);
    t.match(paid.json, { kind: 'PAYMENT', amount: 150.5, currency: 'EUR', reference: 'SEPA 1' });
    const again = must(await receive(company.companyId, body, { headers }), 201);
    t.same(again.json, paid.json);
    t.equal(again.headers['idempotency-replayed'], 'true');
    must(await receive(company.companyId, { propertyId: two.propertyId, amount: 5, currency: 'USD' }), 201);
    const euros = (amount: number) => ({ currency: 'EUR', balance: amount / 100 });
    const dollars = { currency: 'USD', balance: -5 };
    t.same(await balance(), [euros(owed - 15_050), dollars]);
    t.same(await balance(`?propertyId=${one.propertyId}`), [euros(20_000 - 15_050)]);
    t.same(await balance(`?to=2000-01-01`), [], 'before all of it');
    t.match(await ledger(company, `?from=2999-01-01`), { items: [], balances: [euros(owed - 15_050), dollars] });
    const seen: Entry[] = [];
    for (let cursor = ''; ;) {
      const { items, nextCursor } = await ledger(company, `?limit=2${cursor}`);
      seen.push(...items);
      if (!nextCursor) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    t.same(seen, (await ledger(company)).items, 'page by page');
    t.equal(seen.length, 5);
    const other = await create();
    const { nextCursor } = await ledger(company, '?limit=1');
    const stolen = `/${other.companyId}/ledger?cursor=${encodeURIComponent(nextCursor!)}`;
    isProblem(t, await call('GET', stolen), 400, { code: 'VALIDATION_FAILED' });
  });

  await group.test('a late cancellation is owed by the company, or by the one behind the channel', async (t) => {
    const property = await BlackboxProperty.open(service);
    const company = await create();
    must(await corporate(property, { code: 'CORP', companyId: company.companyId }), 201);
    const agency = await create({ channel: 'GROUP' });
    const collected = { card: null, more: { source: { channel: 'GROUP', collectedBy: 'CHANNEL' } } };
    for (const [one, wish, penalty] of [
      [company, onAccount, 100],
      [agency, collected, 100],
    ] as const) {
      const { reservationId, confirmationNumber } = await property.booked({ from: 0, ...wish });
      t.same((await ledger(one)).balances, [], 'nothing is owed before');
      must(await service.reservations('DELETE', `/${reservationId}`), 200);
      const { items, balances } = await ledger(one, `?propertyId=${property.propertyId}`);
      t.match(items, [{ kind: 'CHARGE', amount: penalty, confirmationNumber }]);
      t.same(balances, [{ currency: 'EUR', balance: penalty }]);
      const body = { amount: 40, reason: 'goodwill', goodwill: true };
      must(await service.reservations('POST', `/${reservationId}/refunds`, { body, role: 'MANAGER' }), 201);
      t.match((await ledger(one)).items[0], { kind: 'REFUND', amount: 40, reservationId });
      t.same((await ledger(one)).balances, [{ currency: 'EUR', balance: penalty - 40 }]);
    }
  });

  await group.test('a company is not deleted while it owes or something open names it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const company = await create();
    const path = `/${company.companyId}`;
    const plan = must(await corporate(property, { code: 'CORP' }), 201).json;
    const booked = await property.booked({ ...onAccount, more: { companyId: company.companyId } });
    const refused = async () => isProblem(t, await call('DELETE', path), 409, { code: 'INVALID_STATE' });
    await refused();
    must(await invoice(booked.reservationId, 50), 201);
    must(await service.reservations('DELETE', `/${booked.reservationId}`, { body: { refundRequested: false } }), 200);
    await refused();
    must(await receive(company.companyId, { propertyId: property.propertyId, amount: 50 }), 201);
    const named = { name: 'Corporate', guarantee: 'COMPANY', companyId: company.companyId };
    must(await service.rates('PUT', `/plans/${plan.id}`, { body: named }), 200);
    await refused();
    must(await service.rates('DELETE', `/plans/${plan.id}`), 200);
    must(await call('DELETE', path), 200);
    t.match(await ledger(company), { balances: [{ currency: 'EUR', balance: 0 }] }, 'its ledger stays');
  });

  await group.test('the demo sells at the desk and to a company, which is no price for everybody', async (t) => {
    for (const propertyId of ['harbor-hotel', 'mountain-resort']) {
      const list = await service.rates<Page<Plan>>('GET', `/plans?propertyId=${propertyId}`);
      const plans = new Map(must(list, 200).json.items.map((plan) => [plan.code, plan]));
      t.match(plans.get('HOTEL'), { guarantee: 'NONE', releaseHour: '18:00', cancellationPolicy: 'STANDARD' });
      t.match(plans.get('CORP'), { guarantee: 'COMPANY', adjustmentPercent: -5 });
      const { name } = must(await call<Company>('GET', `/${plans.get('CORP')!.companyId}`), 200).json;
      t.equal(name, 'Harbor Trading Ltd');
    }
  });
}
