import { type FoundGuest, getGuest } from '../../guests/operations/find-guests.ts';
import { tiersOf } from '../../guests/operations/loyalty.ts';
import type { StatusEntry, DisclosedGuest, GuestNote } from '../../guests/ports.ts';
import type { LoyaltyTier } from '../../guests/rules/guest.ts';
import type { StaySurvey } from '../../guests/rules/stay-survey.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { TenantId, GuestId, ReservationId } from '../../kernel/rules/ids.ts';
import { businessDate, type Instant } from '../../kernel/rules/property-time.ts';
import type { FolioCharge } from '../../money/rules/folio.ts';
import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import { paymentsOfParty } from '../../money/rules/invoice.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { folioOf, type FolioWindowView } from '../../money/rules/postings.ts';
import { chargesOfOthers } from '../../money/rules/shared-money.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { ListedInquiry, ListedWaiting } from '../../stay/ports.ts';
import type { DeskNote } from '../../stay/rules/desk-note.ts';
import type { OnlineCheckIn } from '../../stay/rules/online-check-in.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

/** Reservations of one query. */
const PAGE = 200;

export type ExportedStay = {
  reservation: Reservation;
  property: Property;
  tier: LoyaltyTier;
  statuses: StatusEntry[];
  notifications: DisclosedGuest[];
  survey?: StaySurvey;
  invoices: InvoiceDocument[];
  /** What staff has noted about the stay. */
  notes: DeskNote[];
  onlineCheckIn?: OnlineCheckIn;
  /** Those of a shared stay are without what the sharer pays, and has paid. */
  charges: FolioCharge[];
  payments: Payment[];
};
/** A stay that the guest shares: what is of this guest, and not of who has booked it. */
export type SharedStay = {
  reservation: Reservation;
  property: Property;
  folio: FolioWindowView | undefined;
  invoices: InvoiceDocument[];
};

/** `unreadable` names the reservations of the guest that cannot be read; without any the export is whole. */
export type GuestExport = {
  at: Instant;
  guest: FoundGuest;
  /** What staff has noted about the guest. */
  notes: GuestNote[];
  stays: ExportedStay[];
  shared: SharedStay[];
  unreadable: ReservationId[];
  /** Requests with the address of the guest that are not over. */
  waiting: ListedWaiting[];
  inquiries: ListedInquiry[];
};

/**
 * Exports all stored data about a guest, merged profiles included, for the guest (docs/concepts/guests-and-erasure.md#profiles). A reservation
 * that cannot be read is named, and does not keep the others from the guest.
 * @throws DomainError GUEST_NOT_FOUND
 */
export async function exportGuest(services: Services, caller: Caller, id: GuestId): Promise<GuestExport> {
  const { tenantId, subject } = caller;
  const guest = await getGuest(services, caller, id);
  const { guestId, merged = [] } = guest.profile;
  const ids = new Set([guestId, ...merged.map((one) => one.guestId)]);
  const { reservations: all, unreadable } = await reservationsOf(services, tenantId, id);
  const properties = await propertiesOf(services, tenantId, all);
  const reservations = all.filter((reservation) => ids.has(reservation.guest.guestId));
  const { statuses, notifications } = await services.guestBook.records(tenantId, id);
  const [statusesOf, notifiedOf] = [statuses, notifications].map((all) =>
    Map.groupBy<string, StatusEntry | DisclosedGuest>(all, ({ reservationId }) => reservationId),
  ) as [Map<string, StatusEntry[]>, Map<string, DisclosedGuest[]>];
  const tierOf = await tiersOf(services, tenantId, reservations);
  services.log.info({ guestId: id, subject, unreadable }, 'guest data exported');
  const surveys = await services.surveys.ofGuest(tenantId, id);
  const documents = await services.invoices.ofReservations(
    tenantId,
    all.map((reservation) => reservation.id),
  );
  const invoicesOf = Map.groupBy(documents, ({ reservationId }) => reservationId);
  const stayNotes = await services.deskNotes.ofStays(
    tenantId,
    reservations.map((reservation) => reservation.id),
  );
  const signed = await services.stayPages.checkIns(
    tenantId,
    reservations.map((reservation) => reservation.id),
  );
  const notesOf = Map.groupBy(stayNotes, ({ reservationId }) => reservationId!);
  const stays = reservations.map((reservation) => ({
    survey: surveys.get(reservation.id),
    reservation,
    property: properties.get(reservation.propertyId)!,
    tier: tierOf(reservation),
    statuses: statusesOf.get(reservation.id) ?? [],
    notifications: notifiedOf.get(reservation.id) ?? [],
    notes: notesOf.get(reservation.id) ?? [],
    onlineCheckIn: signed.find(({ reservationId }) => reservationId === reservation.id),
    invoices: (invoicesOf.get(reservation.id) ?? []).filter(({ issuedTo }) => issuedTo.sharerId === undefined),
    charges: chargesOfOthers(reservation),
    payments: paymentsOfParty(reservation, 'REST'),
  }));
  const shared = all
    .filter((reservation) => !ids.has(reservation.guest.guestId))
    .map((reservation) => ({
      reservation,
      property: properties.get(reservation.propertyId)!,
      folio: sharersFolio(reservation, properties.get(reservation.propertyId)!, services.clock.now()),
      invoices: (invoicesOf.get(reservation.id) ?? []).filter(
        ({ issuedTo }) => issuedTo.sharerId !== undefined && ids.has(issuedTo.sharerId),
      ),
    }));
  const addresses = [guest.profile, ...merged].map(({ email }) => email).filter((address) => address !== '');
  const [waiting, inquiries] = await Promise.all([
    services.waitlist.ofAddresses(tenantId, addresses),
    services.inquiries.ofAddresses(tenantId, addresses),
  ]);
  const notes = await services.guestNotes.of(tenantId, guestId);
  return { at: services.clock.now(), guest, notes, stays, shared, unreadable, waiting, inquiries };
}

function sharersFolio(reservation: Reservation, { metadata }: Property, now: Instant): FolioWindowView | undefined {
  const { timezone, policies } = metadata;
  const dayAt = (at: Instant): Day => businessDate(at, { timezone, nightAuditHour: policies.nightAuditHour });
  return folioOf(reservation, dayAt(now), dayAt).find(({ window }) => window === 'SHARER');
}

async function reservationsOf(
  { reservations }: Services,
  tenantId: TenantId,
  guestId: GuestId,
): Promise<{ reservations: Reservation[]; unreadable: ReservationId[] }> {
  const read: { reservations: Reservation[]; unreadable: ReservationId[] } = { reservations: [], unreadable: [] };
  let after: PagePosition | undefined;
  do {
    const { items, next, unreadable = [] } = await reservations.list(tenantId, { guestId }, PAGE, after);
    read.reservations.push(...items);
    read.unreadable.push(...unreadable);
    after = next;
  } while (after);
  return read;
}

/** Properties by id, also deleted ones: each is read with one of its reservations. */
async function propertiesOf(
  { reservations }: Services,
  tenantId: TenantId,
  all: readonly Reservation[],
): Promise<Map<string, Property>> {
  const properties = new Map<string, Property>();
  for (const { id, propertyId } of all)
    if (!properties.has(propertyId)) properties.set(propertyId, (await reservations.get(tenantId, id))!.property);
  return properties;
}
