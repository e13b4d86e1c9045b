import type { Day } from '../../kernel/rules/dates.ts';
import { incrementOf, type Minor, percentOf, roundTo } from '../../kernel/rules/money.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { type Party, personsOf, type Stay } from './stay.ts';

/** What of the policies of a property comes on top of the rate of a night; a hold keeps it as it was. */
export type NightCharges = Pick<Policies, 'taxPercent' | 'feePerNight' | 'feePerPersonNight'>;

/** What a quote promises beside the rates of its nights. */
export type QuotedCharges = NightCharges & { currency: string };

/** What of a property says what a night costs beside its rate. */
export type SaleTerms = { policies: Policies; currency: string };

export function chargesOf({
  policies: { taxPercent, feePerNight, feePerPersonNight },
  currency,
}: SaleTerms): QuotedCharges {
  return { taxPercent, feePerNight, feePerPersonNight, currency };
}

/** Tax of one night: percent of its rate, half to even in what the currency has. */
export function nightTax(
  rate: Minor,
  { taxPercent, currency }: Pick<QuotedCharges, 'taxPercent' | 'currency'>,
): Minor {
  return percentOf(rate, taxPercent, incrementOf(currency));
}

type Occupied = Party & Pick<Stay, 'checkIn' | 'checkOut'>;

/** Fees of one night of a stay, untaxed: a sum a night, and a sum a person and night. */
function nightFee(stay: Occupied, { feePerNight, feePerPersonNight, currency }: QuotedCharges): Minor {
  // Those of a tenant are for properties of all currencies.
  return roundTo(feePerNight + feePerPersonNight * personsOf(stay), incrementOf(currency));
}

/** Fees of a whole stay: what those of its nights add up to. */
export function stayFees(stay: Occupied, charges: QuotedCharges): Minor {
  return nightFee(stay, charges) * (stay.checkOut - stay.checkIn);
}

/** A night of a stay at a given rate; one that was agreed or promised in cents is rounded where there are none. */
export function bookedNight(stay: Occupied, day: Day, agreed: Minor, charges: QuotedCharges): Night {
  const rate = roundTo(agreed, incrementOf(charges.currency));
  return { day, rate, taxes: nightTax(rate, charges), fees: nightFee(stay, charges) };
}
