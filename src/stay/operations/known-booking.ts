import { foldKey } from '../../guests/rules/guest-keys.ts';
import { type ClientKey, isAnswered } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { BookingId } from '../../kernel/rules/ids.ts';
import { sameStay, stayFrom } from '../../rates/rules/stay.ts';
import type { CreateBody } from '../contracts/reservations.ts';
import type { Reservation } from '../rules/reservation.ts';

/** Reservations of one booking, at most. */
const MAX_ROOMS = 100;

/** After one of these a stay may differ from how it was booked. */
const MOVED = new Set(['MODIFIED', 'UPGRADED', 'CHECKED_IN', 'CHECKED_OUT']);

type Wanted = Pick<CreateBody, 'propertyId' | 'guestInfo' | 'stayDetails' | 'source'>;
/** The first room of a booking, and the others where there are several. */
export type Booked = { reservation: Reservation; others?: Reservation[] };

/** `isKnown`: the channel has made it before, under the same external id. */
export type Created<T = Booked> = Reply<T> & { isKnown?: true };

/**
 * Books unless the channel has booked the same before under its external id (docs/reference/bookings.md#external-ids).
 * A request under an idempotency key that is on record gets the answer of that. Of two requests at the same moment the
 * second one finds out at its commit.
 * @param rooms of a booking of several rooms, all of them; otherwise one
 * @throws DomainError ALREADY_EXISTS where the id is that of another guest, stay or number of rooms
 */
export async function onceForChannel(
  services: Services,
  caller: Caller,
  rooms: readonly Wanted[],
  { key, isBooking }: { key: ClientKey | undefined; isBooking: boolean },
  create: () => Promise<Created>,
): Promise<Created> {
  const { externalId } = rooms[0]!.source;
  if (externalId === undefined) return create();
  const isRepeat = await isAnswered(services, caller, key);
  const before = isRepeat ? undefined : await bookedBefore(services, caller, rooms, isBooking);
  if (before) return before;
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof DomainError) || error.details.extra?.reason !== 'external-id-taken') throw error;
    const first = await bookedBefore(services, caller, rooms, isBooking);
    if (!first) throw error;
    return first;
  }
}

/** The reservations of a booking in the order of its rooms, as they are now. */
export async function reservationsOf(
  services: Services,
  { tenantId }: Pick<Caller, 'tenantId'>,
  bookingId: BookingId,
): Promise<Reservation[]> {
  return (await services.reservations.list(tenantId, { bookingId }, MAX_ROOMS)).items.toReversed();
}

async function bookedBefore(
  services: Services,
  caller: Pick<Caller, 'tenantId'>,
  rooms: readonly Wanted[],
  isBooking: boolean,
): Promise<Created | undefined> {
  const { externalId, channel } = rooms[0]!.source;
  const filter = { externalId: externalId!, ...(channel && { channel }) };
  const { items } = await services.reservations.list(caller.tenantId, filter, MAX_ROOMS);
  const id = items.find(({ source }) => source.channel === channel)?.id;
  const found = id === undefined ? undefined : await services.reservations.get(caller.tenantId, id);
  if (!found) return undefined;
  const { reservation, seq } = found;
  const { bookingId } = reservation;
  const all = bookingId === undefined ? [reservation] : await reservationsOf(services, caller, bookingId);
  const isSame =
    isBooking === (bookingId !== undefined) &&
    all[0]?.id === reservation.id &&
    all.length === rooms.length &&
    all.every((one, index) => isRoom(one, rooms[index]!));
  if (isSame) {
    const [, ...others] = all;
    const result = { reservation, ...(isBooking && { others }) };
    return { seq, result, replayed: true, isKnown: true };
  }
  const words = `The external id ${externalId} is that of another reservation of the channel.`;
  throw new DomainError('ALREADY_EXISTS', words, { extra: { reservationId: reservation.id } });
}

function isRoom({ propertyId, guest, stay, timeline }: Reservation, wanted: Wanted): boolean {
  const { firstName, lastName, email } = wanted.guestInfo;
  // The desk may have corrected a name since.
  const names = new Set([guest.firstName, guest.lastName, ...(guest.former ?? [])].map(foldKey));
  const isSameName = names.has(foldKey(lastName)) && (email !== '' || names.has(foldKey(firstName)));
  const isGuest = foldKey(guest.email) === foldKey(email) && isSameName;
  const hasMoved = timeline.some(({ event }) => MOVED.has(event));
  return propertyId === wanted.propertyId && isGuest && (hasMoved || sameStay(stay, stayFrom(wanted.stayDetails)));
}
