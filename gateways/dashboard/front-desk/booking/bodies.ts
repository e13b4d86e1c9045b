import { type Attempt } from './api.ts';
import { roomsOfForm, sumOfAmounts } from './offers.ts';
import type { BookingForm, StayOffer } from './shapes.ts';

/**
 * The create of a form: a single room at the quoted price, several rooms at no more than the total that is shown. So
 * the price that is shown is the price that is booked.
 */
export function bookingBodyOf(
  propertyId: string,
  form: BookingForm,
  chosen: readonly StayOffer[],
  cardToken: string,
): Omit<Attempt, 'key'> {
  const { checkIn, checkOut } = form;
  const rooms = roomsOfForm(form);
  const isInvoiced = chosen.some(({ guarantee }) => guarantee === 'COMPANY');
  const common = {
    propertyId,
    guestInfo: guestOf(form),
    ...(isInvoiced && { companyId: form.companyId }),
    ...(!isInvoiced && form.pays === 'CARD' && { paymentDetails: { method: 'CREDIT_CARD', cardToken } }),
    ...(form.requests.trim() !== '' && { specialRequests: [form.requests.trim()] }),
    source: { channel: form.kind === 'walk-in' ? 'WALKIN' : form.channel },
  };
  const maxTotal = sumOfAmounts(chosen.map(({ total }) => total));
  const promoCode = form.promoCode.trim();
  const [first] = chosen;
  const party = ({ adults, childAges }: (typeof rooms)[number]): object => ({
    adults,
    ...(childAges.length > 0 && { childAges }),
  });
  if (rooms.length === 1 && first) {
    const { quoteToken } = first;
    const price = quoteToken === undefined ? { ...(promoCode !== '' && { promoCode }) } : { quoteToken };
    const stayDetails = {
      checkIn,
      checkOut,
      ...party(rooms[0]!),
      roomType: first.roomType,
      rateCode: first.plan.code,
      ...price,
      maxTotal,
    };
    const roomWishes = form.roomNumber === '' ? {} : { roomWishes: [{ kind: 'ROOM', value: form.roomNumber }] };
    return { path: '/api/v1/reservations', body: { ...common, stayDetails, ...roomWishes } };
  }
  const stayDetails = { checkIn, checkOut, maxTotal, ...(promoCode !== '' && { promoCode }) };
  return {
    path: '/api/v1/bookings',
    body: {
      ...common,
      stayDetails,
      rooms: rooms.map((room, n) => ({
        roomType: chosen[n]!.roomType,
        ratePlan: chosen[n]!.plan.code,
        ...party(room),
      })),
    },
  };
}

/** A request for the waitlist: any price, under the best available rate. */
export function waitBody(propertyId: string, form: BookingForm, roomType: string): object {
  const { checkIn, checkOut } = form;
  const { adults, childAges } = form.rooms[0]!;
  const stay = { checkIn, checkOut, adults, ...(childAges.length > 0 && { childAges }), roomType };
  return { propertyId, guestInfo: guestOf(form), stayDetails: stay };
}

function guestOf({ firstName, lastName, email, phone }: BookingForm): object {
  return {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(phone.trim() !== '' && { phone: phone.trim() }),
  };
}
