import t from 'tap';

import type { Address } from '../../kernel/rules/caller.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import type { DocumentNumber } from '../rules/invoice-document.ts';
import { documentNumber } from '../rules/invoice-document.ts';
import { databaseInvoices } from './invoice-documents.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const invoices = databaseInvoices(database);

const HERE = { tenantId: 'acme', propertyId: 'anchor' };
const LAST_YEAR = 9999;

async function insert({ tenantId, propertyId }: Address, place: DocumentNumber, changed: object = {}): Promise<void> {
  const row = {
    tenant_id: tenantId,
    property_id: propertyId,
    ...place,
    number: documentNumber(place),
    reservation_id: '00000000-0000-4000-8000-000000000001',
    confirmation_number: 'ABC',
    corrects: place.kind === 'INVOICE' ? null : 'INV-2026-000001',
    issued_at: '2026-06-01T10:00:00Z',
    issued_by: '{}',
    issued_to: '{"name":"Ada"}',
    currency: 'EUR',
    lines: '[]',
    ...changed,
  };
  const names = Object.keys(row);
  const marks = names.map((_, n) => `$${n + 1}`);
  await admin.query(`insert into invoice_documents (${names.join()}) values (${marks.join()})`, Object.values(row));
}

for (const year of [2025, 2026])
  for (let serial = 1; serial <= 4; serial++) {
    await insert(HERE, { kind: 'INVOICE', year, serial });
    if (serial < 3) await insert(HERE, { kind: 'CREDIT_NOTE', year, serial });
  }
await insert({ ...HERE, propertyId: 'other' }, { kind: 'INVOICE', year: 2026, serial: 1 });
await insert({ ...HERE, tenantId: 'rival' }, { kind: 'INVOICE', year: 2026, serial: 5 });

t.test('documents of a property are listed by number, over years or within one', async (t) => {
  const numbers = async (from: DocumentNumber, until: number, limit: number) =>
    (await invoices.list(HERE, from, until, limit)).map(({ number }) => number);
  t.same(await numbers({ kind: 'INVOICE', year: 2025, serial: 3 }, LAST_YEAR, 4), [
    'INV-2025-000003',
    'INV-2025-000004',
    'INV-2026-000001',
    'INV-2026-000002',
  ]);
  t.same(await numbers({ kind: 'INVOICE', year: 2025, serial: 4 }, 2025, 4), ['INV-2025-000004']);
  t.same(await numbers({ kind: 'CREDIT_NOTE', year: 0, serial: 1 }, 2025, 9), ['CN-2025-000001', 'CN-2025-000002']);
});

t.test('a document is found by its number in its own property', async (t) => {
  t.match(await invoices.byNumber(HERE, 'CN-2026-000002'), {
    number: 'CN-2026-000002',
    kind: 'CREDIT_NOTE',
    year: 2026,
    serial: 2,
    corrects: 'INV-2026-000001',
    issuedAt: Date.parse('2026-06-01T10:00:00Z'),
    issuedTo: { name: 'Ada' },
    total: 0,
  });
  t.equal(await invoices.byNumber(HERE, 'INV-2026-000005'), undefined, 'not that of another tenant');
});

t.test(
  'the database refuses a number twice, one that is not of its place, and totals that do not add up',
  async (t) => {
    const invoice = { kind: 'INVOICE', year: 2026, serial: 4 } as const;
    await t.rejects(insert(HERE, invoice), { code: '23505' });
    await t.rejects(insert(HERE, { ...invoice, serial: 9 }, { number: 'INV-2026-000008' }), { code: '23514' });
    await t.rejects(insert(HERE, { ...invoice, serial: 9 }, { total: 1 }), { code: '23514' });
    await t.rejects(insert(HERE, { ...invoice, serial: 9 }, { corrects: 'INV-2026-000001' }), { code: '23514' });
    await insert(HERE, { ...invoice, serial: 1_000_000 });
  },
);
