import type { FoundGuest } from '../../../../src/guests/operations/find-guests.ts';
import type { Profile } from '../../../../src/guests/ports.ts';
import { LOYALTY_DAYS, nextTier, tierOf } from '../../../../src/guests/rules/loyalty.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { ExportedStay, GuestExport } from '../../../../src/privacy/operations/export-guest.ts';
import { wireMoney } from '../../../http/money.ts';
import { guestOf, iso, isoOrNull, wholeReservation } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** A profile in a list; contact data is masked for a VIEWER. */
export function listedGuest(profile: Profile, caller: Pick<Caller, 'role'>): Json {
  const { nights, createdAt, updatedAt } = profile;
  const shown = guestOf(profile, caller, tierOf(nights));
  return {
    ...shown,
    preferences: profile.preferences ?? null,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

/** A profile with its stays in short, and what its loyalty tier rests on. */
export function wholeGuest({ profile, stays, since }: FoundGuest, caller: Pick<Caller, 'role'>): Json {
  const { nights, guestId } = profile;
  const { byStatus, firstArrival, lastDeparture } = stays;
  const { PENDING = 0, CONFIRMED = 0, CHECKED_IN = 0, CHECKED_OUT = 0, CANCELLED = 0, NO_SHOW = 0 } = byStatus;
  const next = nextTier(nights);
  return {
    ...listedGuest(profile, caller),
    loyalty: {
      tier: tierOf(nights),
      nights,
      since: formatDay(since),
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
      firstArrival: firstArrival === undefined ? null : formatDay(firstArrival),
      lastDeparture: lastDeparture === undefined ? null : formatDay(lastDeparture),
      reservationsUrl: `/api/v1/guests/${guestId}/reservations`,
    },
  };
}

/** Whoever the export is made for sees himself whole. */
const HIMSELF = { role: 'OWNER' } as const;

export function exportedGuest({ at, guest, stays }: GuestExport): Json {
  return { exportedAt: iso(at), guest: wholeGuest(guest, HIMSELF), reservations: stays.map(exportedStay) };
}

function exportedStay({ reservation, property, tier, statuses, told, survey }: ExportedStay): Json {
  const { checkIn, checkOut, charges = [] } = reservation;
  return {
    ...wholeReservation(reservation, property, HIMSELF, tier),
    checkInRecord: checkIn ? { ...checkIn, at: iso(checkIn.at) } : null,
    checkOutRecord: checkOut ? { ...checkOut, at: iso(checkOut.at) } : null,
    charges: charges.map(({ description, amount, day }) => ({
      description,
      amount: wireMoney(amount),
      date: formatDay(day),
    })),
    statusHistory: statuses.map(({ oldStatus, newStatus, at, by, reason }) => ({
      oldStatus,
      newStatus,
      changedAt: iso(at),
      changedBy: by,
      reason,
    })),
    survey: survey ? { ...survey, answeredAt: iso(survey.answeredAt) } : null,
    notifications: told.map(({ kind, channel, state, at, sentAt }) => ({
      kind,
      channel,
      state,
      at: iso(at),
      sentAt: isoOrNull(sentAt),
    })),
  };
}
