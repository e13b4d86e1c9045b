import t from 'tap';

import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { databaseQuoteCounts } from './quote-counts.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());

void t.test('counts of several minutes that waited for the database are added up', async (t) => {
  const { tenantId, propertyId } = await storedProperty(admin, 'tenant-1');
  const store = databaseQuoteCounts(database);
  const cell = { propertyId, roomType: 'STD', arrival: 20_500, lead: 3, nights: 2, ratio: 10, market: 0 };
  await store(tenantId, [
    { ...cell, shown: 2, booked: 0 },
    { ...cell, roomType: 'DLX', shown: 1, booked: 0 },
    { ...cell, shown: 3, booked: 1 },
  ]);
  await store(tenantId, [{ ...cell, shown: 1, booked: 0 }]);
  const { rows } = await admin.query<object>(
    'select room_type, shown, booked from quote_counts where tenant_id = $1 order by room_type',
    [tenantId],
  );
  t.same(rows, [
    { room_type: 'DLX', shown: 1, booked: 0 },
    { room_type: 'STD', shown: 6, booked: 1 },
  ]);
});
