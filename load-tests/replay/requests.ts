import { formatDay } from '../../src/kernel/rules/dates.ts';
import { guestOf } from './guests.ts';
import type { PlannedEvent } from './plan.ts';

/** Market segments of the file as channels (`source.channel`, docs/reference/reservations.md#book). */
const CHANNELS: Record<string, string> = {
  'Online TA': 'OTA',
  'Offline TA/TO': 'OTA',
  Direct: 'DIRECT',
  Groups: 'GROUP',
  Corporate: 'CORPORATE',
};

/** How a booking is sold and paid. */
export type Terms = { rateCode: string; byCard: boolean };

const USUAL: Terms = { rateCode: 'BAR', byCard: true };

/** The JSON body of an event, as the REST API takes it. */
export function bodyOf(event: PlannedEvent, propertyId: string, terms = USUAL): unknown {
  if (event.kind === 'create') return createBody(event, propertyId, terms);
  if (event.kind === 'amend') return amendBody(event);
  return { reason: 'GUEST_REQUEST', cancelledBy: 'guest', refundRequested: true };
}

function createBody({ planned }: PlannedEvent, propertyId: string, { rateCode, byCard }: Terms): unknown {
  const { booking, story, arrival } = planned;
  return {
    propertyId,
    guestInfo: guestOf(booking.row),
    stayDetails: {
      checkIn: formatDay(arrival),
      checkOut: formatDay(arrival + story.nights),
      adults: story.adults,
      children: booking.children,
      roomType: booking.roomType,
      rateCode,
    },
    ...(byCard && { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } }),
    specialRequests: story.specialRequests,
    source: { channel: CHANNELS[booking.marketSegment] ?? 'DIRECT', medium: booking.distributionChannel },
  };
}

/**
 * The hotel amends, not the guest: a guest's changes end 24 hours before arrival, and the first arrivals of the replay
 * are tomorrow whatever the day of the change.
 */
function amendBody({ planned, amendment }: PlannedEvent & { kind: 'amend' }): unknown {
  const { adults, nights, specialRequests } = amendment;
  const stayDetails = {
    ...(adults === undefined ? {} : { adults }),
    ...(nights === undefined ? {} : { checkOut: formatDay(planned.arrival + nights) }),
  };
  return {
    modifications: {
      ...(Object.keys(stayDetails).length > 0 ? { stayDetails } : {}),
      ...(specialRequests ? { specialRequests } : {}),
    },
    reason: 'recorded change of the booking',
    modifiedBy: 'replay',
  };
}
