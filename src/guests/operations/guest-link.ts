import type { Services } from '../../kernel/operations/services.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { localTime } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';

/** Pages for guests, who have a link and no account; a link opens only its own page. */
const PATHS = { receipt: '/receipts', survey: '/survey' } as const;

type GuestPage = keyof typeof PATHS;

/**
 * Days for which a link is valid. Links expire because they remain in mailboxes and browser histories: a receipt after
 * the tax return of the year of the stay, a survey once its answer no longer says how the property is run.
 */
const VALID_DAYS = { receipt: 400, survey: 30 } as const satisfies Record<GuestPage, number>;

type Stayed = Pick<Reservation, 'id' | 'stay' | 'checkOut'>;

/**
 * Link to a guest's page that works without signing in: the link is the credential until it expires. Without a public
 * URL it is a path of the reservation service.
 */
export function guestLink(
  { signed, clock, publicUrl = '' }: Pick<Services, 'signed' | 'clock'> & Partial<Pick<Services, 'publicUrl'>>,
  page: GuestPage,
  tenantId: TenantId,
  reservation: Stayed,
): string {
  const today = localTime(clock.now(), 'UTC').day;
  const left = departureOf(reservation);
  // A receipt may be requested years later and then gets a fresh link; a survey is about the stay.
  const from = page === 'receipt' ? Math.max(left, today) : left;
  const signature = signed.sign(page, `${tenantId}~${reservation.id}~${from + VALID_DAYS[page]}`);
  return `${publicUrl}${PATHS[page]}/${signature}`;
}

/** Links to the documents of a stay, and to its survey. */
export type StayLinks = { receiptUrl: string; invoiceUrl: string; surveyUrl: string };

/** Links that a check-out returns: pages for the guest, and the invoice for its recipient. */
export function stayLinks(
  services: Parameters<typeof guestLink>[0],
  tenantId: TenantId,
  reservation: Stayed,
): StayLinks {
  return {
    receiptUrl: guestLink(services, 'receipt', tenantId, reservation),
    invoiceUrl: `${services.publicUrl ?? ''}/api/v1/reservations/${reservation.id}/invoice`,
    surveyUrl: guestLink(services, 'survey', tenantId, reservation),
  };
}

/** A stay whose page a link opens. */
export type OpenedByGuest = { tenantId: TenantId; reservation: Reservation; property: Property };

/** @throws DomainError RESERVATION_NOT_FOUND for a link of another service or page, LINK_EXPIRED */
export async function openGuestLink(
  { signed, reservations, clock }: Pick<Services, 'signed' | 'reservations' | 'clock'>,
  page: GuestPage,
  text: string,
): Promise<OpenedByGuest> {
  const [tenantId, id, lastDay] = signed.open(page, text)?.split('~') ?? [];
  const found = tenantId && id ? await reservations.get(tenantId, id) : undefined;
  if (!tenantId || !found) throw new DomainError('RESERVATION_NOT_FOUND', `This link leads to no ${page}.`);
  const { reservation, property } = found;
  // Links of earlier releases have no expiry day: they expire as if they had been made at departure.
  const expires = lastDay === undefined ? departureOf(reservation) + VALID_DAYS[page] : Number(lastDay);
  if (localTime(clock.now(), 'UTC').day > expires)
    throw new DomainError('LINK_EXPIRED', `This link to a ${page} was valid until ${formatDay(expires)}.`);
  return { tenantId, reservation, property };
}

/** Actual or planned departure day in UTC. */
function departureOf({ stay, checkOut }: Stayed): Day {
  return checkOut ? localTime(checkOut.at, 'UTC').day : stay.checkOut;
}
