import type { Property } from '../domain/property.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Reservation } from '../domain/reservation.ts';
import type { Services } from './services.ts';

/** Pages for guests, who have a link and no account; each link opens its own page and nothing else. */
const PATHS = { receipt: '/receipts', survey: '/survey' } as const;

export type GuestPage = keyof typeof PATHS;

/** Where a guest finds his page without signing in: whoever has the link has the page. */
export function guestLink(
  { signed }: Pick<Services, 'signed'>,
  page: GuestPage,
  tenantId: string,
  reservationId: string,
): string {
  return `${PATHS[page]}/${signed.sign(page, `${tenantId}~${reservationId}`)}`;
}

/** @throws Refusal RESERVATION_NOT_FOUND for a link that is not ours, or is for another page */
export async function openGuestLink(
  { signed, reservations }: Pick<Services, 'signed' | 'reservations'>,
  page: GuestPage,
  text: string,
): Promise<{ tenantId: string; reservation: Reservation; property: Property }> {
  const [tenantId, id] = signed.open(page, text)?.split('~') ?? [];
  const found = tenantId && id ? await reservations.get(tenantId, id) : undefined;
  if (!tenantId || !found) throw new Refusal('RESERVATION_NOT_FOUND', `This link leads to no ${page}.`);
  return { tenantId, reservation: found.reservation, property: found.property };
}
