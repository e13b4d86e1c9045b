import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { LiveView, PropertyActors } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { foundIn, Stored } from '../../testing/actors/store-conformance.ts';
import { withTestDatabase } from '../../testing/database.ts';
import {
  bedCommand,
  bookCommand,
  cancelCommand,
  checkInCommand,
  modifyCommand,
  plainRoom,
} from '../../testing/property-world.ts';
import { auditProperty } from '../operations/audit-property.ts';
import { databaseInventoryAudit } from './inventory-audit.ts';
import { PostgresPropertyStore } from './property-store.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const reservations = databaseReservationReader(database);
const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
t.teardown(async () => {
  await store[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
const extraStock = { BED: 2 };

/** A stored property with a guest in house until the third morning, who has a bed since the first night. */
async function withBed() {
  const property = await Stored.property(store);
  const { scene, to } = property;
  const { today } = scene.state;
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  scene.accept({ type: 'UPDATE_PROPERTY', property: unpaid(scene.state.property!) });
  const paid = bookCommand({ stay: { checkIn: today, checkOut: today + 2 } });
  const guest = scene.accept(paid).reservation.id;
  scene.accept(checkInCommand(guest, { at: scene.now }));
  const { postingId } = scene.accept(bedCommand(guest, { quantity: 2 })).posting;
  t.same(new Set(await property.write()), new Set(['committed']));
  const violations = async () => {
    const feed = { view: scene.view as LiveView, missed: [], history: [], recent: [], close: () => undefined };
    const properties = { follow: async () => feed } as unknown as PropertyActors;
    const services = { properties, audit: databaseInventoryAudit(database) } as unknown as Services;
    const report = await auditProperty(services, { tenantId: to.tenantId } as Caller, to.propertyId);
    return report.violations.map(({ what, date, memory, stored, recomputed }) => ({
      what,
      date,
      memory,
      stored,
      recomputed,
    }));
  };
  return { property, scene, to, today, guest, postingId, violations };
}

function unpaid<P extends { metadata: { policies: object } }>(property: P): P {
  return {
    ...property,
    metadata: { ...property.metadata, policies: { ...property.metadata.policies, paymentRequired: false } },
  };
}

const nothing = { memory: undefined, stored: undefined, recomputed: undefined };

t.test('beds that stays have are stored, follow the stay, and are loaded again', async (t) => {
  const { property, scene, to, today, guest, postingId, violations } = await withBed();
  const stays = async () => (await store.committed(to)).extraStays;
  const stay = { postingId, reservationId: guest, code: 'BED', quantity: 2, firstNight: today, lastNight: today + 1 };
  t.strictSame(await stays(), [stay]);
  t.same(await violations(), []);
  scene.accept(modifyCommand(guest, { checkOut: today + 4 }, { extraStock }));
  await property.write();
  t.strictSame(await stays(), [{ ...stay, lastNight: today + 3 }]);
  scene.accept(modifyCommand(guest, { checkOut: today + 1 }, { extraStock }));
  await property.write();
  t.strictSame(await stays(), [{ ...stay, lastNight: today }]);
  t.same(await violations(), [], 'memory, rows and folios are one');
  const other = scene.accept(bookCommand({ stay: { checkIn: today + 5, checkOut: today + 6 } })).reservation.id;
  scene.accept(bedCommand(other));
  scene.accept(cancelCommand(other));
  t.same(new Set(await property.write()), new Set(['committed']), 'taken and given back at once');
  t.equal((await stays()).length, 1);
  t.strictSame([...(await foundIn(store, to)).extraStays], [[postingId, { ...stay, lastNight: today }]]);
});

t.test('the audit finds rows that differ from memory, and folios that differ from rows', async (t) => {
  const { scene, today, postingId, violations } = await withBed();
  const date = (days: number) => new Date((today + days) * 86_400_000).toISOString().slice(0, 10);
  const differs = 'extra BED differs from the postings of folios';
  await admin.query('update extra_stays set quantity = 1 where posting_id = $1', [postingId]);
  t.same(await violations(), [
    { ...nothing, what: differs, date: date(0), stored: 1, recomputed: 2 },
    { ...nothing, what: differs, date: date(1), stored: 1, recomputed: 2 },
    { ...nothing, what: 'extra BED in memory differs', date: date(0), memory: 4, stored: 2 },
  ]);
  await admin.query('update extra_stays set quantity = 2 where posting_id = $1', [postingId]);
  t.same(await violations(), []);
  scene.state = { ...scene.state, extraStays: new Map() };
  t.same(await violations(), [
    { ...nothing, what: 'extra BED in memory differs', date: date(0), memory: 0, stored: 4 },
  ]);
});

t.test('rows that release 0.1.0 has left of stays that are over count no more', async (t) => {
  const { to, guest, violations, scene } = await withBed();
  const left = `update reservations set status = 'CHECKED_OUT', status_key = $2 where id = $1`;
  await admin.query(left, [guest, statusKey('CHECKED_OUT')]);
  t.same((await store.committed(to)).extraStays, []);
  scene.state = { ...scene.state, extraStays: new Map() };
  t.same(
    (await violations()).filter(({ what }) => what.includes('extra')),
    [],
  );
});

t.test('the database refuses no piece, and nights in the wrong order', async (t) => {
  const { postingId } = await withBed();
  const change = (set: string) => admin.query(`update extra_stays set ${set} where posting_id = $1`, [postingId]);
  await t.rejects(change('quantity = 0'), { code: '23514' });
  await t.rejects(change('last_night = first_night - 1'), { code: '23514' });
});
