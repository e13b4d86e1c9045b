import { departureOf } from '../../kernel/rules/stay-days.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Letter, letterOfKind } from './letter.ts';

/** A stay whose page a link opens. */
type StayOfLink = {
  reservation: Pick<Reservation, 'stay' | 'confirmationNumber'> & {
    guest: Pick<Reservation['guest'], 'firstName' | 'lastName'>;
  };
  property: Property;
  url: string;
};

/** The mail with the link of a stay that staff send (docs/guide/my-stay.md#at-the-desk). */
export function stayLinkLetter({ reservation, property, url }: StayOfLink, texts: LetterTexts): Letter {
  const { stay, guest, confirmationNumber } = reservation;
  const values = {
    guest: `${guest.firstName} ${guest.lastName}`,
    property: property.name,
    confirmationNumber,
    arrival: texts.day(stay.checkIn),
    departure: texts.day(departureOf(stay)),
  };
  return letterOfKind('STAY_LINK', values, {
    details: [
      [texts.text('confirmationNumber'), confirmationNumber],
      [texts.text('hotel'), property.name],
      [texts.text('checkIn'), values.arrival],
      [texts.text('checkOut'), values.departure],
    ],
    link: { label: texts.text('stayLink'), url },
  });
}
