import type { Night } from './night.ts';

/**
 * A complimentary night (docs/reference/agreed-prices.md#complimentary-nights): it costs nothing, and keeps its price
 * before. One that is complimentary already stays as it is.
 * @param keepsFees fees, and taxes by night, person or stay, are due all the same
 */
export function compedNight(night: Night, keepsFees: boolean): Night {
  if (night.comped) return night;
  const { day, ...comped } = night;
  const lines = comped.taxLines && comped.taxLines.filter(({ fee }) => keepsFees && fee);
  const fees = keepsFees ? comped.fees : 0;
  return { day, rate: 0, taxes: 0, fees, ...(lines && { taxLines: lines }), comped };
}

/** A night at its price before it was made complimentary. */
export function bookedNightOf(night: Night): Night {
  return night.comped ? { day: night.day, ...night.comped } : night;
}
