import { formatDay } from '../../kernel/rules/dates.ts';
import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Property } from '../../properties/rules/property.ts';
import { type OfferTerms, termsFor } from '../../stay/operations/online/offer-terms.ts';
import { bookingTermsOf } from '../../stay/rules/booking-terms.ts';
import { guaranteeOf } from '../../stay/rules/guarantee.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { QuoteOutput, StayOutput } from '../contracts/tool-outputs.ts';
import { plainText } from '../rules/agent-bounds.ts';

/** An amount as agents read it: a decimal with two places. */
export const decimalOf = (amount: Minor): number => Number(decimalText(amount));

/** When cancelling is free, and what it costs later. */
export function cancelTerms({ freeUntil, lateCost }: OfferTerms): QuoteOutput['cancellation'] {
  return { freeUntil: freeUntil === null ? null : formatInstant(freeUntil), lateCost: decimalOf(lateCost) };
}

/** A reservation as its agent sees it: the stay and its money, and nothing of the guest. */
export function stayAnswer(reservation: Reservation, { name, metadata }: Property): StayOutput {
  const { stay, nights, currency, paid, holdExpiresAt } = reservation;
  const { total } = folioTotals(reservation);
  const { policies } = metadata;
  const terms = termsFor(
    bookingTermsOf(reservation, policies),
    guaranteeOf(reservation, policies),
    { ...stay, nights, currency },
    metadata,
  );
  const { adults, children, roomType, rateCode } = stay;
  return {
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    status: reservation.status,
    propertyId: reservation.propertyId,
    propertyName: plainText(name),
    roomType,
    rateCode,
    checkIn: formatDay(stay.checkIn),
    checkOut: formatDay(departureOf(stay)),
    adults,
    children,
    total: decimalOf(total),
    paid: decimalOf(paid),
    balanceDue: decimalOf(total - paid),
    currency,
    holdExpiresAt: holdExpiresAt === undefined ? null : formatInstant(holdExpiresAt),
    cancellation: cancelTerms(terms),
  };
}
