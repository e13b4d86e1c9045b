import type { CommandType } from '../../kernel/rules/commands.ts';
import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import { type Booking, type BookingFact, bookingsOf, type Facts } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { StoredPropertyRow } from '../../platform/database/entities/properties.ts';
import type { ReservationRow } from '../../platform/database/entities/reservations.ts';
import type { Property } from '../../properties/rules/property.ts';
import { toProperty } from '../../properties/storage/property-row.ts';
import type { WaitlistDocument, WaitlistEntry } from '../../stay/rules/waitlist.ts';
import { toReservation } from '../../stay/storage/reservation-row.ts';
import type {
  DeliveryAttempt,
  NotificationMatter,
  Notifications,
  OfferMatter,
  UnreadJournal,
  WaitingNotification,
} from '../ports.ts';
import type { ArrivalClock } from '../rules/notification.ts';
import { isStayMail, type StayMail } from '../rules/stay-mail.ts';
import * as sql from './notification-sql.ts';
import { readMails } from './stay-mails.ts';

type UnreadRow = {
  propertyId: PropertyId;
  newest: number;
  seq: number | null;
  at: Instant;
  type: CommandType;
  entity: string;
} & {
  bookings: BookingFact[] | null;
  setup: Facts['setup'] | null;
};
type NotifiedRow = {
  place: number;
  entity: string;
  bookings: BookingFact[] | null;
  setup: Facts['setup'] | null;
};
type LanguageRow = { reservationId: string; language: string | null };
type NameRow = { propertyId: PropertyId; roomType: string; name: string };

/** Notifications in PostgreSQL, within their tenant. */
export function databaseNotifications(database: Database): Notifications {
  const ask = async <Row>(tenantId: TenantId, text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.readAtOnce(tenantId, [text, ...values]))[0] as Row[];
  const write = async <Row>(tenantId: TenantId, text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.writeAtOnce(tenantId, [text, ...values]))[0] as Row[];
  return {
    async unread(tenantId, after = '') {
      return unreadOf(await ask<UnreadRow>(tenantId, sql.UNREAD, [after]));
    },
    async take(tenantId, read, notifications) {
      const add = [sql.ADD_NOTIFICATION, JSON.stringify(notifications)] as const;
      const move = [sql.MOVE_ON, JSON.stringify(read)] as const;
      await database.writeAtOnce(tenantId, ...(notifications.length > 0 ? [add, move] : [move]));
    },
    skip: async (tenantId) => void (await write(tenantId, sql.SKIP)),
    clocks: (tenantId) => ask<ArrivalClock>(tenantId, sql.CLOCKS),
    async remind(tenantId, { timezone, checkInTime }, { day, since }, now, channels) {
      const when = [day, now, now, JSON.stringify(channels), timezone, checkInTime, day, since, day];
      return (await write(tenantId, sql.REMIND, when)).length;
    },
    lease: (tenantId, channel, now, until, limit) =>
      write<WaitingNotification>(tenantId, sql.LEASE, [channel, now, limit, until]),
    read: (tenantId, waiting) => matters(database, tenantId, waiting),
    async begin(tenantId, waiting, until) {
      const begun = await write<{ place: number }>(tenantId, sql.BEGIN, [until, given(waiting)]);
      return new Set(begun.map(({ place }) => place));
    },
    recordOutcome: async (tenantId, attempted) => void (await write(tenantId, sql.SETTLE, [given(attempted)])),
    giveUp: async (tenantId, now, forgetAt) => (await write(tenantId, sql.GIVE_UP, [forgetAt, now])).length,
    forget: async (tenantId, now) => (await write(tenantId, sql.FORGET, [now])).length,
  };
}

/** JSON for the statements: members are named as the columns. */
function given(list: readonly (WaitingNotification | DeliveryAttempt)[]): string {
  return JSON.stringify(
    list.map(({ propertyId, reservationId, ...rest }, place) => {
      const { dueAt, sentAt, ...same } = { dueAt: undefined, sentAt: undefined, ...rest };
      return {
        ...same,
        place,
        property_id: propertyId,
        reservation_id: reservationId,
        due_at: dueAt,
        sent_at: sentAt,
      };
    }),
  );
}

function unreadOf(found: readonly UnreadRow[]): UnreadJournal[] {
  return [...Map.groupBy(found, ({ propertyId }) => propertyId)].map(([propertyId, page]) => {
    const read = page.filter((row): row is UnreadRow & { seq: number } => row.seq !== null);
    const entries = read.map(({ seq, at, type, entity, bookings, setup }) => ({
      seq,
      at,
      type,
      entity,
      facts: { bookings: bookings ?? undefined, setup: setup ?? undefined },
    }));
    return { propertyId, entries, seq: entries.at(-1)?.seq ?? page[0]!.newest, more: entries.length === sql.FULL };
  });
}

/** Read at once for all; each one is built by itself, so that it can fail alone. */
async function matters(
  database: Database,
  tenantId: TenantId,
  waiting: readonly WaitingNotification[],
): Promise<((() => NotificationMatter | OfferMatter | StayMail) | undefined)[]> {
  const ids = JSON.stringify([...new Set(waiting.map(({ reservationId }) => reservationId))]);
  const targets = JSON.stringify([...new Set(waiting.map(({ propertyId }) => propertyId))]);
  const [reservations, properties, found, names, languages] = (await database.readAtOnce(
    tenantId,
    [sql.RESERVATIONS, ids],
    [sql.NOTIFIED_PROPERTIES, targets],
    [sql.NOTIFIED_ROWS, given(waiting)],
    [sql.ROOM_TYPES, targets],
    [sql.PROFILE_LANGUAGES, ids],
  )) as [ReservationRow[], StoredPropertyRow[], NotifiedRow[], NameRow[], LanguageRow[]];
  // Both are rare.
  const hasOffers = waiting.some(({ kind }) => kind === 'WAITLIST_OFFER');
  const offers = hasOffers ? ((await database.readAtOnce(tenantId, [sql.WAITING, ids]))[0] as WaitingRow[]) : [];
  const ordered = found.flatMap(({ setup }) => setup?.map(({ id }) => id) ?? []);
  const mails = ordered.length > 0 ? await readMails(database, tenantId, ordered) : [];
  return waiting.map((one, place) => {
    if (isStayMail(one.kind)) {
      const row = found.find((candidate) => candidate.place === place);
      const mail = mails.find(({ mailId }) => row?.setup?.some(({ id }) => id === mailId));
      return mail && (() => mail);
    }
    const reservation = reservations.find(({ id }) => id === one.reservationId);
    const property = properties.find(({ property_id: id }) => id === one.propertyId);
    if (one.kind === 'WAITLIST_OFFER') {
      const offer = offers.find(({ waitlistId }) => waitlistId === one.reservationId);
      return offer && property && (() => offerMatter({ offer, property, names }));
    }
    if (!reservation || !property) return undefined;
    const row = found.find((candidate) => candidate.place === place);
    if (!row && one.kind !== 'REMINDER') return undefined;
    const language =
      languages.find(({ reservationId }) => reservationId === one.reservationId)?.language ?? undefined;
    return () => matterOf(one, { reservation, property, row, names, language });
  });
}

type WaitingRow = Omit<WaitlistEntry, keyof WaitlistDocument> & { details: WaitlistDocument };

function offerMatter({
  offer: { details, ...offer },
  names,
  ...found
}: Pick<Found, 'property' | 'names'> & { offer: WaitingRow }): OfferMatter {
  const property = toProperty(found.property);
  return { waiting: { ...offer, ...details }, property, roomType: nameOf(names, property, details.stay.roomType) };
}

/** Name of a room type; its code where the type is gone. */
function nameOf(names: readonly NameRow[], { propertyId }: Pick<Property, 'propertyId'>, code: string): string {
  return names.find((name) => name.propertyId === propertyId && name.roomType === code)?.name ?? code;
}

type Found = {
  reservation: ReservationRow;
  property: StoredPropertyRow;
  row?: NotifiedRow;
  names: readonly NameRow[];
  language?: string;
};

function matterOf(
  { reservationId }: WaitingNotification,
  { row, names, language, ...found }: Found,
): NotificationMatter {
  const reservation = toReservation(found.reservation, []);
  const property = toProperty(found.property);
  let booking: Booking | undefined;
  if (row) {
    const bookings = bookingsOf({ entity: row.entity, facts: { bookings: row.bookings ?? [] } });
    booking = bookings.find((one) => one.reservationId === reservationId);
    if (!booking) throw new Error(`the journal row does not name reservation ${reservationId}`);
  }
  const code = booking?.roomType ?? reservation.stay.roomType;
  return { booking, reservation, property, roomType: nameOf(names, property, code), language };
}
