import { daysUntil, nightsOfStay } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import { latestDeparture } from '../../rates/rules/day-use.ts';
import { personsOf } from '../../rates/rules/stay.ts';
import type { WaitingGuest, WaitlistEntry, WaitlistOffer } from '../../stay/rules/waitlist.ts';
import { type LetterTexts, propertyMoment } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';
import { priceText } from './notified-booking.ts';

/** A room that is held for a guest who waited for one; `roomType` is the name of its type. */
export type OfferedRoom = {
  property: Property;
  entry: Pick<WaitlistEntry, 'stay'> & { guest: WaitingGuest; offer: WaitlistOffer };
  roomType: string;
};

/** A room has come free and is held for the guest (docs/reference/waitlist.md#offers). */
export function waitlistOfferLetter({ property, entry, roomType }: OfferedRoom, texts: LetterTexts): Letter {
  const { stay, guest, offer } = entry;
  const days = daysUntil(stay.checkIn, stay.checkOut);
  const [arrival, departure] = [texts.day(stay.checkIn), texts.day(stay.checkOut)];
  const amount = priceText(texts, offer.total, { reservation: offer });
  const persons = personsOf(stay);
  const values = {
    guest: `${guest.firstName} ${guest.lastName}`,
    property: property.name,
    arrival,
    departure,
    roomType,
    amount,
    nights: nightsOfStay(stay),
    guests: persons,
    until: propertyMoment(texts, offer.expiresAt, property),
  };
  return letterOfKind('WAITLIST_OFFER', values, {
    details: [
      [texts.text('hotel'), property.name],
      [texts.text('checkIn'), arrival],
      [
        texts.text('checkOut'),
        texts.text('until', { day: departure, time: latestDeparture(days, property.metadata) }),
      ],
      [texts.text('roomType'), roomType],
      [texts.text('guests'), String(persons)],
      [texts.text('total'), amount],
    ],
  });
}
