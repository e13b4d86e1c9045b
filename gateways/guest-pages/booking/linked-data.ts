import { instantAt, formatInstant } from '../../../src/kernel/rules/property-time.ts';
import { totals } from '../../../src/money/rules/night.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import type { FoundOffers } from '../../../src/stay/operations/online/find-offers.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { type PageContext, bookingPath } from './page-context.ts';

const SCHEMA = 'https://schema.org';

/** The property for search engines, and after a search its offers. */
export function hotelData(page: PageContext, property: Property, found?: FoundOffers): object {
  const offers = found?.rooms[0]?.types.flatMap(({ type, offers: all }) =>
    all.map(({ total, currency, planName }) => ({
      '@type': 'Offer',
      name: `${type.name}, ${planName}`,
      price: (total / 100).toFixed(2),
      priceCurrency: currency,
      availability: `${SCHEMA}/InStock`,
      itemOffered: { '@type': 'HotelRoom', name: type.name },
    })),
  );
  return {
    '@context': SCHEMA,
    ...hotelOf(property),
    url: page.origin + bookingPath(page),
    ...(offers && offers.length > 0 && { makesOffer: offers }),
  };
}

/** A booking, as mail programs and assistants read it. */
export function reservationData(
  { confirmationNumber, status, guest, stay, nights, currency }: Reservation,
  property: Property,
): object {
  const { checkInTime, checkOutTime, timezone } = property.metadata;
  return {
    '@context': SCHEMA,
    '@type': 'LodgingReservation',
    reservationNumber: confirmationNumber,
    reservationStatus: `${SCHEMA}/${status === 'CANCELLED' ? 'ReservationCancelled' : 'ReservationConfirmed'}`,
    underName: { '@type': 'Person', name: `${guest.firstName} ${guest.lastName}` },
    reservationFor: hotelOf(property),
    checkinTime: formatInstant(instantAt(stay.checkIn, checkInTime, timezone)),
    checkoutTime: formatInstant(instantAt(stay.checkOut, checkOutTime, timezone)),
    numAdults: stay.adults,
    numChildren: stay.children,
    totalPrice: (totals(nights).total / 100).toFixed(2),
    priceCurrency: currency,
  };
}

function hotelOf({ name, address, contact, metadata: { starRating, checkInTime, checkOutTime } }: Property): object {
  return {
    '@type': 'Hotel',
    name,
    ...(address && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: address.addressLine1,
        addressLocality: address.city,
        addressRegion: address.state,
        postalCode: address.zipCode,
        addressCountry: address.country,
      },
    }),
    ...(contact?.phone !== undefined && { telephone: contact.phone }),
    ...(contact?.email !== undefined && { email: contact.email }),
    ...(starRating !== undefined && { starRating: { '@type': 'Rating', ratingValue: starRating } }),
    checkinTime: checkInTime,
    checkoutTime: checkOutTime,
  };
}
