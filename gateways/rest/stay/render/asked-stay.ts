import { departureOf, nightsOfStay } from '../../../../src/kernel/rules/stay-days.ts';
import { partyOf, type Stay } from '../../../../src/rates/rules/stay.ts';

/** A stay before it is a reservation. */
export function renderAskedStay(stay: Stay) {
  const { checkIn, dayUse, roomType, rateCode } = stay;
  return {
    checkIn,
    checkOut: departureOf(stay),
    ...(dayUse && { dayUse }),
    nights: nightsOfStay(stay),
    ...partyOf(stay),
    roomType,
    rateCode,
  };
}
