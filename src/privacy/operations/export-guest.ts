import { type FoundGuest, getGuest } from '../../guests/operations/find-guests.ts';
import { tiersOf } from '../../guests/operations/loyalty.ts';
import type { StatusEntry, DisclosedGuest } from '../../guests/ports.ts';
import type { LoyaltyTier } from '../../guests/rules/guest.ts';
import type { StaySurvey } from '../../guests/rules/stay-survey.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { TenantId, GuestId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import type { Property } from '../../properties/rules/property.ts';
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
};
export type GuestExport = { at: Instant; guest: FoundGuest; stays: ExportedStay[] };

/**
 * Exports all stored data about a guest, for the guest (docs/concepts/guests-and-erasure.md#profiles).
 * @throws DomainError GUEST_NOT_FOUND
 */
export async function exportGuest(services: Services, caller: Caller, id: GuestId): Promise<GuestExport> {
  const { tenantId, subject } = caller;
  const guest = await getGuest(services, caller, id);
  const reservations = await reservationsOf(services, tenantId, id);
  const properties = await propertiesOf(services, tenantId, reservations);
  const { statuses, notifications } = await services.guestBook.records(tenantId, id);
  const [statusesOf, notifiedOf] = [statuses, notifications].map((all) =>
    Map.groupBy<string, StatusEntry | DisclosedGuest>(all, ({ reservationId }) => reservationId),
  ) as [Map<string, StatusEntry[]>, Map<string, DisclosedGuest[]>];
  const tierOf = await tiersOf(services, tenantId, reservations);
  services.log.info({ guestId: id, subject }, 'guest data exported');
  const surveys = await services.surveys.ofGuest(tenantId, id);
  const documents = await services.invoices.ofReservations(
    tenantId,
    reservations.map((reservation) => reservation.id),
  );
  const invoicesOf = Map.groupBy(documents, ({ reservationId }) => reservationId);
  const stays = reservations.map((reservation) => ({
    survey: surveys.get(reservation.id),
    reservation,
    property: properties.get(reservation.propertyId)!,
    tier: tierOf(reservation),
    statuses: statusesOf.get(reservation.id) ?? [],
    notifications: notifiedOf.get(reservation.id) ?? [],
    invoices: invoicesOf.get(reservation.id) ?? [],
  }));
  return { at: services.clock.now(), guest, stays };
}

async function reservationsOf(
  { reservations }: Services,
  tenantId: TenantId,
  guestId: GuestId,
): Promise<Reservation[]> {
  const all: Reservation[] = [];
  let after: PagePosition | undefined;
  do {
    const { items, next, unreadable = [] } = await reservations.list(tenantId, { guestId }, PAGE, after);
    // An export that is not whole must not look as if it were.
    if (unreadable.length > 0) throw new Error(`reservations that cannot be read: ${unreadable.join(', ')}`);
    all.push(...items);
    after = next;
  } while (after);
  return all;
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
