import type { guestAnswer, listedGuestAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { FoundGuest } from '../../../../src/guests/operations/find-guests.ts';
import type { MergedProfile, Profile } from '../../../../src/guests/ports.ts';
import { LOYALTY_DAYS, nextTier, tierOf } from '../../../../src/guests/rules/loyalty.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { departureOf } from '../../../../src/kernel/rules/stay-days.ts';
import type {
  exportedStay as exportedStayAnswer,
  guestExportAnswer,
  sharedStay as sharedStayAnswer,
} from '../../../../src/privacy/contracts/guest-export-answers.ts';
import type { ExportedStay, GuestExport, SharedStay } from '../../../../src/privacy/operations/export-guest.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { renderFolioWindow } from '../../money/render/folio.ts';
import { invoiceDocument } from '../../money/render/invoice.ts';
import { renderExportedNote } from '../../stay/render/desk-note.ts';
import { renderInquiry } from '../../stay/render/inquiry.ts';
import { renderOnlineCheckIn } from '../../stay/render/online-check-in.ts';
import { guestOf, leftOutOf, paymentOf, sharerOf, wholeReservation } from '../../stay/render/reservation.ts';
import { renderWaiting } from '../../stay/render/waitlist.ts';

/** A profile in a list; contact data is masked for a VIEWER. */
export function listedGuest(profile: Profile, caller: Pick<Caller, 'role'>): AnswerOf<typeof listedGuestAnswer> {
  const { nights, preferences = null, createdAt, updatedAt } = profile;
  return { ...guestOf(profile, caller, tierOf(nights)), preferences, createdAt, updatedAt };
}

/** A profile with its stays in short, and what its loyalty tier rests on. */
export function wholeGuest(
  { profile, stays, since }: FoundGuest,
  caller: Pick<Caller, 'role'>,
  names: ReadonlyMap<string, string> = new Map(),
): AnswerOf<typeof guestAnswer> {
  const { nights, guestId, version, consent = null, merged = [] } = profile;
  const { byStatus, firstArrival, lastDeparture } = stays;
  const { PENDING = 0, CONFIRMED = 0, CHECKED_IN = 0, CHECKED_OUT = 0, CANCELLED = 0, NO_SHOW = 0 } = byStatus;
  const next = nextTier(nights);
  return {
    ...listedGuest(profile, caller),
    version,
    consent: consentOf(consent, names),
    merged: merged.map((one) => mergedProfile(one, caller, names)),
    loyalty: {
      tier: tierOf(nights),
      nights,
      since,
      days: LOYALTY_DAYS,
      nextTier: next?.tier ?? null,
      nightsToNextTier: next?.nightsToGo ?? null,
    },
    history: {
      reservations: PENDING + CONFIRMED + CHECKED_IN + CHECKED_OUT + CANCELLED + NO_SHOW,
      stays: CHECKED_OUT,
      nights: stays.nights,
      upcoming: PENDING + CONFIRMED,
      inHouse: CHECKED_IN,
      cancelled: CANCELLED,
      noShows: NO_SHOW,
      firstArrival: firstArrival ?? null,
      lastDeparture: lastDeparture ?? null,
      reservationsUrl: `/api/v1/guests/${guestId}/reservations`,
    },
  };
}

function consentOf(
  consent: Profile['consent'] | null,
  names: ReadonlyMap<string, string>,
): AnswerOf<typeof guestAnswer>['consent'] {
  return consent ? { ...consent, byName: names.get(consent.by) ?? null } : null;
}

function mergedProfile(
  profile: MergedProfile,
  caller: Pick<Caller, 'role'>,
  names: ReadonlyMap<string, string>,
): AnswerOf<typeof guestAnswer>['merged'][number] {
  const { guestId, firstName, lastName, email, phone, language } = guestOf(profile, caller, 'NONE');
  const { preferences = null, consent = null, mergedAt } = profile;
  return {
    guestId,
    firstName,
    lastName,
    email,
    phone,
    language,
    preferences,
    consent: consentOf(consent, names),
    mergedAt,
  };
}

/** The data subject sees own data unmasked. */
const HIMSELF = { role: 'OWNER' } as const;

export function exportedGuest({
  at,
  guest,
  stays,
  shared,
  unreadable,
  notes,
  ...open
}: GuestExport): AnswerOf<typeof guestExportAnswer> {
  return {
    exportedAt: at,
    guest: wholeGuest(guest, HIMSELF),
    notes: notes.map(renderExportedNote),
    reservations: stays.map(exportedStay),
    sharedStays: shared.map(sharedStay),
    waitlist: open.waiting.map((one) => renderWaiting(one, HIMSELF)),
    inquiries: open.inquiries.map((one) => renderInquiry(one, HIMSELF)),
    leftOut: leftOutOf(unreadable),
  };
}

/** Of a stay that somebody else has booked, what is of the guest. */
function sharedStay({ reservation, property, folio: own, invoices }: SharedStay): AnswerOf<typeof sharedStayAnswer> {
  const { id, confirmationNumber, status, stay, currency } = reservation;
  return {
    reservationId: id,
    confirmationNumber,
    status,
    propertyName: property.name,
    checkIn: stay.checkIn,
    checkOut: departureOf(stay),
    roomType: stay.roomType,
    currency,
    sharer: sharerOf(reservation, HIMSELF)!,
    folio: own ? renderFolioWindow(own, HIMSELF) : null,
    invoices: invoices.map((document) => invoiceDocument(document, HIMSELF)),
  };
}

function exportedStay({
  reservation,
  property,
  tier,
  statuses,
  notifications,
  notes,
  onlineCheckIn,
  survey,
  invoices,
  charges,
  payments,
}: ExportedStay): AnswerOf<typeof exportedStayAnswer> {
  const { checkIn, checkOut } = reservation;
  const whole = wholeReservation(reservation, property, HIMSELF, tier);
  return {
    ...whole,
    financial: { ...whole.financial, paymentDetails: payments.map(paymentOf) },
    // Data of another guest.
    sharer: null,
    checkInRecord: checkIn ? { ...checkIn, nightRate: undefined } : null,
    checkOutRecord: checkOut ?? null,
    charges: charges.map(({ description, quantity, amount, day, notes }) => ({
      description,
      ...(quantity !== undefined && { quantity }),
      amount,
      date: day,
      ...(notes !== undefined && { reason: notes }),
    })),
    statusHistory: statuses.map(({ oldStatus, newStatus, at, by, reason, notes }) => ({
      oldStatus,
      newStatus,
      changedAt: at,
      changedBy: by,
      reason,
      notes,
    })),
    invoices: invoices.map((document) => invoiceDocument(document, HIMSELF)),
    survey: survey ?? null,
    notes: notes.map(renderExportedNote),
    onlineCheckIn: onlineCheckIn ? renderOnlineCheckIn(onlineCheckIn) : null,
    notifications: notifications.map(({ kind, channel, state, at, sentAt }) => ({
      kind,
      channel,
      state,
      at,
      sentAt: sentAt ?? null,
    })),
  };
}
