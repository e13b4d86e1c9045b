import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from './reservation.ts';

/** Days before the arrival from which guests check in online. */
const ONLINE_CHECK_IN_DAYS = 7;

/** Days after the departure until which the link of a stay is valid: the guest may want the invoice. */
const VALID_DAYS = 30;

/** Most companions that a check-in online names: those of a reservation. */
export const MAX_COMPANIONS = 20;

/** A stay whose page a guest has. */
export type StayOfPage = { reservationId: ReservationId; propertyId: PropertyId };

/**
 * A check-in online (docs/guide/my-stay.md#check-in-online): the guest names companions and the time of arrival, and
 * signs the registration form. The room is given at the desk, as always.
 */
export type OnlineCheckIn = {
  reservationId: ReservationId;
  /** Expected local time of arrival, `HH:MM`. */
  arrivalTime: string;
  /** The name that was typed as the signature of the registration form. */
  signedName: string;
  signedAt: Instant;
};

/** The page of a stay for its guest. */
export type StayPage = {
  /** Links that were signed before open nothing any more. */
  linksFrom?: Instant;
  checkIn?: OnlineCheckIn;
};

/** Whether the link of a stay is neither revoked nor over; dates that move take its end with them. */
export function isLinkOpen(
  signedAt: Instant,
  { reservation: { stay }, property }: { reservation: Reservation; property: Property },
  { linksFrom = 0 }: StayPage,
  now: Instant,
): boolean {
  const end = instantAt(departureOf(stay) + VALID_DAYS, '12:00', property.metadata.timezone);
  return signedAt >= linksFrom && now < end;
}

/** The first day on which a guest can check in online. */
export const onlineCheckInFrom = ({ stay }: Pick<Reservation, 'stay'>): Day => stay.checkIn - ONLINE_CHECK_IN_DAYS;

/** Whether a guest can check in online: a confirmed stay that begins soon, until its arrival day ends. */
export function canCheckInOnline(reservation: Pick<Reservation, 'stay' | 'status'>, today: Day): boolean {
  const { status, stay } = reservation;
  return status === 'CONFIRMED' && today >= onlineCheckInFrom(reservation) && today <= stay.checkIn;
}

/** How many companions the party of a stay has beside the guest. */
export const companionsOfParty = ({ stay }: Pick<Reservation, 'stay'>): number =>
  Math.min(MAX_COMPANIONS, Math.max(0, stay.adults + stay.children - 1));
