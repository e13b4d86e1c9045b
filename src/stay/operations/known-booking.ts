import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { sameStay, stayFrom } from '../../rates/rules/stay.ts';
import type { CreateBody } from '../contracts/reservations.ts';
import type { Reservation } from '../rules/reservation.ts';

/** After one of these a stay may differ from how it was booked. */
const MOVED = new Set(['MODIFIED', 'UPGRADED', 'CHECKED_IN', 'CHECKED_OUT']);

type Wanted = Pick<CreateBody, 'propertyId' | 'guestInfo' | 'stayDetails' | 'source'>;

/**
 * The reservation that a channel has booked before under the same external id (docs/reference/bookings.md#external-ids),
 * as it is now; `undefined` when there is none.
 * @throws DomainError ALREADY_EXISTS where it is for another guest or another stay
 */
export async function bookedBefore(
  services: Services,
  { tenantId }: Pick<Caller, 'tenantId'>,
  wanted: Wanted,
): Promise<Reply<{ reservation: Reservation }> | undefined> {
  const { externalId, channel } = wanted.source;
  if (externalId === undefined) return undefined;
  const { items } = await services.reservations.list(tenantId, { externalId, ...(channel && { channel }) }, 10);
  const id = items.find(({ source }) => source.channel === channel)?.id;
  const found = id === undefined ? undefined : await services.reservations.get(tenantId, id);
  if (!found) return undefined;
  const { reservation, seq } = found;
  if (isSame(reservation, wanted)) return { seq, result: { reservation }, replayed: true };
  const words = `The external id ${externalId} is that of another reservation of the channel.`;
  throw new DomainError('ALREADY_EXISTS', words, { extra: { reservationId: reservation.id } });
}

function isSame({ propertyId, guest, stay, timeline }: Reservation, wanted: Wanted): boolean {
  const { email, lastName } = wanted.guestInfo;
  const isGuest = fold(guest.email) === fold(email) && fold(guest.lastName) === fold(lastName);
  const hasMoved = timeline.some(({ event }) => MOVED.has(event));
  return propertyId === wanted.propertyId && isGuest && (hasMoved || sameStay(stay, stayFrom(wanted.stayDetails)));
}

const fold = (text: string): string => text.trim().toLowerCase();
