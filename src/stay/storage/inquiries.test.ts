import t from 'tap';

import type { InquiryId } from '../../kernel/rules/ids.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import { comparable, foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { freshId, stayWish } from '../../testing/property-world.ts';
import { databaseInquiries } from './inquiries.ts';
import { databaseReservationReader } from './reservation-reader.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
const reader = databaseInquiries(database);
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

void t.test('open inquiries are loaded as they lived, and all are read within their tenant', async (t) => {
  const property = await Stored.property(store);
  const { scene, to } = property;
  const ask = (email: string) => {
    const inquiryId = freshId() as InquiryId;
    const guest = { firstName: 'Grace', lastName: 'Hopper', email };
    const inquiry = { inquiryId, guest, stay: stayWish(property.stay()), notes: 'Calls again' };
    return scene.accept({ type: 'KEEP_INQUIRY', inquiry }).inquiry;
  };
  const [first, second] = [ask('Zoe@Far.example'), ask('other@far.example')];
  scene.accept({ type: 'CLOSE_INQUIRY', inquiryId: second.inquiryId });
  t.same(await property.write().then((all) => [...new Set(all)]), ['committed']);
  t.same(comparable(await foundIn(store, to)), comparable(scene.state));

  const { tenantId, propertyId } = to;
  t.match(await reader.get(tenantId, first.inquiryId), { ...first, propertyId });
  const over = (await reader.get(tenantId, second.inquiryId))!;
  t.match(over, { status: 'CLOSED', total: second.total, quote: second.quote });
  t.notOk('guest' in over, 'without its guest');
  t.equal(await reader.get('another', first.inquiryId), undefined);
  t.match((await reader.list(to, 'CLOSED', 9)).items, [{ inquiryId: second.inquiryId }]);
  const page = await reader.list(to, undefined, 1);
  t.equal((await reader.list(to, undefined, 1, page.next)).items.length, 1);
  t.match(await reader.ofAddresses(tenantId, ['zoe@far.example', 'other@far.example']), [
    { inquiryId: first.inquiryId },
  ]);
});
