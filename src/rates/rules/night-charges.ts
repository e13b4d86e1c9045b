import type { Day } from '../../kernel/rules/dates.ts';
import { type Minor, percentOf } from '../../kernel/rules/money.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { type Party, personsOf, type Stay } from './stay.ts';

/** What of the policies of a property comes on top of the rate of a night; a hold keeps it as it was. */
export type NightCharges = Pick<Policies, 'taxPercent' | 'feePerNight' | 'feePerPersonNight'>;

/** What a quote promises beside the rates of its nights. */
export type QuotedCharges = NightCharges & { currency: string };

export function chargesOf({ taxPercent, feePerNight, feePerPersonNight }: Policies): NightCharges {
  return { taxPercent, feePerNight, feePerPersonNight };
}

/** Tax of one night: percent of its rate, half to even. */
export function nightTax(rate: Minor, { taxPercent }: Pick<NightCharges, 'taxPercent'>): Minor {
  return percentOf(rate, taxPercent);
}

type Occupied = Party & Pick<Stay, 'checkIn' | 'checkOut'>;

/** Fees of one night of a stay, untaxed: a sum a night, and a sum a person and night. */
function nightFee(stay: Occupied, { feePerNight, feePerPersonNight }: NightCharges): Minor {
  return feePerNight + feePerPersonNight * personsOf(stay);
}

/** Fees of a whole stay: what those of its nights add up to. */
export function stayFees(stay: Occupied, charges: NightCharges): Minor {
  return nightFee(stay, charges) * (stay.checkOut - stay.checkIn);
}

/** A night of a stay at a given rate. */
export function bookedNight(stay: Occupied, day: Day, rate: Minor, charges: NightCharges): Night {
  return { day, rate, taxes: nightTax(rate, charges), fees: nightFee(stay, charges) };
}
