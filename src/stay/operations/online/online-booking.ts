import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { isErased } from '../../../guests/rules/erasure.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import { formatDay } from '../../../kernel/rules/dates.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import type { Language } from '../../../kernel/rules/languages.ts';
import type { StayDays } from '../../../kernel/rules/stay-days.ts';
import type { Property } from '../../../properties/rules/property.ts';
import type { Party } from '../../../rates/rules/stay.ts';
import { bookingBody, createBody } from '../../contracts/reservations.ts';
import { isLinkOpen } from '../../rules/online-check-in.ts';
import type { Reservation } from '../../rules/reservation.ts';
import { createBooking } from '../create-booking.ts';
import { createReservation } from '../create-reservation.ts';
import { reservationsOf } from '../known-booking.ts';
import type { ChosenOffer } from './open-choice.ts';

/** Who books on the page, and what they ask for. */
export type OnlineGuest = {
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  /** Of the letters to come. */
  language: Language;
  requests?: string;
};

type OnlineRequest = StayDays & {
  rooms: readonly (ChosenOffer & { party: Party })[];
  /** Names the form that is sent: who knows the tokens and the guest's data, but has not sent it, does not repeat it. */
  form: string;
};

/** Reservations of a booking in the order of its rooms, and their property. */
export type OnlineBooking = { reservations: Reservation[]; property: Property };

const PURPOSE = 'online-booking';

/** How long a request waits for the same one that runs at the moment, such as that of a double click. */
const TWIN = { tries: 40, pauseMs: 250 };

/**
 * Books the chosen rooms, all or none, at the prices of their tokens (docs/guide/booking-page.md#from-search-to-booking).
 * They wait for a card or a payment where their plan needs one. The same tokens book once.
 * @throws DomainError as `createReservation` and `createBooking`
 */
export async function bookOnline(
  services: Services,
  caller: Caller,
  { propertyId }: Pick<Address, 'propertyId'>,
  { rooms, form, ...days }: OnlineRequest,
  { requests, ...guestInfo }: OnlineGuest,
): Promise<Reservation[]> {
  const externalId = externalIdOf(rooms);
  const body = {
    propertyId,
    guestInfo,
    specialRequests: requests === undefined ? [] : [requests],
    source: { channel: 'WEBSITE', externalId },
  };
  const stayDays = { checkIn: formatDay(days.checkIn), checkOut: formatDay(days.checkOut) };
  const key = { key: externalId, fingerprint: hash('sha256', JSON.stringify([body, stayDays, rooms, form]), 'hex') };
  const [first, ...others] = rooms;
  return afterTwin(async () => {
    if (others.length === 0) {
      const { roomType, rateCode, quoteToken, party } = first!;
      const stayDetails = { ...stayDays, ...party, roomType, rateCode, quoteToken };
      const { result } = await createReservation(services, caller, createBody.parse({ ...body, stayDetails }), key);
      return [result.reservation];
    }
    const all = rooms.map(({ roomType, rateCode: ratePlan, quoteToken, party }) => ({
      roomType,
      ratePlan,
      quoteToken,
      ...party,
    }));
    const parsed = bookingBody.parse({ ...body, stayDetails: stayDays, rooms: all });
    return (await createBooking(services, caller, parsed, key)).result;
  });
}

/** What was booked with these tokens before; `undefined` when nothing was. */
export async function bookedWith(
  { reservations }: Pick<Services, 'reservations'>,
  { tenantId, propertyId }: Address,
  rooms: readonly ChosenOffer[],
): Promise<Reservation | undefined> {
  const filter = { externalId: externalIdOf(rooms), channel: 'WEBSITE' as const };
  const { items } = await reservations.list(tenantId, filter, 1);
  return items.find((one) => one.propertyId === propertyId);
}

/** The credential by which a guest sees a booking and pays for it. */
export function bookingReference(
  { signed }: Pick<Services, 'signed'>,
  to: Address,
  { id, bookingId }: Pick<Reservation, 'id' | 'bookingId'>,
): string {
  return signed.sign(PURPOSE, bookingId === undefined ? `r~${id}` : `b~${bookingId}`, boundTo(to));
}

/**
 * The rooms of a booking by its reference, which ends as the link of a stay does (docs/guide/my-stay.md#the-link).
 * @throws DomainError RESERVATION_NOT_FOUND for another reference than one of this property, and where it is over
 */
export async function openBooking(services: Services, to: Address, reference: string): Promise<OnlineBooking> {
  const [kind, id] = services.signed.open(PURPOSE, reference, boundTo(to))?.split('~') ?? [];
  if (id === undefined) throw unknown();
  const ids = kind === 'b' ? (await reservationsOf(services, to, id)).map((one) => one.id) : [id];
  const found = await Promise.all(ids.map((one) => services.reservations.get(to.tenantId, one)));
  const opened = await Promise.all(found.map(async (one) => (one && (await isOpen(services, to, one)) ? [one] : [])));
  const known = opened.flat();
  if (known.length === 0) throw unknown();
  return { reservations: known.map(({ reservation }) => reservation), property: known[0]!.property };
}

/** Whether the guest of a room may still see it: the reference is as old as the room. */
async function isOpen(
  { stayPages, clock }: Services,
  { tenantId }: Address,
  found: { reservation: Reservation; property: Property },
): Promise<boolean> {
  const { reservation } = found;
  if (isErased(reservation)) return false;
  const page = await stayPages.get(tenantId, reservation.id);
  return isLinkOpen(reservation.createdAt, found, page ?? {}, clock.now());
}

/** Repeats a request until the same one, which runs at the moment, has its answer. @throws what `work` throws */
export async function afterTwin<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isRunning = error instanceof DomainError && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!isRunning || tries >= TWIN.tries) throw error;
    }
    await pause(TWIN.pauseMs);
  }
}

/** Tokens are unique, so their hash names the booking that is made of them. */
const externalIdOf = (rooms: readonly ChosenOffer[]): string =>
  `web-${hash('sha256', rooms.map(({ quoteToken }) => quoteToken).join(' '), 'hex').slice(0, 32)}`;

const boundTo = ({ tenantId, propertyId }: Address): string => `${tenantId} ${propertyId}`;

const unknown = (): DomainError => new DomainError('RESERVATION_NOT_FOUND', 'This link leads to no booking.');
