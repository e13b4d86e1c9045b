import t from 'tap';
import { v7 as uuidv7 } from 'uuid';

import type { PagePosition } from '../../kernel/ports.ts';
import type { RequestKey } from '../../kernel/rules/administration.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { plansOf } from '../../testing/plans.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import type { LedgerFilter } from '../ports.ts';
import type { Company, CompanyPayment } from '../rules/company.ts';
import { databaseCompanies } from './companies.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const companies = databaseCompanies(database);

let tenants = 0;
/** A property of a tenant of its own. */
const alone = () => storedProperty(admin, `tenant-${(tenants += 1)}`, { policies: { nightAuditHour: 4 } });
const by = ({ tenantId }: Address) => ({ tenantId, subject: 'u-1', requestId: 'r-1' });

function company(own: Partial<Company> = {}): Company {
  return { companyId: uuidv7(), name: 'Harbor Trading Ltd', paymentTermsDays: 30, active: true, ...own };
}

/** Stores a reservation with these details; returns its id. */
async function stay(to: Address, details: object, status: ReservationStatus = 'CHECKED_OUT'): Promise<string> {
  const id = uuidv7();
  await admin.query(
    `insert into reservations (tenant_id, id, property_id, confirmation_number, status, check_in, check_out, nights,
       adults, currency, details, status_key)
     values ($1, $2, $3, $4, $5, '2027-01-01', '2027-01-02', 1, 1, 'EUR', $6, $7)`,
    [to.tenantId, id, to.propertyId, id.slice(-12), status, details, statusKey(status)],
  );
  return id;
}

type Row = { amount: number; currency: string; method: string; type: string; status: string; at: string };

async function pay(to: Address, reservationId: string, own: Partial<Row> & { charge?: string } = {}) {
  const id = uuidv7();
  const { amount = 100, currency = 'EUR', method = 'INVOICE', type = 'CHARGE', status = 'COMPLETED' } = own;
  const at = own.at ?? '2027-01-02T12:00:00Z';
  await admin.query(
    `insert into payments (tenant_id, id, property_id, reservation_id, amount, currency, method, status,
       transaction_type, processed_at, charge_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [to.tenantId, id, to.propertyId, reservationId, amount, currency, method, status, type, at, own.charge ?? null],
  );
  return id;
}

const received = (to: Address, { companyId }: Company, own: Partial<CompanyPayment> = {}): CompanyPayment => ({
  paymentId: uuidv7(),
  companyId,
  propertyId: to.propertyId,
  amount: 4_000,
  currency: 'EUR',
  method: 'BANK_TRANSFER',
  receivedAt: Date.parse('2027-01-05T10:00:00Z'),
  ...own,
});

const ledger = (to: Address, of: Company, filter: LedgerFilter = {}, limit = 50, after?: PagePosition) =>
  companies.ledger(to.tenantId, of, filter, limit, after);

t.test('a company is created, read, listed by a part of its name, changed and deleted', async (t) => {
  const [home, other] = [await alone(), await alone()];
  const whole = company({
    vatId: 'PT 123',
    billingAddress: { name: 'Accounts', city: 'Lisbon' },
    contact: { email: 'accounts@example.com' },
    channel: 'CORPORATE',
  });
  const { result } = await companies.create(by(home), whole);
  t.match(result, whole);
  t.strictSame(await companies.get(home.tenantId, whole.companyId), result);
  t.equal(await companies.get(other.tenantId, whole.companyId), undefined, 'not of another tenant');
  t.equal(await companies.get(home.tenantId, 'no-uuid'), undefined);
  const plain = company({ name: '100 % Travel_Agency', active: false });
  await companies.create(by(home), plain);
  const names = async (filter: object, limit = 50) =>
    (await companies.list(home.tenantId, filter, limit)).items.map(({ name }) => name);
  t.same(await names({}), ['100 % Travel_Agency', 'Harbor Trading Ltd'], 'newest first');
  t.same(await names({ name: 'TRADING' }), ['Harbor Trading Ltd']);
  t.same(await names({ name: '% travel_' }), ['100 % Travel_Agency'], 'signs are no pattern');
  t.same(await names({ name: '_' }), ['100 % Travel_Agency']);
  t.same(await names({ active: true }), ['Harbor Trading Ltd']);
  t.same(await names({ channel: 'CORPORATE' }), ['Harbor Trading Ltd']);
  const first = await companies.list(home.tenantId, {}, 1);
  const second = await companies.list(home.tenantId, {}, 1, first.next);
  t.match([first.items, second.items], [[plain], [whole]]);
  t.equal(second.next, undefined);
  const changed = { ...plain, name: 'Travel Agency', active: true };
  t.match((await companies.change(by(home), changed)).result, changed);
  await companies.remove(by(home), whole.companyId);
  t.equal(await companies.get(home.tenantId, whole.companyId), undefined);
  t.match(await companies.get(home.tenantId, whole.companyId, true), whole, 'it stays in the books');
  await t.rejects(companies.change(by(home), whole), { code: 'COMPANY_NOT_FOUND' });
  await t.rejects(companies.remove(by(home), whole.companyId), { code: 'COMPANY_NOT_FOUND' });
  await t.rejects(companies.create(by(home), whole), { code: 'ALREADY_EXISTS' }, 'an id is used once');
});

t.test('a channel has at most one company', async (t) => {
  const home = await alone();
  const agency = company({ channel: 'OTA' });
  await companies.create(by(home), agency);
  await t.rejects(companies.create(by(home), company({ channel: 'OTA' })), { code: 'ALREADY_EXISTS' });
  const other = company();
  await companies.create(by(home), other);
  await t.rejects(companies.change(by(home), { ...other, channel: 'OTA' }), { code: 'ALREADY_EXISTS' });
  await companies.create(by(await alone()), company({ channel: 'OTA' }));
  const guarantee = { kind: 'CHANNEL', channel: 'OTA' };
  await pay(home, await stay(home, { guarantee }));
  await t.rejects(companies.change(by(home), { ...agency, channel: 'WEBSITE' }), { code: 'INVALID_STATE' });
  await companies.receive(by(home), received(home, agency, { amount: 10_000 }));
  await companies.change(by(home), { ...agency, channel: 'WEBSITE' });
  await companies.change(by(home), { ...other, channel: 'OTA' });
});

t.test('a ledger has what was put on the account and what was paid, and nothing of others', async (t) => {
  const home = await alone();
  const agency = company({ channel: 'OTA' });
  const other = company();
  for (const one of [agency, other]) await companies.create(by(home), one);
  const own = await stay(home, { companyId: agency.companyId.toUpperCase(), guarantee: { kind: 'COMPANY' } });
  const guarantee = { kind: 'CHANNEL', channel: 'OTA' };
  const collected = await stay(home, { companyId: other.companyId, guarantee });
  const charge = await pay(home, own, { amount: 200 });
  await pay(home, collected, { amount: 50, at: '2027-01-03T03:59:00Z' });
  await pay(home, own, { amount: 30, type: 'REFUND', charge, at: '2027-01-04T12:00:00Z' });
  await pay(home, own, { method: 'CASH' });
  await pay(home, own, { status: 'PENDING' });
  await pay(home, own, { status: 'FAILED' });
  await pay(home, own, { type: 'REFUND', status: 'PENDING' });
  await pay(home, await stay(home, {}));
  const payment = received(home, agency, { reference: 'INV-7' });
  await companies.receive(by(home), payment);
  const { items, balances } = await ledger(home, agency);
  t.strictSame(
    items.map(({ entryId: _id, at: _at, confirmationNumber: _number, ...line }) => line),
    [
      {
        businessDate: dayOf('2027-01-05'),
        propertyId: home.propertyId,
        kind: 'PAYMENT',
        method: 'BANK_TRANSFER',
        reference: 'INV-7',
        amount: 4_000,
        currency: 'EUR',
      },
      { ...of(home, own), businessDate: dayOf('2027-01-04'), kind: 'REFUND', amount: 3_000, currency: 'EUR' },
      // Before four in the morning the business date is still the day before.
      { ...of(home, collected), businessDate: dayOf('2027-01-02'), kind: 'CHARGE', amount: 5_000, currency: 'EUR' },
      { ...of(home, own), businessDate: dayOf('2027-01-02'), kind: 'CHARGE', amount: 20_000, currency: 'EUR' },
    ],
  );
  t.match(items[0], { entryId: payment.paymentId, at: payment.receivedAt });
  t.match(items[3], { entryId: charge, confirmationNumber: own.slice(-12) });
  t.same(balances, [{ currency: 'EUR', balance: 18_000 }]);
  t.same((await ledger(home, other)).balances, [], 'the channel has it, whoever else is named');
  t.same((await ledger({ ...home, tenantId: 'rival' }, agency)).items, []);
});

const of = ({ propertyId }: Address, reservationId: string) => ({ propertyId, reservationId });

t.test('a ledger is read by property, by dates and page by page; currencies are not mixed', async (t) => {
  const home = await alone();
  const second = await storedProperty(admin, home.tenantId);
  const agency = company();
  await companies.create(by(home), agency);
  const details = { companyId: agency.companyId };
  const [one, two] = [await stay(home, details), await stay(second, details)];
  for (const day of ['02', '03', '04']) await pay(home, one, { amount: Number(day), at: `2027-02-${day}T12:00:00Z` });
  await pay(second, two, { amount: 70, currency: 'USD', at: '2027-02-03T12:00:00Z' });
  const euros = (balance: number) => ({ currency: 'EUR', balance });
  const dollars = { currency: 'USD', balance: 7_000 };
  t.same((await ledger(home, agency)).balances, [euros(900), dollars]);
  t.match(await ledger(home, agency, { propertyId: second.propertyId }), { items: [{}], balances: [dollars] });
  const to = dayOf('2027-02-03');
  const later = await ledger(home, agency, { propertyId: home.propertyId, from: to, to });
  t.match(later, { items: [{ amount: 300 }], balances: [euros(500)] }, 'what was before is in the balance');
  t.equal(later.items.length, 1);
  const seen: number[] = [];
  for (let after: PagePosition | undefined; ;) {
    const page = await ledger(home, agency, {}, 1, after);
    t.same(page.balances, [euros(900), dollars], 'whatever the page');
    seen.push(...page.items.map(({ amount }) => amount));
    if (!page.next) break;
    after = page.next;
  }
  t.same(seen, [400, 7_000, 300, 200]);
});

t.test('what invented guests owe is on no account, and holds no company', async (t) => {
  const home = await alone();
  const agency = company({ channel: 'OTA' });
  await companies.create(by(home), agency);
  const sandbox = { ...home, propertyId: `${home.propertyId}--sandbox-1` };
  await admin.query(
    `insert into properties (tenant_id, property_id, name, metadata)
     select tenant_id, $3, name, metadata from properties where tenant_id = $1 and property_id = $2`,
    [home.tenantId, home.propertyId, sandbox.propertyId],
  );
  await pay(sandbox, await stay(sandbox, { companyId: agency.companyId }));
  await pay(sandbox, await stay(sandbox, { guarantee: { kind: 'CHANNEL', channel: 'OTA' } }), { amount: 30 });
  await stay(sandbox, { companyId: agency.companyId }, 'CONFIRMED');
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, rules) values ($1, $2, $3, 'CORP', 'Corporate', $4)`,
    [home.tenantId, uuidv7(), sandbox.propertyId, { companyId: agency.companyId }],
  );
  t.match(await ledger(home, agency), { items: { length: 0 }, balances: { length: 0 } });
  const { balances } = await ledger(home, agency, { propertyId: sandbox.propertyId });
  t.same(balances, [{ currency: 'EUR', balance: 13_000 }], 'where the sandbox is named it is found');
  t.equal((await companies.remove(by(home), agency.companyId)).result, null);
});

t.test('an account is found by its index, under row security too', async (t) => {
  const home = await alone();
  const agency = company({ channel: 'WEBSITE' });
  await companies.create(by(home), agency);
  await admin.query(
    `insert into payments (tenant_id, id, property_id, reservation_id, amount, currency, method, status)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 1, 'EUR', 'CREDIT_CARD', 'COMPLETED'
     from generate_series(1, 20000)`,
    [home.tenantId, home.propertyId],
  );
  await pay(home, await stay(home, { companyId: agency.companyId }));
  await admin.query('analyze payments');
  const { indexes } = await plansOf(database, home.tenantId, () => ledger(home, agency));
  t.ok(indexes.includes('payments_account'), indexes.join());
});

t.test(
  'a refund is on the account of its charge, and a payment that becomes one by invoice is on one too',
  async (t) => {
    const home = await alone();
    const agency = company();
    await companies.create(by(home), agency);
    const id = await stay(home, { companyId: agency.companyId });
    const charge = await pay(home, id);
    const late = await pay(home, id, { method: 'CASH', status: 'PENDING', amount: 5 });
    await admin.query(`update reservations set details = '{}' where id = $1`, [id]);
    await pay(home, id, { type: 'REFUND', charge, amount: 40 });
    t.same((await ledger(home, agency)).balances, [{ currency: 'EUR', balance: 6_000 }]);
    await admin.query(`update reservations set details = $2 where id = $1`, [id, { companyId: agency.companyId }]);
    await admin.query(`update payments set method = 'INVOICE', status = 'COMPLETED' where id = $1`, [late]);
    t.same((await ledger(home, agency)).balances, [{ currency: 'EUR', balance: 6_500 }]);
  },
);

t.test('a company stays while money is open, or something open names it', async (t) => {
  const home = await alone();
  const agency = company({ channel: 'OTA' });
  await companies.create(by(home), agency);
  const refused = (message: RegExp) =>
    t.rejects(companies.remove(by(home), agency.companyId), { code: 'INVALID_STATE', message });
  const id = await stay(home, { companyId: agency.companyId }, 'CONFIRMED');
  await refused(/Reservation .* is open/);
  const end = (status: ReservationStatus) =>
    admin.query('update reservations set status = $2, status_key = $3 where id = $1', [
      id,
      status,
      statusKey(status),
    ]);
  await end('CHECKED_OUT');
  const sold = await stay(home, { guarantee: { kind: 'CHANNEL', channel: 'OTA' } }, 'PENDING');
  await refused(/is open/);
  await admin.query('delete from reservations where id = $1', [sold]);
  await pay(home, id, { amount: 40 });
  await refused(/40\.00 EUR/);
  await companies.receive(by(home), received(home, agency));
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, rules) values ($1, $2, $3, 'CORP', 'Corporate', $4)`,
    [home.tenantId, uuidv7(), home.propertyId, { companyId: agency.companyId }],
  );
  await refused(/Rate plan CORP/);
  await admin.query('delete from rates where tenant_id = $1', [home.tenantId]);
  t.equal((await companies.remove(by(home), agency.companyId)).result, null);
});

t.test('each change is written to the administration journal, a repeat under its key is not', async (t) => {
  const home = await alone();
  const agency = company();
  const key = (name: string): RequestKey => ({ key: name, fingerprint: 'f' });
  const made = await companies.create(by(home), agency, key('new'));
  const repeated = await companies.create(by(home), company(), key('new'));
  t.strictSame(repeated, { ...made, replayed: true });
  await companies.change(by(home), { ...agency, paymentTermsDays: 14 }, key('change'));
  const payment = received(home, agency);
  t.strictSame((await companies.receive(by(home), payment, key('pay'))).result, payment);
  const again = await companies.receive(by(home), received(home, agency), key('pay'));
  t.strictSame(again, { result: payment, replayed: true });
  await companies.receive(by(home), received(home, agency, { amount: 1 }));
  t.same((await ledger(home, agency)).balances, [{ currency: 'EUR', balance: -4_001 }]);
  const { rows } = await admin.query(
    `select entity, action, before ->> 'paymentTermsDays' as before, after ->> 'paymentTermsDays' as after,
       after ->> 'amount' as amount
     from administration_journal where tenant_id = $1 and entity_id = $2 order by seq`,
    [home.tenantId, agency.companyId],
  );
  const nothing = { entity: 'company', before: null, after: null, amount: null };
  t.same(rows, [
    { ...nothing, action: 'CREATED', after: '30' },
    { ...nothing, action: 'CHANGED', before: '30', after: '14' },
    { ...nothing, action: 'PAYMENT_RECEIVED', amount: '40' },
    { ...nothing, action: 'PAYMENT_RECEIVED', amount: '0.01' },
  ]);
});
