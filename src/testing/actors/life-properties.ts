import type { Policies } from '../../properties/rules/property.ts';
import type { Tax } from '../../properties/rules/tax.ts';

/** A tax included in the price, or as given. */
function tax(code: string, value: number, of: Partial<Tax> = {}): Tax {
  return { code, name: code, kind: 'PERCENT', value, included: of.kind === undefined, on: 'ROOM', ...of };
}

const ONCE = tax('ONCE', 900, { kind: 'PER_STAY' });

/** Properties that differ in every setting about money; in one of them guests get a service each day. */
export const LIFE_PROPERTIES: Partial<Policies>[] = [
  {},
  { depositPercent: 30 },
  { depositPercent: 0 },
  { autoConfirmation: false, depositPercent: 50 },
  { paymentRequired: false, earlyDepartureNights: 1, stayOverServiceNights: 1 },
  { paymentRequired: false, freeCancellationHours: 720, feePerNight: 333 },
  { freeCancellationHours: 0, taxPercent: 7.5, modificationDeadlineHours: 72 },
  { autoConfirmation: false, paymentRequired: false },
  { depositPercent: 33.33, earlyDepartureNights: 2, taxPercent: 13 },
  {
    taxes: [tax('VAT', 10), tax('CITY', 250, { kind: 'PER_PERSON_NIGHT', maxNights: 2, minAge: 14 }), ONCE],
    depositPercent: 50,
  },
  {
    taxPercent: 5,
    feePerNight: 150,
    taxes: [tax('VAT', 7.25), tax('LEVY', 3.5, { included: false, maxNights: 3 }), ONCE],
    earlyDepartureNights: 1,
  },
];

/** Plans under which a card pays at once, and all plans. */
export const PAYABLE = ['BAR', 'FLEX', 'NRF', 'OWN'];
export const BOOKABLE = [...PAYABLE, 'CARD', 'DESK', 'CORP'];
