import type { Retention } from '../history/ports.ts';
import { foldJournal } from '../history/rules/journal-fold.ts';
import { StoredJournal } from '../history/storage/journal-archive.ts';
import { databaseRetention } from '../history/storage/retention.ts';
import type { Services } from '../kernel/operations/services.ts';
import { SignedText } from '../kernel/operations/signed-text.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { PostgresPropertyStore } from '../property-store/storage/property-store.ts';
import { databaseReservationReader } from '../stay/storage/reservation-reader.ts';
import type { JournalHistory } from './actors/journal-history.ts';
import { quiet } from './actors/running-host.ts';
import { type TestDatabase, type Teardown, withTestDatabase } from './database.ts';

/** A real database with the parts that write and read the past. */
type ArchiveWorld = {
  test: TestDatabase;
  database: Database;
  store: PostgresPropertyStore;
  archive: StoredJournal;
  retention: Retention;
  /** Dependencies of operations about the property's past; its newest view is that of the history. */
  servicesOf(history: JournalHistory): Services;
};

export async function withArchive(t: Teardown): Promise<ArchiveWorld> {
  const test = await withTestDatabase(t);
  const { url } = test;
  const database = await openDatabase(url);
  const reservations = databaseReservationReader(database);
  const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
  t.teardown(async () => {
    await store[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
  const archive = new StoredJournal(database);
  const services = {
    archive,
    computer: { run: async (_: 'foldJournal', fold: Parameters<typeof foldJournal>[0]) => foldJournal(fold) },
    log: quiet,
    signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
  };
  return {
    test,
    database,
    store,
    archive,
    retention: databaseRetention(url),
    servicesOf: ({ scene }) =>
      ({ ...services, clock: { now: () => scene.now }, properties: { view: async () => scene.view } }) as never,
  };
}
