import { localTime } from '../../kernel/rules/property-time.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { personsOf } from '../../rates/rules/stay.ts';
import type { WaitingGuest, WaitlistEntry, WaitlistOffer } from '../../stay/rules/waitlist.ts';
import type { Letter } from './letter.ts';
import { longDate, priceText } from './notified-booking.ts';

/** A room that is held for a guest who waited for one; `roomType` is the name of its type. */
export type OfferedRoom = {
  property: Property;
  entry: Pick<WaitlistEntry, 'stay'> & { guest: WaitingGuest; offer: WaitlistOffer };
  roomType: string;
};

/** A room has come free and is held for the guest (docs/reference/waitlist.md#offers). */
export function waitlistOfferLetter({ property, entry, roomType }: OfferedRoom): Letter {
  const { stay, guest, offer } = entry;
  const days = daysUntil(stay.checkIn, stay.checkOut);
  const { day, time } = localTime(offer.expiresAt, property.metadata.timezone);
  return {
    subject: `A room is free for you at ${property.name}`,
    to: `${guest.firstName} ${guest.lastName}`,
    opening: [
      `You asked us for a room, and one has come free. We keep it for you until ${longDate(day)}, ${time} (time at the hotel).`,
    ],
    details: [
      ['Hotel', property.name],
      ['Check-in', longDate(stay.checkIn)],
      ['Check-out', `${longDate(stay.checkOut)}, until ${latestDeparture(days, property.metadata)}`],
      ['Room type', roomType],
      ['Guests', String(personsOf(stay))],
      ['Total', priceText(offer.total, { reservation: offer })],
    ],
    closing: [
      'Please contact us to book it. After that time the room is offered to others, and you are no longer on the list.',
    ],
  };
}
