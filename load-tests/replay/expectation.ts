import type { Code } from '../../src/kernel/rules/domain-error.ts';
import type { RealBooking } from './bookings.ts';
import type { InferredType } from './hotel.ts';

/**
 * Hard limits (docs/reference/api.md#dates-and-times), and the longest stay of the plan that a property starts with.
 */
const MAX_PEOPLE = 20;
const MAX_NIGHTS = 90;
const PLAN_NIGHTS = 30;

/**
 * Codes with which a booking of the file may be rejected regardless of sales: empty when only a lack of rooms may
 * reject it. Which of several violated rules is named first is the service's choice.
 */
export function foreseenRejections(
  booking: RealBooking,
  types: ReadonlyMap<string, InferredType>,
): ReadonlySet<Code> {
  const { nights, adults, children } = booking;
  if (nights < 1 || nights > MAX_NIGHTS || adults < 1 || adults > MAX_PEOPLE || children > MAX_PEOPLE) {
    return new Set(['VALIDATION_FAILED']);
  }
  const codes = new Set<Code>();
  const type = types.get(booking.roomType);
  if (!type) codes.add('UNKNOWN_ROOM_TYPE');
  else if (adults > type.maxAdults || children > type.maxChildren || adults + children > type.maxGuests) {
    codes.add('OCCUPANCY_EXCEEDED');
  }
  if (nights > PLAN_NIGHTS) codes.add('MAX_STAY');
  return codes;
}
