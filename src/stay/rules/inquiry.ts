import type { VerifiedQuote } from '../../kernel/rules/commands/stay.ts';
import type { InquiryId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Stay } from '../../rates/rules/stay.ts';

/** States of an inquiry (docs/reference/inquiries.md#states); only the first is not over. */
export const INQUIRY_STATUSES = ['OPEN', 'BOOKED', 'EXPIRED', 'CLOSED'] as const;
export type InquiryStatus = (typeof INQUIRY_STATUSES)[number];

/** Open inquiries of a property: all of them are in memory. */
export const MAX_INQUIRIES = 1_000;

const DAY_MS = 86_400_000;
/** How long the price of an inquiry is promised by default. */
export const INQUIRY_MS = 7 * DAY_MS;
/** How long it can be promised at most. */
export const MAX_INQUIRY_MS = 30 * DAY_MS;

/** The guest as typed: no profile is made before a booking. */
type InquiringGuest = { firstName: string; lastName: string; email?: string; phone?: string; language?: Language };

/** A quote stored with a name, without a room: what comes before a reservation. */
export type Inquiry = {
  inquiryId: InquiryId;
  status: InquiryStatus;
  stay: Stay;
  /** The promised price; its `quoteId` is the id of the inquiry. */
  quote: VerifiedQuote;
  total: Minor;
  expiresAt: Instant;
  /** Absent once it is over: a reservation has its own. */
  guest?: InquiringGuest;
  /** May name the guest: absent once it is over. */
  notes?: string;
  /** The reservation that it has become. */
  reservationId?: ReservationId;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Members that are stored as JSON. */
export type InquiryDocument = Pick<Inquiry, 'stay' | 'quote' | 'guest' | 'notes' | 'reservationId'>;
