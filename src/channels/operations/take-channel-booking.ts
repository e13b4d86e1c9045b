import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { isErased } from '../../guests/rules/erasure.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import { withFreshNames, send, claim } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { BookingRequest, SoldByChannel } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { incrementOf } from '../../kernel/rules/money.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { readExtraStock } from '../../money/operations/extra-stock.ts';
import { partyOf, sameStay, type Stay } from '../../rates/rules/stay.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { confirmationNumber } from '../../stay/rules/confirmation-number.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { ChannelBookingBody } from '../contracts/channels.ts';
import type { Channel } from '../rules/channel.ts';
import { getChannel } from './connect-channels.ts';
import { SKEW_MS } from './taken-event.ts';

const EXTERNAL_ID = /^[^\p{C}]{1,100}$/u;
const MAX_EXTERNAL_ID = 100;

/** Attempts of a change while others change the same reservation. */
const ATTEMPTS = 5;

/** A booking of a channel as it is stored now. */
export type TakenBooking = { channel: Channel; reservation: Reservation; isNew: boolean; isChanged: boolean };

type Taking = {
  services: Services;
  caller: Caller;
  channel: Channel;
  externalId: string;
  body: ChannelBookingBody;
  attempt: number;
};

/**
 * Takes what a channel says of a booking (docs/reference/channels.md#bookings): it is booked, changed or cancelled, once
 * however often it is said. Nothing refuses what is sold: a night without a free room is overbooked, and the desk has a
 * task.
 * @throws DomainError CHANNEL_NOT_FOUND, VALIDATION_FAILED; RESERVATION_NOT_FOUND for a cancellation of an unknown
 * booking; INVALID_STATE for a stay that has begun or has ended
 */
export async function takeChannelBooking(
  services: Services,
  caller: Caller,
  channelId: string,
  externalId: string,
  body: ChannelBookingBody,
): Promise<TakenBooking> {
  if (!EXTERNAL_ID.test(externalId))
    throw faulty('/externalId', 'has 1 to 100 characters without control characters');
  const channel = await getChannel(services, caller, channelId);
  // A later message would be taken for an older one.
  if ((body.updatedAt ?? 0) > services.clock.now() + SKEW_MS) throw faulty('/updatedAt', 'is in the future');
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeOnce({ services, caller, channel, externalId, body, attempt });
    } catch (error) {
      const isPassing = error instanceof DomainError && (error.code === 'STALE_VERSION' || isKnown(error));
      if (!isPassing) throw error;
      if (attempt < ATTEMPTS) continue;
      // The channel has named no version: it comes again.
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'Others change the booking at this moment.', {
        retryAfterSeconds: 1,
      });
    }
  }
}

async function takeOnce(taking: Taking): Promise<TakenBooking> {
  const { services, caller, channel, body } = taking;
  const found = await services.reservations.get(caller.tenantId, reservationIdOf(taking));
  const before = found?.reservation;
  const unchanged = (reservation: Reservation): TakenBooking => ({
    channel,
    reservation,
    isNew: false,
    isChanged: false,
  });
  if (!before) {
    if (body.status === 'CANCELLED')
      throw new DomainError('RESERVATION_NOT_FOUND', 'The channel has sent no booking with this id.');
    const { reservation, isFirst } = await book(taking);
    return isFirst ? { channel, reservation, isNew: true, isChanged: true } : takeOnce(taking);
  }
  if (isErased(before) || isSaidBefore(taking, before)) return unchanged(before);
  if (body.status === 'BOOKED')
    return { channel, reservation: await change(taking, before), isNew: false, isChanged: true };
  if (before.status === 'CANCELLED') return unchanged(before);
  return { channel, reservation: await cancel(taking, before), isNew: false, isChanged: true };
}

/** The same again, or what was said before what is known. */
function isSaidBefore(taking: Taking, { source: { message } }: Reservation): boolean {
  const { body } = taking;
  if (!message) return false;
  if (message.hash === hashOf(taking)) return true;
  return message.at !== undefined && body.updatedAt !== undefined && body.updatedAt < message.at;
}

type Said = NonNullable<SoldByChannel['message']['said']>;

/** Keyed, since a message has names and addresses. */
const hashOf = ({ services, channel, body }: Taking): string =>
  services.signed.sign('channel-booking', '', `${channel.channelId} ${JSON.stringify(body)}`);

function reservationIdOf({ caller, channel, externalId }: Taking): string {
  return idFrom(['channel', caller.tenantId, channel.propertyId, channel.channelCode, externalId]);
}

function messageOf(taking: Taking): SoldByChannel['message'] {
  const { updatedAt } = taking.body;
  return { hash: hashOf(taking), ...(updatedAt !== undefined && { at: updatedAt }) };
}

/** What a channel says of a stay. @param last what it said before */
function soldBy(taking: Taking, stay: Stay, last?: Said): SoldByChannel {
  const { total, nights, collectedBy } = taking.body;
  const price = JSON.stringify(total ?? nights ?? null);
  const message = { ...messageOf(taking), said: { stay, price } };
  const isAsBefore = last !== undefined && last.price === price && sameStay(last.stay, stay);
  const sold = { message, collectedBy, isAsBefore };
  if (total !== undefined) return { ...sold, total };
  if (!nights) return sold;
  const rates = new Map(nights.map(({ date, rate }) => [date, rate]));
  const nightly = Array.from({ length: stay.checkOut - stay.checkIn }, (_, index) => rates.get(stay.checkIn + index));
  if (nights.length === nightly.length && nightly.every((rate) => rate !== undefined)) return { ...sold, nightly };
  throw faulty('/nights', 'has not one rate for each night of the stay');
}

/** Books a stay, unless it was booked at this moment: then what was said here may be a change of it. */
async function book(taking: Taking): Promise<{ reservation: Reservation; isFirst: boolean }> {
  const { services, caller, channel, body } = taking;
  const to = { tenantId: caller.tenantId, propertyId: channel.propertyId };
  const { setup } = await services.properties.view(to);
  checkAmounts(body, setup.property.metadata.currency);
  const stay = stayOf(channel, body);
  const reservationId = reservationIdOf(taking);
  const key = { key: `channel ${reservationId}`, fingerprint: reservationId };
  const reply = await withFreshNames(async () => {
    const { guest, specialRequests, collectedBy } = body;
    const { guestId, wrappedKey, seal } = await services.guests.identify(caller.tenantId, guest!);
    const name = seal(`${guest!.firstName} ${guest!.lastName}`);
    const booking: BookingRequest = {
      reservationId,
      confirmationNumber: confirmationNumber(randomBytes(9)),
      guest: { guestId, ...guest! },
      stay,
      source: {
        channel: 'OTA',
        medium: channel.channelCode.slice(0, 50),
        externalId: externalIdOf(taking),
        collectedBy,
      },
      specialRequests,
      sold: soldBy(taking, stay),
      personal: { guestId, name },
      ...(wrappedKey !== undefined && { wrappedKey }),
    };
    const command = { type: 'BOOK' as const, booking, pendingPaymentId: uuidv7() };
    return send(services, caller, to, command, claim(key, reservationId));
  });
  return { reservation: reply.result.reservation, isFirst: !reply.replayed };
}

async function change(taking: Taking, before: Reservation): Promise<Reservation> {
  const { services, caller, channel, body } = taking;
  if (before.status !== 'CONFIRMED' && before.status !== 'PENDING')
    throw new DomainError('INVALID_STATE', `The reservation is ${before.status}.`);
  checkAmounts(body, before.currency);
  const to = { tenantId: caller.tenantId, propertyId: channel.propertyId };
  const stay = stayOf(channel, body);
  const { said } = before.source.message ?? {};
  const sold = soldBy(taking, stay, said);
  const { email, phone, firstName, lastName } = body.guest!;
  const identity = await services.guests.byId(caller.tenantId, before.guest.guestId);
  const personal = { guestId: before.guest.guestId, name: identity.seal(`${firstName} ${lastName}`) };
  const isNamed = firstName !== before.guest.firstName || lastName !== before.guest.lastName;
  const reply = await send(services, caller, to, {
    type: 'MODIFY',
    reservationId: before.id,
    modificationId: uuidv7(),
    refundId: uuidv7(),
    stay: sold.isAsBefore ? {} : { ...stay, roomType: roomTypeAfter(stay, said, before) },
    sold,
    guest: {
      ...(isNamed && { firstName, lastName }),
      ...(email !== '' && email !== before.guest.email && { email }),
      ...(phone !== undefined && phone !== before.guest.phone && { phone }),
    },
    specialRequests: body.specialRequests,
    reason: `Changed by ${channel.name}`,
    modifiedBy: channel.channelCode,
    extraStock: await readExtraStock(services, to),
    ifVersion: before.version,
    ...(isNamed && { personal }),
    dryRun: false,
  });
  return reply.result.reservation;
}

/** A type that the channel has not changed since its last message is as the desk may have changed it. */
function roomTypeAfter({ roomType }: Stay, said: Said | undefined, before: Reservation): string {
  return said?.stay.roomType === roomType ? before.stay.roomType : roomType;
}

/** Amounts are in the currency of the booking, and have no cents where it has none. */
function checkAmounts({ currency, total, nights = [] }: ChannelBookingBody, expected: string): void {
  if (currency !== undefined && currency !== expected) throw faulty('/currency', `is not ${expected}`);
  const hasCents = (amount: number): boolean => amount % incrementOf(expected) !== 0;
  if (total !== undefined && hasCents(total)) throw faulty('/total', `has cents, and ${expected} has none`);
  const index = nights.findIndex(({ rate }) => hasCents(rate));
  if (index >= 0) throw faulty(`/nights/${index}/rate`, `has cents, and ${expected} has none`);
}

async function cancel(taking: Taking, { id, version }: Reservation): Promise<Reservation> {
  const { services, caller, channel } = taking;
  const body = {
    reason: 'OTHER' as const,
    description: `Cancelled by ${channel.name}`,
    cancelledBy: channel.channelCode,
    refundRequested: true,
  };
  const reply = await cancelReservation(services, caller, id, body, {
    ifVersion: version,
    message: messageOf(taking),
  });
  return reply.result.reservation;
}

function stayOf({ mappings }: Channel, body: ChannelBookingBody): Stay {
  const { externalRoom, externalRate, checkIn, checkOut } = body;
  const rooms = mappings.filter((one) => one.externalRoom === externalRoom);
  const [line, ...others] =
    externalRate === undefined ? rooms : rooms.filter((one) => one.externalRate === externalRate);
  if (rooms.length === 0) throw faulty('/externalRoom', 'is not mapped');
  if (!line || (others.length > 0 && externalRate === undefined))
    throw faulty('/externalRate', line ? 'is required: the room has several' : 'is not mapped for this room');
  if (checkOut! <= checkIn!) throw faulty('/checkOut', 'is not after checkIn');
  if (checkOut! - checkIn! > MAX_NIGHTS) throw faulty('/checkOut', `gives more than ${MAX_NIGHTS} nights`);
  const { roomType, ratePlan: rateCode } = line;
  return { roomType, rateCode, checkIn: checkIn!, checkOut: checkOut!, ...partyOf(body) };
}

/** The id as the channel has it; where another channel has used the same, with the code of the channel. */
function externalIdOf(taking: Taking): string {
  const { channel, externalId, attempt } = taking;
  if (attempt <= 2) return externalId;
  const withCode = `${channel.channelCode}:${externalId}`;
  return withCode.length <= MAX_EXTERNAL_ID ? withCode : `${externalId.slice(0, 50)}:${reservationIdOf(taking)}`;
}

function isKnown(error: DomainError): boolean {
  return error.details.extra?.['reason'] === 'external-id-taken';
}

function faulty(pointer: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `The booking cannot be taken: ${pointer.slice(1)} ${detail}.`, {
    errors: [{ pointer, code: 'INVALID', detail }],
  });
}
