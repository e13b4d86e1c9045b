import type { Day } from '../../kernel/rules/dates.ts';
import type { BookingEvent } from '../../kernel/rules/journal.ts';
import { type Instant, localTime } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
import { billRows } from './bill-lines.ts';
import { type InvoiceContent, letterOfInvoice } from './invoice-letter.ts';
import type { LetterKind } from './letter-kinds.ts';
import type { LetterTexts } from './letter-texts.ts';
import type { Letter } from './letter.ts';
import { letterOf } from './message.ts';
import type { BookingNotice } from './notification.ts';
import type { NotifiedBooking } from './notified-booking.ts';
import { paymentLinkLetter } from './payment-link-letter.ts';
import { stayLinkLetter } from './stay-link-letter.ts';
import { waitlistOfferLetter } from './waitlist-offer-letter.ts';

/** Nobody: examples are shown to staff, and no guest is. */
const GUEST = { guestId: '', firstName: 'Alex', lastName: 'Sample', email: 'alex.sample@example.com' };
const CONFIRMATION_NUMBER = '7GK2M9X4QD';
const ROOM_TYPE = 'Double room';
/** A stay of two nights, in a month. */
const DAY_MS = 86_400_000;
const AHEAD_DAYS = 30;
const NIGHTS = 2;
const [TOTAL, PAID, TAXES, FEE, COMPENSATION] = [44_000, 22_000, 4_000, 22_000, 5_000];

type Example = { notice: BookingNotice; event?: BookingEvent; status?: string; cancellation?: Partial<Cancellation> };

/** What has happened for each kind of letter about a booking. */
const HAPPENED: Record<
  Exclude<LetterKind, 'WAITLIST_OFFER' | 'INVOICE' | 'PRO_FORMA_INVOICE' | 'PAYMENT_LINK' | 'STAY_LINK'>,
  Example
> = {
  CONFIRMATION: { notice: 'CONFIRMATION' },
  CONFIRMED_AGAIN: { notice: 'CONFIRMATION', event: 'REINSTATED' },
  MODIFICATION: { notice: 'MODIFICATION' },
  OPEN_AGAIN: { notice: 'MODIFICATION', event: 'REINSTATED' },
  CANCELLATION: { notice: 'CANCELLATION', cancellation: { reason: 'GUEST_REQUEST', penalty: 0, refund: PAID } },
  EXPIRY: { notice: 'CANCELLATION', cancellation: { reason: 'HOLD_EXPIRED', penalty: 0, refund: 0 } },
  NO_SHOW: { notice: 'CANCELLATION', status: 'NO_SHOW', cancellation: { penalty: FEE, refund: 0 } },
  WALK: {
    notice: 'CANCELLATION',
    cancellation: { reason: 'WALKED', refund: PAID, walk: { to: 'Hotel Example', compensation: COMPENSATION } },
  },
  REMINDER: { notice: 'REMINDER' },
  PAYMENT_FAILED: { notice: 'PAYMENT_FAILED' },
  LAST_PAYMENT_FAILED: { notice: 'PAYMENT_FAILED', cancellation: { reason: 'NO_PAYMENT' } },
};

/** A letter of a kind of a property, about the stay of an invented guest. */
export function exampleLetter(kind: LetterKind, property: Property, texts: LetterTexts, now: Instant): Letter {
  const { timezone, currency } = property.metadata;
  const arrival = localTime(now, timezone).day + AHEAD_DAYS;
  const departure = arrival + NIGHTS;
  if (kind === 'WAITLIST_OFFER') {
    const stay = { checkIn: arrival, checkOut: departure, adults: 2, children: 0, roomType: '', rateCode: '' };
    const offer = { holdId: '', expiresAt: now + DAY_MS, total: TOTAL, currency };
    return waitlistOfferLetter({ property, entry: { stay, guest: GUEST, offer }, roomType: ROOM_TYPE }, texts);
  }
  if (kind === 'INVOICE' || kind === 'PRO_FORMA_INVOICE') {
    const isIssued = kind === 'INVOICE';
    return letterOfInvoice(exampleInvoice(property, { arrival, departure, isIssued }, texts), texts);
  }
  if (kind === 'PAYMENT_LINK' || kind === 'STAY_LINK') {
    const stay = { checkIn: arrival, checkOut: departure, adults: 2, children: 0, roomType: '', rateCode: '' };
    const reservation = { stay, guest: GUEST, confirmationNumber: CONFIRMATION_NUMBER, currency };
    if (kind === 'STAY_LINK') return stayLinkLetter({ reservation, property, url: '#' }, texts);
    const money = { bill: { total: TOTAL, paid: PAID }, due: TOTAL - PAID };
    return paymentLinkLetter({ reservation, property, ...money, url: '#', expiresAt: now + DAY_MS }, texts);
  }
  const { notice, ...happened } = HAPPENED[kind];
  return letterOf(notice, exampleBooking(property, { ...happened, arrival, departure, now }), texts, now);
}

function exampleInvoice(
  property: Property,
  stay: Pick<InvoiceContent, 'arrival' | 'departure' | 'isIssued'>,
  texts: LetterTexts,
): InvoiceContent {
  const night = { description: `Night, ${ROOM_TYPE}`, code: 'NIGHT', amount: (TOTAL - TAXES) / NIGHTS };
  const lines = Array.from({ length: NIGHTS }, (_, index) => ({ day: stay.arrival + index, ...night, taxes: 0 }));
  return {
    ...stay,
    property,
    number: 'INV-1042',
    issuedTo: { name: `${GUEST.firstName} ${GUEST.lastName}` },
    confirmationNumber: CONFIRMATION_NUMBER,
    currency: property.metadata.currency,
    rows: billRows(texts, { lines, taxes: TAXES }, { known: [], rooms: new Map() }),
    total: TOTAL,
    creditNotes: [],
    paid: PAID,
    balance: TOTAL - PAID,
  };
}

function exampleBooking(
  property: Property,
  {
    event,
    status = 'CONFIRMED',
    cancellation,
    arrival,
    departure,
    now,
  }: Omit<Example, 'notice'> & {
    arrival: Day;
    departure: Day;
    now: Instant;
  },
): NotifiedBooking {
  return {
    property,
    booking: {
      event,
      status,
      checkIn: arrival,
      checkOut: departure,
      total: TOTAL,
      paid: PAID,
      guests: 2,
      confirmationNumber: CONFIRMATION_NUMBER,
      heldUntil: now + DAY_MS,
    },
    reservation: {
      guest: GUEST,
      currency: property.metadata.currency,
      cancellationPolicy: 'STANDARD',
      ...(cancellation && { cancellation: cancellation as Cancellation }),
    },
    instalment: TOTAL - PAID,
    roomType: ROOM_TYPE,
    stayUrl: '#',
  };
}
