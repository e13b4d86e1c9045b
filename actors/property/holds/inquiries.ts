import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { BookingRequest } from '../../../src/kernel/rules/commands/stay.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import { chargesDuring } from '../../../src/rates/rules/night-charges.ts';
import { sameStay } from '../../../src/rates/rules/stay.ts';
import {
  type Inquiry,
  INQUIRY_MS,
  type InquiryStatus,
  MAX_INQUIRIES,
  MAX_INQUIRY_MS,
} from '../../../src/stay/rules/inquiry.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { pricingOf } from '../rates/plans.ts';
import { promotionFor } from '../rates/promotions.ts';
import { promisedBasis } from '../stay/promised-basis.ts';
import { chargesNow, checkStay, checkTotal, nightsAt, planOnSale } from '../stay/terms.ts';

const FIELDS = {
  checkIn: { pointer: '/stayDetails/checkIn' },
  checkOut: { pointer: '/stayDetails/checkOut' },
};

type SetupFacts = NonNullable<Facts['setup']>;

/**
 * Keeps the price of a stay for a guest, without a room (docs/reference/inquiries.md#inquiries).
 * @throws DomainError of a quote, except that rooms may be sold out; VALIDATION_FAILED for a time that is over or too
 * far ahead, or too many inquiries
 */
export function decideKeepInquiry(
  draft: Draft,
  { inquiry: wanted, promoCode, expiresAt: until }: CommandOf<'KEEP_INQUIRY'>,
  { now }: DecisionContext,
): Decision<'KEEP_INQUIRY'> {
  const { stay, inquiryId } = wanted;
  const expiresAt = until ?? now + INQUIRY_MS;
  const plan = planOnSale(draft, stay, FIELDS, now);
  if (expiresAt <= now) throw refused('/expiresAt', 'PAST', 'is not in the future');
  if (expiresAt > now + MAX_INQUIRY_MS) throw refused('/expiresAt', 'TOO_LATE', 'is more than 30 days ahead');
  if (draft.inquiries.size >= MAX_INQUIRIES)
    throw refused('/propertyId', 'TOO_MANY', `has ${MAX_INQUIRIES} open inquiries, which is the most`);
  const terms = { stay, ...(promoCode !== undefined && { promoCode }) };
  checkStay(draft, terms, plan);
  const nights = nightsAt(draft, terms, plan, now);
  const lists = nightsAt(draft, { stay }, plan).map(priceOf);
  const slab = draft.slab(stay.roomType)!;
  const basis = promisedBasis(draft, slab, { ...stay, promoCode }, pricingOf(draft.plans, plan), lists);
  const quote = {
    ...(promoCode !== undefined && { promoCode }),
    quoteId: inquiryId,
    expiresAt,
    nightly: nights.map(priceOf),
    charges: chargesDuring(chargesNow(draft), stay),
    ...(basis && { basis }),
  };
  const times = { expiresAt, createdAt: now, updatedAt: now };
  const inquiry: Inquiry = { ...wanted, status: 'OPEN', quote, total: checkTotal(nights), ...times };
  draft.putInquiry(inquiry);
  const { guest: _guest, notes: _notes, ...stored } = inquiry;
  return { result: { inquiry: stored }, entity: inquiryId, facts: { setup: [factOf(inquiry, undefined)] } };
}

/** Ends an inquiry that leads to nothing. @throws DomainError INQUIRY_NOT_FOUND */
export function decideCloseInquiry(
  draft: Draft,
  { inquiryId }: CommandOf<'CLOSE_INQUIRY'>,
  { now }: DecisionContext,
): Decision<'CLOSE_INQUIRY'> {
  const setup = [end(draft, openInquiry(draft, inquiryId), 'CLOSED', now)];
  return { result: { inquiryId, status: 'CLOSED' }, entity: inquiryId, facts: { setup } };
}

/**
 * Checks that a booking out of an inquiry is for its stay. Its expiry is checked as that of a quote; a promotion in
 * the promised price must still have a unit, since none was reserved.
 * @throws DomainError INQUIRY_NOT_FOUND, VALIDATION_FAILED for another stay, and those of `promotionFor`
 */
export function checkInquiry(draft: Draft, { inquiryId, stay, promoCode }: BookingRequest, now: Instant): void {
  if (inquiryId === undefined) return;
  if (!sameStay(openInquiry(draft, inquiryId).stay, stay))
    throw refused('/inquiryId', 'DIFFERS_FROM_INQUIRY', 'is for another stay');
  if (promoCode !== undefined) promotionFor(draft, promoCode, stay, now);
}

/** The inquiry of a reservation is booked with it. @returns what the journal says of that */
export function inquiryBooked(draft: Draft, { id, quoteId }: Reservation, now: Instant): Pick<Facts, 'setup'> {
  const before = quoteId === undefined ? undefined : draft.inquiries.get(quoteId);
  return before ? { setup: [end(draft, before, 'BOOKED', now, { reservationId: id })] } : {};
}

/** Ends the inquiries whose time or arrival day has passed, at the roll. */
export function expireInquiries(draft: Draft, now: Instant): SetupFacts {
  return [...draft.inquiries.values()]
    .filter(({ expiresAt, stay }) => expiresAt <= now || stay.checkIn < draft.today)
    .map((inquiry) => end(draft, inquiry, 'EXPIRED', now));
}

/** Ends every inquiry of a property that is deleted. */
export function closeInquiries(draft: Draft, now: Instant): void {
  for (const inquiry of draft.inquiries.values()) end(draft, inquiry, 'CLOSED', now);
}

function openInquiry(draft: Draft, id: Inquiry['inquiryId']): Inquiry {
  const inquiry = draft.inquiries.get(id);
  if (!inquiry) throw new DomainError('INQUIRY_NOT_FOUND', 'The property has no such inquiry, or it is over.');
  return inquiry;
}

/** An inquiry that is over keeps its stay and its price, and drops its guest. */
function end(
  draft: Draft,
  { guest: _guest, notes: _notes, ...before }: Inquiry,
  status: Exclude<InquiryStatus, 'OPEN'>,
  now: Instant,
  more: Pick<Inquiry, 'reservationId'> = {},
): SetupFacts[0] {
  const next = { ...before, ...more, status, updatedAt: now };
  draft.putInquiry(next);
  return factOf(next, before);
}

function factOf(next: Inquiry, before: Inquiry | undefined): SetupFacts[0] {
  const said = ({ status, stay: { roomType, checkIn, checkOut }, total, reservationId }: Inquiry) => {
    return { status, roomType, checkIn, checkOut, total, ...(reservationId !== undefined && { reservationId }) };
  };
  return { kind: 'inquiry', id: next.inquiryId, before: before ? said(before) : null, after: said(next) };
}

function refused(pointer: string, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The inquiry cannot be kept.', { errors: [{ pointer, code, detail }] });
}
