import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type {
  bookingCurveAnswer,
  competitorRatesAnswer,
  salesMixAnswer,
} from '../../../src/revenue/contracts/sales-figures.ts';
import { read, type SignedAccess } from '../api.ts';

export type BookingCurve = WireOf<typeof bookingCurveAnswer>;
export type SalesMixView = WireOf<typeof salesMixAnswer>;
export type CompetitorRatesView = WireOf<typeof competitorRatesAnswer>;

/** Nights of a property, both inclusive. */
type ChartNights = { propertyId: string; from: string; to: string };

/** @throws ApiError */
export const fetchCurve = (access: SignedAccess, nights: ChartNights): Promise<BookingCurve> =>
  read(access, 'reservation', '/api/v1/analytics/booking-curve', nights);

/** @throws ApiError */
export const fetchMix = (access: SignedAccess, nights: ChartNights): Promise<SalesMixView> =>
  read(access, 'reservation', '/api/v1/analytics/sales-mix', nights);

/** @throws ApiError */
export const fetchCompetitors = (
  access: SignedAccess,
  of: ChartNights & { roomType: string },
): Promise<CompetitorRatesView> => read(access, 'reservation', '/api/v1/analytics/competitor-rates', of);
