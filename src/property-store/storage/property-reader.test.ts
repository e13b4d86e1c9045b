import t from 'tap';

import type { PagePosition } from '../../kernel/ports.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { plansOf } from '../../testing/plans.ts';
import { fillProperties, FIRST_CREATED, SPACING_MS } from '../../testing/reservations.ts';
import { databasePropertyReader } from './property-reader.ts';

const { admin, url } = await withTestDatabase(t);
await fillProperties(admin, 'many', 3_000);
await fillProperties(admin, 'few', 7);
await admin.query(`update properties set deleted_at = now() where tenant_id = 'few' and property_id = 'p3'`);
await admin.query('analyze');
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const reader = databasePropertyReader(database);

t.test('properties come newest first, page by page, without the deleted ones', async (t) => {
  for (const limit of [1, 2, 6, 50]) {
    const ids: string[] = [];
    let after: PagePosition | undefined;
    do {
      const page = await reader.list('few', limit, after);
      ids.push(...page.items.map((item) => item.propertyId));
      after = page.next;
    } while (after);
    t.same(ids, ['p6', 'p5', 'p4', 'p2', 'p1', 'p0'], `pages of ${limit}`);
  }
});

t.test('a property is read with the defaults of its policies', async (t) => {
  const { items } = await reader.list('few', 1);
  t.match(items[0], {
    name: 'House 6',
    propertyType: 'HOTEL',
    createdAt: FIRST_CREATED + 6 * SPACING_MS,
    propertyCode: undefined,
    metadata: { currency: 'EUR', amenities: [], policies: { horizonNights: 730, cancellationPolicy: 'STANDARD' } },
  });
});

t.test('rooms of all types are counted, without removed ones and those of other properties', async (t) => {
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests, total_rooms,
       deleted_at)
     values ('few', 'p1', 'STD', 'Standard', 2, 0, 2, 4, null), ('few', 'p1', 'DLX', 'Deluxe', 2, 0, 2, 3, null),
       ('few', 'p1', 'OLD', 'Old', 2, 0, 2, 9, now()), ('few', 'p2', 'STD', 'Standard', 2, 0, 2, 8, null)`,
  );
  t.same([...(await reader.totalRooms('few', ['p0', 'p1']))], [['p1', 7]]);
  t.same([...(await reader.totalRooms('nobody', ['p1']))], []);
});

t.test('a tenant sees its own properties only', async (t) => {
  t.same(await reader.list('nobody', 50), { items: [] });
});

t.test('a page is answered by an index, first or later', async (t) => {
  const later = { createdAt: FIRST_CREATED + 1_500 * SPACING_MS, id: 'p1500' };
  for (const after of [undefined, later]) {
    const { indexes, scanned, sorted } = await plansOf(database, 'many', () => reader.list('many', 50, after));
    t.same({ indexes, scanned, sorted }, { indexes: ['properties_newest'], scanned: [], sorted: [] });
  }
});
