import type { Property } from '../domain/property.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Reservation } from '../domain/reservation.ts';
import type { Services } from './services.ts';

const PURPOSE = 'receipt';

/** Where a guest finds his receipt without signing in: whoever has the link has the receipt, and nothing else. */
export function receiptLink({ signed }: Pick<Services, 'signed'>, tenantId: string, reservationId: string): string {
  return `/receipts/${signed.sign(PURPOSE, `${tenantId}~${reservationId}`)}`;
}

/** @throws Refusal RESERVATION_NOT_FOUND for a link that is not ours */
export async function openReceipt(
  { signed, reservations }: Services,
  text: string,
): Promise<{ reservation: Reservation; property: Property }> {
  const [tenantId, id] = signed.open(PURPOSE, text)?.split('~') ?? [];
  const found = tenantId && id ? await reservations.get(tenantId, id) : undefined;
  if (!found) throw new Refusal('RESERVATION_NOT_FOUND', 'This link leads to no receipt.');
  return found;
}
