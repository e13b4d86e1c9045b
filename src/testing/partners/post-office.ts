import type { Delivery } from '../../kernel/ports.ts';
import { gatherNotifications } from '../../notifications/operations/collect-notifications.ts';
import type { Posting } from '../../notifications/operations/posting.ts';
import { sendNotifications } from '../../notifications/operations/send-notifications.ts';
import type { LetterTemplates, Mail, Notifications, Sms } from '../../notifications/ports.ts';
import type { NotificationChannel } from '../../notifications/rules/notification.ts';
import { databaseLetterTemplates } from '../../notifications/storage/letter-templates.ts';
import { databaseNotifications } from '../../notifications/storage/notifications.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { PostgresPropertyStore } from '../../property-store/storage/property-store.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { databaseReservationReader } from '../../stay/storage/reservation-reader.ts';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../tenants/rules/tenant.ts';
import { quiet } from '../actors/running-host.ts';
import { Stored } from '../actors/store-conformance.ts';
import { type TestDatabase, type Teardown, withTestDatabase } from '../database.ts';
import { FakeClock } from '../fake-clock.ts';
import { bookCommand, type BookingOptions } from '../property-world.ts';

/** A row of `notifications` as tests look at it. */
export type Row = { kind: string; channel: string; state: string; attempts: number; error: string | null };

/** Properties on a real database, and partners that answer as a test says and keep what they got. */
export class PostOffice {
  readonly test: TestDatabase;
  readonly notifications: Notifications;
  readonly templates: LetterTemplates;
  readonly clock = new FakeClock();
  readonly mails: Mail[] = [];
  readonly texts: Sms[] = [];
  /** What the mail server says to each; it keeps what it takes. */
  answer: (mail: Mail) => Delivery | Promise<Delivery> = () => ({ outcome: 'SENT' });
  readonly store: PostgresPropertyStore;

  private constructor(test: TestDatabase, database: Database, store: PostgresPropertyStore) {
    this.test = test;
    this.notifications = databaseNotifications(database);
    this.templates = databaseLetterTemplates(database);
    this.store = store;
  }

  static async open(t: Teardown): Promise<PostOffice> {
    const test = await withTestDatabase(t);
    const database = await openDatabase(test.url);
    const reservations = databaseReservationReader(database);
    const options = { databaseUrl: test.url, database, reservations, nodeId: 'test' };
    const store = new PostgresPropertyStore(options);
    t.teardown(async () => {
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    return new PostOffice(test, database, store);
  }

  /** What operations get; with SMS on request. */
  posting(changed: Partial<Posting> = {}): Posting {
    const mail = {
      send: async (one: Mail) => {
        const delivery = await this.answer(one);
        if (delivery.outcome === 'SENT') this.mails.push(one);
        return delivery;
      },
    };
    const settings = async (): Promise<NotificationSettings> => DEFAULT_SETTINGS.notifications;
    const letterOf = (): Promise<never> => Promise.reject(new Error('nobody mails by hand'));
    const { notifications, clock } = this;
    const { templates } = this;
    return { notifications, templates, mail, settings, letterOf, clock, log: quiet, ...changed };
  }

  withSms(): Posting {
    const sms = {
      send: async (one: Sms): Promise<Delivery> => {
        this.texts.push(one);
        return { outcome: 'SENT' };
      },
    };
    return this.posting({ sms });
  }

  /** A property that requires no payment, so that what is booked is confirmed; it lives on the clock of the office. */
  async property(tenantId: string, policies: Partial<Policies> = { paymentRequired: false }): Promise<Stored> {
    const target = await Stored.property(this.store, tenantId, this.clock.now());
    const { property } = target.scene.state;
    const metadata = { ...property!.metadata, policies: { ...property!.metadata.policies, ...policies } };
    target.scene.accept({ type: 'UPDATE_PROPERTY', property: { ...property!, metadata } });
    await write(target);
    return target;
  }

  /** A booking that is stored. */
  async booked(property: Stored, { stay = {}, ...options }: BookingOptions = {}): Promise<Reservation> {
    property.scene.pass(Math.max(0, this.clock.now() - property.scene.now));
    const { reservation } = property.scene.accept(bookCommand({ stay: { ...property.stay(), ...stay }, ...options }));
    await write(property);
    return reservation;
  }

  gather(tenantId: string, posting = this.posting()): ReturnType<typeof gatherNotifications> {
    return gatherNotifications(posting, tenantId);
  }

  /** Sends until nothing is left that is due. */
  async send(tenantId: string, channel: NotificationChannel = 'MAIL', posting = this.posting()): Promise<void> {
    const { signal } = new AbortController();
    for (;;) {
      const { taken, partner } = await sendNotifications(posting, tenantId, channel, signal);
      if (taken === 0 || partner === 'AWAY') return;
    }
  }

  async rows(tenantId: string): Promise<Row[]> {
    const { rows } = await this.test.admin.query<Row>(
      `select kind, channel, state, attempts, error from notifications where tenant_id = $1
       order by at, occasion, kind, channel, reservation_id`,
      [tenantId],
    );
    return rows;
  }

  kinds(tenantId: string): string[] {
    return this.mails.filter(({ about }) => about.tenantId === tenantId).map(({ about }) => about.kind);
  }
}

/** @throws Error when a batch was not committed */
export async function write(property: Stored): Promise<void> {
  for (const outcome of await property.write()) if (outcome !== 'committed') throw new Error(outcome);
}
