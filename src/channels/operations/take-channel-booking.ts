import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { isErased } from '../../guests/rules/erasure.ts';
import { idFrom } from '../../kernel/operations/id-from.ts';
import { withFreshNames, send, claim } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { BookingRequest, SoldByChannel } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { incrementOf } from '../../kernel/rules/money.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import { readExtraStock } from '../../money/operations/extra-stock.ts';
import { partyOf, sameStay, type Stay } from '../../rates/rules/stay.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { confirmationNumber } from '../../stay/rules/confirmation-number.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { ChannelBookingBody } from '../contracts/channels.ts';
import type { Channel } from '../rules/channel.ts';
import { type ChannelNotice, isCancelledBy, isUnclear } from '../rules/notice.ts';
import { getChannel } from './connect-channels.ts';
import { leaveToDesk } from './leave-to-desk.ts';
import { SKEW_MS } from './taken-event.ts';

/** `source.channel` of what channels sell. */
const CHANNEL = 'OTA';
const EXTERNAL_ID = /^[^\p{C}]{1,100}$/u;
const MAX_EXTERNAL_ID = 100;

/** Attempts of a change while others change the same reservation. */
const ATTEMPTS = 5;

/** A booking of a channel as it is stored now; one that was cancelled before it came is no reservation. */
export type TakenBooking = {
  channel: Channel;
  reservation: Reservation | undefined;
  isNew: boolean;
  isChanged: boolean;
};

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
 * @throws DomainError CHANNEL_NOT_FOUND, VALIDATION_FAILED; INVALID_STATE for a stay that has begun or has ended. What the
 * state of the property forbids is left to the desk.
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
      const taken = await takeOnce({ services, caller, channel, externalId, body, attempt });
      const isSettled = taken.reservation && (taken.isChanged || body.status === 'CANCELLED');
      if (isSettled) await services.channelNotices.end(caller.tenantId, channelId, externalId);
      return taken;
    } catch (error) {
      const isPassing = error instanceof DomainError && (error.code === 'STALE_VERSION' || isKnown(error));
      if (!isPassing) {
        const reservationId = (await reservationOf({ services, caller, channel, externalId }))?.id;
        throw await leaveToDesk({ services, caller, channel, externalId, body, reservationId }, error);
      }
      if (attempt < ATTEMPTS) continue;
      // The channel has named no version: it comes again.
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'Others change the booking at this moment.', {
        retryAfterSeconds: 1,
      });
    }
  }
}

async function takeOnce(taking: Taking): Promise<TakenBooking> {
  const { channel, body } = taking;
  const before = await reservationOf(taking);
  const unchanged = (reservation: Reservation): TakenBooking => ({
    channel,
    reservation,
    isNew: false,
    isChanged: false,
  });
  if (!before) return body.status === 'CANCELLED' ? rememberCancelled(taking) : bookUnlessCancelled(taking);
  if (isErased(before) || isSaidBefore(taking, before)) return unchanged(before);
  if (body.status === 'BOOKED')
    return { channel, reservation: await change(taking, before), isNew: false, isChanged: true };
  if (before.status === 'CANCELLED') return unchanged(before);
  return { channel, reservation: await cancel(taking, before), isNew: false, isChanged: true };
}

type Sought = Pick<Taking, 'services' | 'caller' | 'channel' | 'externalId'>;

/** The reservation of a booking: what the channel has made, or the desk or an import under its id and code. */
async function reservationOf(sought: Sought): Promise<Reservation | undefined> {
  const { services, caller, channel, externalId } = sought;
  const { reservations } = services;
  const made = await reservations.get(caller.tenantId, reservationIdOf(sought));
  if (made) return made.reservation;
  const filter = { propertyId: channel.propertyId, externalId, channel: CHANNEL };
  const { items } = await reservations.list(caller.tenantId, filter, 1, undefined);
  return items.find(({ source }) => source.medium === mediumOf(channel));
}

const noticeOf = ({ services, caller, channel, externalId }: Sought): Promise<ChannelNotice | undefined> =>
  services.channelNotices.cancelled(caller.tenantId, channel.channelId, externalId);

/** A cancellation that comes before its booking counts for what was said before it. */
async function rememberCancelled(taking: Taking): Promise<TakenBooking> {
  const { services, caller, channel, externalId, body } = taking;
  const before = await noticeOf(taking);
  const at = body.updatedAt ?? before?.at;
  const isOlder = body.updatedAt !== undefined && before?.at !== undefined && body.updatedAt < before.at;
  const unknown = { channel, reservation: undefined, isNew: false, isChanged: !before || before.at !== at };
  if (isOlder) return { ...unknown, isChanged: false };
  const notice = { channelId: channel.channelId, externalId, kind: 'CANCELLED' as const };
  await services.channelNotices.put(caller.tenantId, { ...notice, ...(at !== undefined && { at }) });
  // A booking of this moment has either seen the notice, or is seen here.
  return (await reservationOf(taking)) ? takeOnce(taking) : unknown;
}

/** @throws DomainError INVALID_STATE where the booking was cancelled, and nobody knows which was said first */
async function bookUnlessCancelled(taking: Taking): Promise<TakenBooking> {
  const { channel, body } = taking;
  const notice = await noticeOf(taking);
  if (notice && isCancelledBy(notice, body.updatedAt))
    return { channel, reservation: undefined, isNew: false, isChanged: false };
  if (notice && isUnclear(notice, body.updatedAt))
    throw new DomainError('INVALID_STATE', 'The booking was cancelled before it came, and has no time of its own.');
  const { reservation, isFirst } = await book(taking);
  if (!isFirst) return takeOnce(taking);
  const meanwhile = await noticeOf(taking);
  const isOver = meanwhile && isCancelledBy(meanwhile, body.updatedAt);
  const said = { hash: hashOf(taking), ...(meanwhile?.at !== undefined && { at: meanwhile.at }) };
  const left = isOver ? await cancel(taking, reservation, said) : reservation;
  return { channel, reservation: left, isNew: true, isChanged: true };
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

function reservationIdOf({ caller, channel, externalId }: Sought): string {
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
  const { externalRoom: room, externalRate: rate } = taking.body;
  const message = { ...messageOf(taking), said: { stay, price, ...definedMembers({ room, rate }) } };
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
  const stay = stayOf(taking);
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
        channel: CHANNEL,
        medium: mediumOf(channel),
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
  const stay = stayOf(taking, before);
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

const mediumOf = ({ channelCode }: Channel): string => channelCode.slice(0, 50);

/** A type that the channel has not changed since its last message is as the desk may have changed it. */
function roomTypeAfter({ roomType }: Stay, said: Said | undefined, before: Reservation): string {
  return said?.stay.roomType === roomType ? before.stay.roomType : roomType;
}

/** Amounts are in the currency of the booking, and have no cents where it has none. */
function checkAmounts({ currency, total, nights = [] }: ChannelBookingBody, expected: string): void {
  if (currency !== undefined && currency !== expected)
    throw faulty('/currency', `is not ${expected}`, 'OTHER_CURRENCY');
  const hasCents = (amount: number): boolean => amount % incrementOf(expected) !== 0;
  if (total !== undefined && hasCents(total)) throw faulty('/total', `has cents, and ${expected} has none`);
  const index = nights.findIndex(({ rate }) => hasCents(rate));
  if (index >= 0) throw faulty(`/nights/${index}/rate`, `has cents, and ${expected} has none`);
}

/** @param message the one that cancels */
async function cancel(
  taking: Taking,
  { id, version }: Reservation,
  message: SoldByChannel['message'] = messageOf(taking),
): Promise<Reservation> {
  const { services, caller, channel } = taking;
  const body = {
    reason: 'OTHER' as const,
    description: `Cancelled by ${channel.name}`,
    cancelledBy: channel.channelCode,
    refundRequested: true,
  };
  const reply = await cancelReservation(services, caller, id, body, {
    ifVersion: version,
    message,
  });
  return reply.result.reservation;
}

/** @param before what the booking is now */
function stayOf({ channel, body }: Taking, before?: Reservation): Stay {
  const { checkIn, checkOut } = body;
  if (checkOut! <= checkIn!) throw faulty('/checkOut', 'is not after checkIn');
  if (checkOut! - checkIn! > MAX_NIGHTS)
    throw faulty('/checkOut', `gives more than ${MAX_NIGHTS} nights`, 'TOO_MANY_NIGHTS');
  const { roomType, ratePlan: rateCode } = saidBefore(body, before) ?? mappedLine(channel, body);
  return { roomType, rateCode, checkIn: checkIn!, checkOut: checkOut!, ...partyOf(body) };
}

type Line = { roomType: string; ratePlan: string };

/** Room and rate that the booking has had so far stay what they were, also where they are mapped no more. */
function saidBefore({ externalRoom, externalRate }: ChannelBookingBody, before?: Reservation): Line | undefined {
  const said = before?.source.message?.said;
  if (said?.room === undefined || said.room !== externalRoom) return undefined;
  if (externalRate !== undefined && said.rate !== externalRate) return undefined;
  return { roomType: said.stay.roomType, ratePlan: said.stay.rateCode };
}

function mappedLine({ mappings }: Channel, { externalRoom, externalRate }: ChannelBookingBody): Line {
  const rooms = mappings.filter((one) => one.externalRoom === externalRoom);
  const [line, ...others] =
    externalRate === undefined ? rooms : rooms.filter((one) => one.externalRate === externalRate);
  if (rooms.length === 0) throw faulty('/externalRoom', 'is not mapped', 'NOT_MAPPED');
  if (!line) throw faulty('/externalRate', 'is not mapped for this room', 'NOT_MAPPED');
  if (others.length > 0 && externalRate === undefined)
    throw faulty('/externalRate', 'is required: the room has several');
  return line;
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

function faulty(pointer: string, detail: string, code = 'INVALID'): DomainError {
  return new DomainError('VALIDATION_FAILED', `The booking cannot be taken: ${pointer.slice(1)} ${detail}.`, {
    errors: [{ pointer, code, detail }],
  });
}
