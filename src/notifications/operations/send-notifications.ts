import { v5 as uuidv5 } from 'uuid';

import type { Delivery, PartnerState } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { businessDate, type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import { totals } from '../../money/rules/night.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { personsOf } from '../../rates/rules/stay.ts';
import { amountDue } from '../../stay/rules/collecting.ts';
import { letterTextsIn } from '../contracts/letter-texts.ts';
import type { DeliveryAttempt, Mail, NotificationMatter, OfferMatter, Sms, WaitingNotification } from '../ports.ts';
import { type LetterTexts, messageLanguage } from '../rules/letter-texts.ts';
import { letterOf, smsText } from '../rules/message.ts';
import { type BookingNotice, type NotificationChannel, pauseAfter } from '../rules/notification.ts';
import type { NotifiedBooking } from '../rules/notified-booking.ts';
import { isStayMail, type StayMail } from '../rules/stay-mail.ts';
import { waitlistOfferLetter } from '../rules/waitlist-offer-letter.ts';
import { CUT_OFF_MS, RETENTION_MS, type Posting } from './posting.ts';
import { writeMail } from './write-mail.ts';

/** Concurrent deliveries: those whose outcome a crash can leave unknown. */
const AT_ONCE = 8;

/** Time until other senders may take a message that was leased and not begun. */
const LEASE_MS = 60_000;

/**
 * Ids of messages are derived from their content: a message has the same id even when its row was lost and created
 * again.
 */
const NAMESPACE = '4f0f3c1e-8a57-4f5f-9a53-7d1f6f1f2f60';

/** A message ready to be sent, or the reason why there is none. */
type Prepared = { send: (signal: AbortSignal) => Promise<Delivery> } | { dropped: string } | { fault: string };

type Sent = {
  /** Leased messages. */
  taken: number;
  /** Whether the partner answered for at least one of them. */
  partner: PartnerState;
};

/**
 * Sends some waiting messages of a tenant's channel. Each is recorded as in progress before it is handed over, and its
 * outcome after that. A message whose outcome a crash or a lost connection hides may have arrived and is never sent
 * again: a guest is better off without one mail than with two that may contradict later changes. Any other failure,
 * such as an unreachable server or a temporary rejection, is retried with growing pauses.
 */
export async function sendNotifications(
  posting: Posting,
  tenantId: TenantId,
  channel: NotificationChannel,
  signal: AbortSignal,
): Promise<Sent> {
  const { notifications, clock } = posting;
  const waiting = await notifications.lease(tenantId, channel, clock.now(), clock.now() + LEASE_MS, AT_ONCE);
  if (waiting.length === 0) return { taken: 0, partner: 'NOT_ASKED' };
  const matters = await notifications.read(tenantId, waiting);
  const prepared = await Promise.all(
    waiting.map(async (one, place) => {
      const matterOf = matters[place];
      if (isSandbox(one.propertyId)) return { dropped: 'its guests are invented' };
      const { kind } = one;
      if (isStayMail(kind)) return prepareMail(posting, tenantId, one, matterOf as (() => StayMail) | undefined);
      const booking = matterOf as (() => NotificationMatter | OfferMatter) | undefined;
      return prepare(posting, tenantId, { ...one, kind }, booking);
    }),
  );
  const ready = waiting.flatMap((one, place) => {
    const message = prepared[place]!;
    return 'send' in message ? [{ one, message }] : [];
  });
  if (ready.length > 0 && signal.aborted) return { taken: waiting.length, partner: 'NOT_ASKED' };
  const begun = await notifications.begin(
    tenantId,
    ready.map(({ one }) => one),
    clock.now() + CUT_OFF_MS,
  );
  const sending = ready.filter((_, place) => begun.has(place));
  const deliveries = await Promise.all(sending.map(({ message }) => deliver(message, signal)));
  const now = clock.now();
  const attempted = [
    ...sending.map(({ one }, place) => after({ ...one, attempts: one.attempts + 1 }, deliveries[place]!, now)),
    ...waiting.flatMap((one, place) => unsent(one, prepared[place]!, now)),
  ];
  await notifications.recordOutcome(tenantId, attempted);
  notify(posting, attempted);
  return { taken: waiting.length, partner: partnerOf(deliveries) };
}

function partnerOf(deliveries: readonly Delivery[]): PartnerState {
  if (deliveries.length === 0) return 'NOT_ASKED';
  return deliveries.every(({ outcome }) => outcome === 'AWAY' || outcome === 'UNKNOWN') ? 'AWAY' : 'ANSWERS';
}

async function prepare(
  posting: Posting,
  tenantId: TenantId,
  one: WaitingNotification & { kind: BookingNotice | 'WAITLIST_OFFER' },
  matterOf: (() => NotificationMatter | OfferMatter) | undefined,
): Promise<Prepared> {
  if (!matterOf) return { dropped: 'the reservation is gone' };
  try {
    const matter = matterOf();
    const now = posting.clock.now();
    const { kind } = one;
    if ('waiting' in matter || kind === 'WAITLIST_OFFER')
      return await offerOf(posting, tenantId, one, matter as OfferMatter);
    if (one.kind === 'REMINDER' && !isAhead(one, matter, now)) return { dropped: 'nobody is expected any more' };
    const { email, phone } = matter.reservation.guest;
    const stayUrl =
      one.channel === 'MAIL' ? await posting.stayUrl?.(tenantId, matter.reservation.id, one.at) : undefined;
    const booking = { ...notifiedOf(matter, now), ...(stayUrl !== undefined && { stayUrl }) };
    const texts = letterTextsIn(messageLanguage(matter.reservation.guest, matter.language, matter.property));
    if (one.kind === 'PAYMENT_FAILED' && !isUnpaid(booking)) return { dropped: 'nothing is due any more' };
    if (one.channel === 'MAIL') {
      if (!posting.mail || !email) return { dropped: 'there is no address' };
      const mail = await mailOf(posting, tenantId, { ...one, kind }, { booking, texts });
      return { send: (signal) => posting.mail!.send(mail, signal) };
    }
    if (!posting.sms || !phone) return { dropped: 'there is no number' };
    const sms: Sms = { ...headOf(tenantId, one), to: phone, text: smsText(kind, booking, texts, now) };
    return { send: (signal) => posting.sms!.send(sms, signal) };
  } catch (error) {
    // The message of the error may contain data of the row.
    return { fault: error instanceof Error ? error.name : 'Error' };
  }
}

/** A mail that staff send; it was removed where its guest has been erased. */
async function prepareMail(
  posting: Posting,
  tenantId: TenantId,
  one: WaitingNotification,
  find: (() => StayMail) | undefined,
): Promise<Prepared> {
  const { mail: sender } = posting;
  const stayMail = find?.();
  if (!stayMail || !sender) return { dropped: 'there is no address' };
  const { revokedAt, expiresAt = Infinity } = stayMail;
  if (revokedAt !== undefined) return { dropped: 'the link was revoked' };
  if (expiresAt <= posting.clock.now()) return { dropped: 'the link has expired' };
  try {
    const { letter, property, texts } = await posting.letterOf(tenantId, stayMail);
    const mail: Mail = {
      ...headOf(tenantId, one),
      ...(await writeMail(posting, tenantId, { letter, property, texts })),
      to: { name: letter.to, address: stayMail.address },
      from: { name: property.name, replyTo: property.contact?.email },
    };
    return { send: (signal) => sender.send(mail, signal) };
  } catch (error) {
    // The message of the error may contain data of the row.
    return { fault: error instanceof Error ? error.name : 'Error' };
  }
}

/** An offer is news while its room is held. */
async function offerOf(
  posting: Posting,
  tenantId: TenantId,
  one: WaitingNotification,
  { waiting, property, roomType }: OfferMatter,
): Promise<Prepared> {
  const { mail, clock } = posting;
  const { status, guest, offer, stay } = waiting;
  if (status !== 'OFFERED' || !guest || !offer || offer.expiresAt <= clock.now())
    return { dropped: 'the offer is over' };
  if (!mail) return { dropped: 'there is no address' };
  const texts = letterTextsIn(messageLanguage(guest, undefined, property));
  const letter = waitlistOfferLetter({ property, entry: { stay, guest, offer }, roomType }, texts);
  const message: Mail = {
    ...headOf(tenantId, one),
    ...(await writeMail(posting, tenantId, { letter, property, texts })),
    to: { name: `${guest.firstName} ${guest.lastName}`, address: guest.email },
    from: { name: property.name, replyTo: property.contact?.email },
  };
  return { send: (signal) => mail.send(message, signal) };
}

/** Whether the guest of a reminder is still expected on that day, and has not arrived. */
function isAhead({ occasion }: WaitingNotification, matter: NotificationMatter, now: Instant): boolean {
  const { reservation, property } = matter;
  const { checkInTime, timezone } = property.metadata;
  const { checkIn } = reservation.stay;
  return (
    reservation.status === 'CONFIRMED' && checkIn === occasion && now < instantAt(checkIn, checkInTime, timezone)
  );
}

/** Whether a failed instalment is still due, or has ended the stay. */
function isUnpaid({ instalment, reservation }: NotifiedBooking): boolean {
  return instalment !== undefined || reservation.cancellation !== undefined;
}

function notifiedOf({ booking, reservation, property, roomType }: NotificationMatter, now: Instant): NotifiedBooking {
  const { stay, confirmationNumber, paid, nights, status } = reservation;
  const { total } = totals(nights);
  const guests = personsOf(stay);
  const due =
    booking?.event === 'PAYMENT_FAILED'
      ? amountDue(reservation, property.metadata, { today: businessDate(now, clockOf(property)), now })
      : undefined;
  return {
    property,
    reservation,
    roomType,
    ...(due?.of === 'INSTALMENT' && { instalment: due.amount }),
    booking: booking ?? { ...stay, checkOut: departureOf(stay), confirmationNumber, guests, total, paid, status },
  };
}

function headOf(tenantId: TenantId, { reservationId, kind, channel, occasion }: WaitingNotification) {
  const messageId = uuidv5([tenantId, reservationId, kind, channel, occasion].join('\n'), NAMESPACE);
  return { messageId, about: { tenantId, reservationId, kind } };
}

async function mailOf(
  posting: Posting,
  tenantId: TenantId,
  one: WaitingNotification & { kind: BookingNotice },
  { booking, texts }: { booking: NotifiedBooking; texts: LetterTexts },
): Promise<Mail> {
  const { property, reservation } = booking;
  const { firstName, lastName, email } = reservation.guest;
  const letter = letterOf(one.kind, booking, texts, posting.clock.now());
  return {
    ...headOf(tenantId, one),
    ...(await writeMail(posting, tenantId, { letter, property, texts })),
    to: { name: `${firstName} ${lastName}`, address: email },
    from: { name: property.name, replyTo: property.contact?.email },
  };
}

async function deliver({ send }: Extract<Prepared, { send: unknown }>, signal: AbortSignal): Promise<Delivery> {
  try {
    return await send(signal);
  } catch (error) {
    // A bug in the adapter: how far the delivery came is unknown.
    return { outcome: 'UNKNOWN', reason: error instanceof Error ? error.name : 'Error' };
  }
}

/** Next state of a message after an attempt, which is counted. */
function after(one: WaitingNotification, delivery: Delivery, now: Instant): DeliveryAttempt {
  const ended = { ...one, attempted: one.attempts, dueAt: now + RETENTION_MS };
  switch (delivery.outcome) {
    case 'SENT':
      return { ...ended, state: 'SENT', sentAt: now };
    case 'REFUSED':
      return { ...ended, state: 'FAILED', error: delivery.reason };
    case 'UNKNOWN':
      return { ...ended, state: 'UNKNOWN', error: delivery.reason };
    case 'AWAY':
    case 'DEFERRED':
      return later(one, one.attempts, delivery.reason, now);
  }
}

function unsent(one: WaitingNotification, message: Prepared, now: Instant): DeliveryAttempt[] {
  if ('send' in message) return [];
  if ('fault' in message) return [later(one, one.attempts + 1, message.fault, now)];
  return [{ ...one, attempted: one.attempts, state: 'DROPPED', dueAt: now + RETENTION_MS, error: message.dropped }];
}

function later(one: WaitingNotification, attempted: number, error: string, now: Instant): DeliveryAttempt {
  const pause = pauseAfter(attempted);
  return pause === undefined
    ? { ...one, attempted, state: 'FAILED', dueAt: now + RETENTION_MS, error }
    : { ...one, attempted, state: 'WAITING', dueAt: now + pause, error };
}

/** The log names no guest: operators with access look up the reservation. */
function notify({ log }: Posting, attempted: readonly DeliveryAttempt[]): void {
  for (const { state, error, reservationId, kind, channel, attempted: attempts } of attempted) {
    const facts = { reservationId, kind, channel, attempts, reason: error };
    if (state === 'FAILED' || state === 'UNKNOWN')
      log.warn({ ...facts, state }, 'a notification may not have arrived');
    else if (state === 'WAITING') log.debug(facts, 'a notification is tried again later');
  }
}
