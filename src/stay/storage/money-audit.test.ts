import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { bookCommand, cancelCommand, paid, startBookingCommand } from '../../testing/property-world.ts';
import { auditMoney } from '../operations/audit-money.ts';
import { databaseMoneyAudit } from './money-audit.ts';
import { databaseReservationReader } from './reservation-reader.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const moneyAudit = databaseMoneyAudit(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A property with a pending reservation, and paid ones of which the last is cancelled with an invoice. */
async function property() {
  const stored = await Stored.property(store);
  const { scene } = stored;
  const pending = scene.accept(bookCommand({ stay: stored.stay() })).reservation.id;
  const book = (rateCode: string): string => {
    const start = startBookingCommand({ stay: { ...stored.stay(1), rateCode } });
    const { attempt } = scene.accept(start);
    const payment = paid(attempt, scene.now);
    return scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment }).reservation.id;
  };
  const confirmed = book('BAR');
  const gone = book('NRF');
  scene.accept(cancelCommand(gone));
  await stored.write();
  return { to: stored.to, pending, confirmed, gone };
}

const change = (set: string, id: string) => admin.query(`update reservations set ${set} where id = $1`, [id]);

void t.test('money as the service has written it has no fault', async (t) => {
  const { to } = await property();
  const sound = { reservationsChecked: 3, invoicesChecked: 1, violationCount: 0, violations: [] };
  t.same(await auditMoney({ moneyAudit }, to), sound);
  const none = { reservationsChecked: 0, invoicesChecked: 0, violationCount: 0, violations: [] };
  t.same(await auditMoney({ moneyAudit }, { ...to, tenantId: 'rival' }), none, 'another tenant sees nothing of it');
});

void t.test('what does not add up is named, each by itself', async (t) => {
  const { to, pending, confirmed, gone } = await property();
  await change('paid_amount = paid_amount - 1, balance_due = balance_due + 1', confirmed);
  await change('total_amount = total_amount + 2, balance_due = balance_due + 2', pending);
  const { violationCount, violations: found } = await auditMoney({ moneyAudit }, to);
  t.equal(violationCount, 2);
  const of = (id: string, all = found): string | undefined =>
    all.find(({ reservationId }) => reservationId === id)?.what;
  t.match(of(confirmed), /is paid, its payments say/);
  t.match(of(pending), /its row says a total of/);
  await change(`details = jsonb_set(details::jsonb, '{nights}', '"none"')`, gone);
  const { reservationsChecked, violations } = await auditMoney({ moneyAudit }, to);
  t.match(of(gone, violations), /cannot be (read|added up)/);
  t.equal(reservationsChecked, 3, 'a row that cannot be read stops no other');
});

void t.test('a number of an invoice that is missing is found', async (t) => {
  const { to } = await property();
  const skipped = `update invoice_documents set serial = 2, number = replace(number, '-000001', '-000002')`;
  await admin.query(`${skipped} where property_id = $1`, [to.propertyId]);
  const { violations } = await auditMoney({ moneyAudit }, to);
  t.match(violations[0], { what: /^1 numbers of INVOICE in \d{4} are missing/ });
});

void t.test('all pages are read', async (t) => {
  const { to } = await property();
  const first = await moneyAudit.page(to, 2);
  const second = await moneyAudit.page(to, 2, first.next);
  t.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, 3);
  t.equal(second.next, undefined);
});
