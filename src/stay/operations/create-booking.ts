import { v7 as uuidv7 } from 'uuid';

import { tiersOf } from '../../guests/operations/loyalty.ts';
import type { LoyaltyTier } from '../../guests/rules/guest.ts';
import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { claim, type ClientKey, send, withFreshNames } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { BookingRequest } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { BookingId } from '../../kernel/rules/ids.ts';
import { daysUntil, departureOf } from '../../kernel/rules/stay-days.ts';
import { pay, type PaidBy } from '../../money/operations/pay-booking.ts';
import { takeCard } from '../../money/operations/take-card.ts';
import type { BookingBody, CreateBody } from '../contracts/reservations.ts';
import type { Reservation } from '../rules/reservation.ts';
import {
  bookingRequests,
  cardOf,
  cardGuarantee,
  isStarted,
  mustKnowCompany,
  expectedGuarantee,
} from './create-reservation.ts';
import { countBooked } from './holds/count-booked.ts';
import { countingRejections, quotaOf } from './holds/hold-quota.ts';
import { type Booked, type Created, onceForChannel, reservationsOf } from './known-booking.ts';

/**
 * Books several rooms, all of them or none (docs/reference/bookings.md#several-rooms): one commit holds them, one charge
 * pays for them, and a second commit confirms or releases them.
 * @returns the reservations, in the order of the rooms
 * @throws DomainError as a reservation, with the number of the room in `room`
 */
export async function createBooking(
  services: Services,
  caller: Caller,
  body: BookingBody,
  key?: ClientKey,
): Promise<Created<Reservation[]>> {
  const rooms = roomsOf(body);
  const reply = await oneAtATime(caller, key, () =>
    onceForChannel(services, caller, rooms, { key, isBooking: true }, () =>
      create(services, caller, body, rooms, key),
    ),
  );
  const { reservation, others } = reply.result;
  // One that the reconciler has confirmed meanwhile is read.
  const isWhole = others !== undefined || rooms.length === 1;
  const result = isWhole
    ? [reservation, ...(others ?? [])]
    : await reservationsOf(services, caller, reservation.bookingId!);
  return { ...reply, result };
}

/** The reservations of a booking, as they are now. @throws DomainError RESERVATION_NOT_FOUND */
export async function getBooking(
  services: Services,
  caller: Caller,
  bookingId: BookingId,
): Promise<{ reservations: Reservation[]; tierOf: (reservation: Reservation) => LoyaltyTier }> {
  const reservations = await reservationsOf(services, caller, bookingId);
  if (reservations.length === 0) throw new DomainError('RESERVATION_NOT_FOUND', 'There is no such booking.');
  return { reservations, tierOf: await tiersOf(services, caller.tenantId, reservations) };
}

async function create(
  services: Services,
  caller: Caller,
  { propertyId, stayDetails: { maxTotal } }: BookingBody,
  rooms: readonly CreateBody[],
  key: ClientKey | undefined,
): Promise<Reply<Booked>> {
  const to = { tenantId: caller.tenantId, propertyId };
  const view = await services.properties.view(to);
  const reply = await bookOrStart(services, caller, { to, view, maxTotal, rooms }, key);
  if (!reply.replayed) countBooked(services, to, view, rooms);
  return reply;
}

type Rooms = { to: Address; view: PropertyView; maxTotal: number | undefined; rooms: readonly CreateBody[] };

async function bookOrStart(
  services: Services,
  caller: Caller,
  { to, view, maxTotal, rooms }: Rooms,
  key: ClientKey | undefined,
): Promise<Reply<Booked>> {
  for (const room of rooms) await mustKnowCompany(services, view, caller, room);
  const card = cardOf(rooms[0]!);
  const secured = rooms.map((room) => expectedGuarantee(view, room));
  const isCharged = card !== undefined && secured.some((room) => room.isCharged);
  // A card that is not charged for a room guarantees it.
  const isTaken = card !== undefined && secured.some((room) => !room.isCharged);
  const takenCard = isTaken ? await takeCard(services, to, card.cardToken) : undefined;
  const requests = async (): Promise<BookingRequest[]> => {
    const bookingId = uuidv7();
    const all = await bookingRequests(services, caller, to, rooms, takenCard);
    return all.map((booking) => ({ ...booking, bookingId }));
  };
  if (isCharged) {
    const started = await withFreshNames(async () =>
      start(services, caller, to, await requests(), { card, maxTotal, key }),
    );
    const { result } = started;
    if (!isStarted(result)) return { ...started, result };
    return pay(services, caller, to, result, card, key && { ...key, ref: result.holdId });
  }
  const quota = secured.some(({ mayWait }) => mayWait) ? await quotaOf(services, caller, to, true) : undefined;
  return countingRejections(services, () =>
    withFreshNames(async () => {
      const guarantee = await cardGuarantee(services, to, rooms[0]!);
      const command: CommandOf<'BOOK_ROOMS'> = {
        type: 'BOOK_ROOMS',
        rooms: (await requests()).map((booking) => ({ booking, pendingPaymentId: uuidv7() })),
        ...(maxTotal !== undefined && { maxTotal }),
        ...(guarantee && { guarantee }),
        ...(quota && { quota }),
      };
      return send(services, caller, to, command, claim(key, command.rooms[0]!.booking.reservationId));
    }),
  );
}

type Paying = { card: PaidBy; maxTotal: number | undefined; key: ClientKey | undefined };

/** First commit, as for one room. */
async function start(
  services: Services,
  caller: Caller,
  to: Address,
  requests: readonly BookingRequest[],
  { card, maxTotal, key }: Paying,
): Promise<Reply<CommandResults['START_ROOMS'] | Booked>> {
  const rooms = requests.map((booking) => ({ booking, holdId: uuidv7(), paymentId: uuidv7() }));
  const command: CommandOf<'START_ROOMS'> = {
    type: 'START_ROOMS',
    rooms,
    attempt: {
      paymentId: uuidv7(),
      type: 'CHARGE',
      amount: 0,
      method: card.method,
      status: 'PROCESSING',
      createdAt: services.clock.now(),
    },
    ...(maxTotal !== undefined && { maxTotal }),
  };
  return send(services, caller, to, command, claim(key, rooms[0]!.holdId));
}

/** The bodies with which each room would be booked alone. */
function roomsOf({ rooms, guestInfo, stayDetails, specialRequests, ...body }: BookingBody): CreateBody[] {
  const { maxTotal: _ofAll, rateCode, promoCode, ...stay } = stayDetails;
  const { externalId } = body.source;
  return rooms.map(
    (
      {
        ratePlan,
        quoteToken,
        guestInfo: guest,
        specialRequests: own,
        companions,
        sharer,
        roomWishes,
        checkIn,
        checkOut,
        ...party
      },
      index,
    ) => ({
      ...body,
      ...(companions && { companions }),
      ...(sharer && { sharer }),
      ...(roomWishes && { roomWishes }),
      guestInfo: guest ?? guestInfo,
      stayDetails: {
        ...daysUntil(checkIn ?? stay.checkIn, checkOut ?? departureOf(stay)),
        ...party,
        rateCode: ratePlan ?? rateCode,
        ...(quoteToken !== undefined && { quoteToken }),
        ...(promoCode !== undefined && { promoCode }),
      },
      specialRequests: own ?? specialRequests,
      // The id of the channel is that of the booking: each is there once, so the others are numbered.
      source: {
        ...body.source,
        ...(index > 0 && externalId !== undefined && { externalId: `${externalId}/${index + 1}` }),
      },
    }),
  );
}
