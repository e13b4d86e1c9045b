import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import { departureOf, nightsOfStay } from '../../../../src/kernel/rules/stay-days.ts';
import { partyOf, type Stay } from '../../../../src/rates/rules/stay.ts';
import { may } from '../../../auth/permissions.ts';
import { mask } from '../../../http/masks.ts';

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

/** Contact data as the caller may see it: masked for a VIEWER (docs/concepts/guests-and-erasure.md#masking). */
export function contactFor(caller: Pick<Caller, 'role'>): (text: string) => string {
  return may(caller, 'contact.read') ? (text) => text : mask;
}
