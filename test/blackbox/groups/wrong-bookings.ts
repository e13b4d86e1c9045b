import type { BlackboxProperty, Wish } from '../property.ts';

/** A create that must be refused with 400, and the fields that the answer must complain about. */
export type WrongBooking = { what: string; wish: Wish; pointers: string[]; code?: string };

const stay = (what: string, more: Record<string, unknown>, ...fields: string[]): WrongBooking => ({
  what,
  wish: { stay: more },
  pointers: fields.map((field) => `/stayDetails/${field}`),
});

const guest = (what: string, more: Record<string, unknown>, field: string): WrongBooking => ({
  what,
  wish: { guest: more },
  pointers: [`/guestInfo/${field}`],
});

const top = (what: string, more: Record<string, unknown>, pointer: string, code?: string): WrongBooking => ({
  what,
  wish: { more },
  pointers: [pointer],
  code,
});

const card = (cardToken: unknown): Record<string, unknown> => ({
  paymentDetails: { method: 'CREDIT_CARD', cardToken },
});
const preferring = (preferences: Record<string, unknown>): Record<string, unknown> => ({ preferences });

/** Wrong dates (docs/reference/api.md#dates-and-times). */
export function wrongDates(property: BlackboxProperty): WrongBooking[] {
  const between = (from: number, to: number) => ({ checkIn: property.day(from), checkOut: property.day(to) });
  const february = Number(property.day(0).slice(0, 4)) + 1;
  return [
    stay('an arrival in the past', between(-3, -1), 'checkIn'),
    stay('no night', between(20, 20), 'checkOut'),
    stay('a departure before the arrival', between(22, 20), 'checkOut'),
    stay('31 February', { checkIn: `${february}-02-31`, checkOut: `${february}-03-03` }, 'checkIn'),
    stay('a departure on 31 April', { checkOut: `${february}-04-31` }, 'checkOut'),
    stay('a date in words', { checkIn: 'tomorrow' }, 'checkIn'),
    stay('a timestamp for a date', { checkIn: `${property.day(20)}T00:00:00Z` }, 'checkIn'),
    stay('91 nights', between(10, 101)),
    stay('nights beyond the horizon', between(729, 740)),
    stay('nights that disagree with the dates', { nights: 9 }, 'nights'),
  ];
}

/** Wrong types, bounds and enums of every field of a create. */
export function wrongFields(): WrongBooking[] {
  const billing = { name: 'x'.repeat(300), country: 7 };
  return [
    stay('adults as a text', { adults: '2' }, 'adults'),
    stay('half an adult', { adults: 1.5 }, 'adults'),
    stay('no adult', { adults: 0 }, 'adults'),
    stay('negative adults', { adults: -1 }, 'adults'),
    stay('21 adults', { adults: 21 }, 'adults'),
    stay('negative children', { children: -1 }, 'children'),
    stay('21 children', { children: 21 }, 'children'),
    stay('a room type as a number', { roomType: 5 }, 'roomType'),
    stay('a room type of 51 characters', { roomType: 'x'.repeat(51) }, 'roomType'),
    stay('a negative maxTotal', { maxTotal: -1 }, 'maxTotal'),
    stay('a maxTotal with three decimals', { maxTotal: 1.005 }, 'maxTotal'),
    stay('an unknown field of the stay', { surprise: 1 }, 'surprise'),
    guest('an e-mail without @', { email: 'nobody' }, 'email'),
    guest('an e-mail of 255 characters', { email: `${'x'.repeat(243)}@example.com` }, 'email'),
    guest('a first name of 101 characters', { firstName: 'x'.repeat(101) }, 'firstName'),
    guest('an empty last name', { lastName: '' }, 'lastName'),
    guest('a name that cannot be stored', { lastName: 'a\0b' }, 'lastName'),
    guest('a phone of 31 characters', { phone: '1'.repeat(31) }, 'phone'),
    guest('an unknown floor preference', preferring({ floorPreference: 'ROOF' }), 'preferences/floorPreference'),
    guest('an unknown bed type', preferring({ bedType: 'HAMMOCK' }), 'preferences/bedType'),
    guest(
      'an unknown smoking preference',
      preferring({ smokingPreference: 'PIPE' }),
      'preferences/smokingPreference',
    ),
    top('an unknown payment method', { paymentDetails: { method: 'BITCOIN' } }, '/paymentDetails/method'),
    top('a card without its token', { paymentDetails: { method: 'CREDIT_CARD' } }, '/paymentDetails/cardToken'),
    top('a card token as a number', card(42), '/paymentDetails/cardToken'),
    top('a raw card number', card('4111111111111111'), '/paymentDetails/cardToken', 'RAW_CARD_NUMBER'),
    top('a raw card number of 13 digits', card('4222222222222'), '/paymentDetails/cardToken', 'RAW_CARD_NUMBER'),
    top(
      'a raw card number of 19 digits',
      card('6304000000000000000'),
      '/paymentDetails/cardToken',
      'RAW_CARD_NUMBER',
    ),
    top(
      'an unusable billing address',
      { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa', billingAddress: billing } },
      '/paymentDetails/billingAddress/country',
    ),
    top('special requests as a text', { specialRequests: 'a cot' }, '/specialRequests'),
    top('21 special requests', { specialRequests: Array.from({ length: 21 }, () => 'a') }, '/specialRequests'),
    top('a special request of 501 characters', { specialRequests: ['x'.repeat(501)] }, '/specialRequests/0'),
    top('an unknown channel', { source: { channel: 'TELEX' } }, '/source/channel'),
    top('a medium of 51 characters', { source: { channel: 'DIRECT', medium: 'x'.repeat(51) } }, '/source/medium'),
    top(
      'a campaign of 51 characters',
      { source: { channel: 'DIRECT', campaign: 'x'.repeat(51) } },
      '/source/campaign',
    ),
    top('a field that nobody knows', { surprise: 1 }, '/surprise'),
    top('a property id as a number', { propertyId: 5 }, '/propertyId'),
    top('a guest as a text', { guestInfo: 'Ada' }, '/guestInfo'),
    top('no stay', { stayDetails: undefined }, '/stayDetails'),
  ];
}
