import { randomUUID } from 'node:crypto';
import tap, { test } from 'tap';

import { type InvoiceText, invoiceCall } from './groups/invoices.ts';
import { BlackboxProperty, must, untilDecided } from './property.ts';
import { Service } from './service.ts';
import type { Page } from './shapes.ts';
import { until } from './waiting.ts';

/** Numbers of invoices have no gap and none is given twice, after kill -9 under load (docs/reference/invoices.md#numbers). */
tap.setTimeout(300_000);

const STAYS = 96;
const ROUNDS = 3;

const service = await Service.start();
tap.teardown(() => service.remove());

/** The end of a stay under a key of its own: sent again, it is the same. */
type Ending = { id: string; path: string; method: string; body: object; key: string };

/** Guests in house and guests who cancel on the last day, all paid; every fourth of those gets something back. */
async function endings(property: BlackboxProperty): Promise<Ending[]> {
  const rooms = Array.from({ length: STAYS / 2 }, (_, n) => String(101 + n));
  const all: Ending[] = [];
  for (const roomNumber of rooms) {
    const body = { roomNumber, roomType: 'DLX', floor: 1 };
    must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
  }
  for (let n = 0; n < STAYS; n += 1) {
    const leaves = n % 2 === 0;
    const { reservationId: id } = await property.booked({ from: leaves ? 0 : 1, nights: 1 });
    if (leaves) {
      const body = { identificationVerified: true, keyCards: 1 };
      must(await service.reservations('POST', `/${id}/checkin`, { body }), 200);
    }
    const [method, path] = leaves ? ['POST', `/${id}/checkout`] : ['DELETE', `/${id}`];
    all.push({ id, method, path, body: {}, key: randomUUID() });
  }
  return all;
}

const refundOf = ({ id }: Ending): Ending => ({
  id,
  method: 'POST',
  path: `/${id}/refunds`,
  body: { amount: 1, reason: 'noise' },
  key: randomUUID(),
});

function send({ method, path, body, key }: Ending) {
  const headers = { 'idempotency-key': key };
  return service.reservations(method, path, { body, headers, role: 'MANAGER' });
}

/** All documents of a kind, as their bytes, by number. */
async function documents({ propertyId }: BlackboxProperty, kind: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor = ''; ;) {
    const query = `?propertyId=${propertyId}&kind=${kind}&limit=50${cursor}`;
    const { json } = must(await invoiceCall<Page<InvoiceText>>(service, query), 200);
    for (const { number } of json.items) {
      if (found.has(number)) throw new Error(`${number} is listed twice`);
      found.set(number, must(await invoiceCall(service, `/${number}?propertyId=${propertyId}`), 200).text);
    }
    if (!json.nextCursor) return found;
    cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`;
  }
}

void test('numbers of invoices have no gap and no double after kill -9 under load', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: STAYS }, policies: { taxPercent: 10 } });
  const all = await endings(property);
  const acknowledged = new Set<string>();
  let known = new Map<string, string>();
  const notes: Ending[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Also what had no answer before: its key says whether it was done.
    const open = [
      ...all.filter(({ key }) => !acknowledged.has(key)),
      ...notes.filter(({ key }) => !acknowledged.has(key)),
    ];
    const before = acknowledged.size;
    const sent = open.map(async (ending) => {
      const answer = await send(ending).catch(() => undefined);
      if (answer && answer.status < 300) acknowledged.add(ending.key);
      else if (answer && answer.status < 500)
        t.fail(`${ending.method} ${ending.path}: ${answer.status} ${answer.text}`);
    });
    await until('some are acknowledged', 30_000, () => (acknowledged.size > before + 8 ? true : undefined));
    await service.killHard();
    await Promise.all(sent);
    await service.up();
    const found = new Map([...(await documents(property, 'INVOICE')), ...(await documents(property, 'CREDIT_NOTE'))]);
    t.comment(`round ${round}: ${acknowledged.size} acknowledged, ${found.size} documents`);
    t.same(
      [...known].filter(([number, text]) => found.get(number) !== text),
      [],
      'what was issued is what it was',
    );
    known = found;
    notes.push(
      ...all
        .filter(({ key }, n) => acknowledged.has(key) && n % 4 === 1)
        .slice(notes.length)
        .map(refundOf),
    );
  }
  for (const ending of [...all, ...notes])
    must(await untilDecided(() => send(ending)), ending.path.endsWith('refunds') ? 201 : 200);
  await t.test('every stay has one invoice, and the numbers are those from 1 on', async (t) => {
    const year = property.day(0).slice(0, 4);
    const expected = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => `${prefix}-${year}-${String(n + 1).padStart(6, '0')}`);
    const invoices = await documents(property, 'INVOICE');
    const credited = await documents(property, 'CREDIT_NOTE');
    t.same([...invoices.keys()], expected('INV', STAYS));
    t.same([...credited.keys()], expected('CN', notes.length));
    t.ok(notes.length > 5, `${notes.length} credit notes`);
    t.same(
      [...known].filter(([number, text]) => (invoices.get(number) ?? credited.get(number)) !== text),
      [],
    );
    const stays = [...invoices.values()].map((text) => (JSON.parse(text) as InvoiceText).reservationId);
    t.same(stays.toSorted(), all.map(({ id }) => id).toSorted());
  });
});
