import type { Client } from 'pg';

import { Host } from '../../actors/host.ts';
import { StoredGuestBook } from '../guests/storage/guest-book.ts';
import { databaseGuestNotes } from '../guests/storage/guest-notes.ts';
import { StoredGuests } from '../guests/storage/guests.ts';
import { databaseImports } from '../imports/storage/imports.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { Command } from '../kernel/rules/commands.ts';
import { MemoryMailbox } from '../notifications/partners/memory-mailbox.ts';
import { databaseStayMails } from '../notifications/storage/stay-mails.ts';
import { openDatabase } from '../platform/database/database.ts';
import { StoredGuestErasure } from '../privacy/storage/guest-erasure.ts';
import { PostgresPropertyStore } from '../property-store/storage/property-store.ts';
import { databaseDeskNotes } from '../stay/storage/desk-notes.ts';
import { databaseInquiries } from '../stay/storage/inquiries.ts';
import { databaseReservationReader } from '../stay/storage/reservation-reader.ts';
import { databaseStayPages } from '../stay/storage/stay-pages.ts';
import { databaseWaitlist } from '../stay/storage/waitlist.ts';
import { quiet } from './actors/running-host.ts';
import { withTestDatabase } from './database.ts';
import { FakeClock } from './fake-clock.ts';
import { TestFrontDesk } from './front-desk.ts';
import { envelope, PROPERTY_ID, plainRoom, settingUp } from './property-world.ts';

type Test = Parameters<typeof TestFrontDesk.open>[0] & Parameters<typeof withTestDatabase>[0];

type Made = {
  desk: TestFrontDesk;
  clock: FakeClock;
  url: string;
  admin: Client;
  parts: Partial<Services>;
  fresh: () => Host;
};

/** A front desk over a real database, for tests over all stored data. */
export class GuestWorld {
  readonly outbox: MemoryMailbox;
  readonly desk: TestFrontDesk;
  readonly services: Services;
  readonly clock: FakeClock;
  readonly url: string;
  readonly admin: Client;
  readonly #fresh: () => Host;
  #host: Host;

  private constructor({ desk, clock, url, admin, parts, fresh }: Made) {
    this.desk = desk;
    this.clock = clock;
    this.url = url;
    this.admin = admin;
    this.outbox = new MemoryMailbox(clock);
    this.#fresh = fresh;
    this.#host = fresh();
    this.services = {
      ...desk.services,
      ...parts,
      clock,
      outbox: this.outbox,
      properties: {
        forgetRates: async () => 0,
        views: (...args) => this.#host.views(...args),
        execute: (to, one) => this.#host.execute(to, one),
        view: (to) => this.#host.view(to),
        follow: (...what) => this.#host.follow(...what),
      },
    };
  }

  static async open(t: Test): Promise<GuestWorld> {
    const { admin, url } = await withTestDatabase(t);
    const database = await openDatabase(url);
    const reservations = databaseReservationReader(database);
    const guests = new StoredGuests(database, [{ id: 'k1', secret: new Uint8Array(32).fill(7) }]);
    const store = new PostgresPropertyStore({ databaseUrl: url, database, reservations, nodeId: 'test' });
    const clock = new FakeClock();
    const hosts: Host[] = [];
    t.teardown(async () => {
      for (const host of hosts) await host[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    const guestBook = new StoredGuestBook(database);
    const guestErasure = new StoredGuestErasure(database);
    const parts = {
      reservations,
      guests,
      guestBook,
      guestNotes: databaseGuestNotes(database),
      guestErasure,
      waitlist: databaseWaitlist(database),
      inquiries: databaseInquiries(database),
      deskNotes: databaseDeskNotes(database),
      stayMails: databaseStayMails(database),
      stayPages: databaseStayPages(database),
      imports: databaseImports(database, () => Promise.resolve(admin)),
    };
    const fresh = (): Host => {
      const host = new Host({ store, clock, log: quiet, lanes: 2, mayOwn: () => true });
      hosts.push(host);
      return host;
    };
    return new GuestWorld({ desk: await TestFrontDesk.open(t), clock, url, admin, parts, fresh });
  }

  /** Another owner of the same rows, as after a restart. */
  crash(): void {
    this.#host = this.#fresh();
  }

  async property(propertyId: string): Promise<void> {
    const rooms = [plainRoom('101'), plainRoom('102')];
    const commands: Command[] = [...settingUp({ propertyId }), { type: 'PUT_ROOMS', rooms, mode: 'create' }];
    for (const command of commands) await this.#host.execute({ ...PROPERTY_ID, propertyId }, envelope(command));
  }

  /** Stores a check-in online. */
  signOnline(reservationId: string, propertyId: string, signedName: string): Promise<void> {
    const signed = { arrivalTime: '18:30', signedName, signedAt: this.clock.now() };
    return this.services.stayPages.checkIn(PROPERTY_ID.tenantId, { reservationId, propertyId }, signed);
  }

  /** Columns of all tables that contain a text. */
  async whereStands(text: string): Promise<string[]> {
    const { rows } = await this.admin.query<{ table: string }>(`
      select format('%I.%I', n.nspname, c.relname) as table
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
        and n.nspname not like 'pg_toast%' order by 1`);
    const found: string[] = [];
    for (const { table } of rows) {
      const places = await this.admin.query<{ place: string }>(
        `select distinct m.key as place from ${table} x, jsonb_each(to_jsonb(x)) m where strpos(lower(m.value::text), $1) > 0`,
        [text.toLowerCase()],
      );
      found.push(...places.rows.map(({ place }) => `${table}.${place}`));
    }
    return found;
  }
}
