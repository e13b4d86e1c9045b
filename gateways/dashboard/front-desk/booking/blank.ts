import { addDays } from '../../grid/days.ts';
import type { FrontDesk } from '../front-desk.ts';
import { partyKey, roomsOfForm } from './offers.ts';
import type { BookingForm, Prefill, RoomForm } from './shapes.ts';

const ROOM: RoomForm = { adults: 2, childAges: [], roomType: '', rateCode: 'BAR' };

/** What prices depend on. */
export function askedOf(form: BookingForm): string {
  const { checkIn, checkOut, promoCode } = form;
  const parties = new Set(roomsOfForm(form).map(partyKey));
  return [checkIn, checkOut, promoCode.trim(), ...parties].join(' ');
}

export function emptyForm(desk: FrontDesk, { kind }: Prefill): BookingForm {
  const today = desk.today.peek();
  return {
    kind,
    checkIn: today,
    checkOut: addDays(today, 1),
    differ: false,
    rooms: [kind === 'walk-in' ? { ...ROOM, adults: 1 } : ROOM],
    roomNumber: '',
    guestId: '',
    firstName: '',
    lastName: '',
    email: '',
    phone: '',
    requests: '',
    promoCode: '',
    channel: 'PHONE',
    pays: '',
    companyId: '',
  };
}

/** A form with what is known; a draft whose arrival has passed begins today. */
export function filled(form: BookingForm, prefill: Prefill, today: string): BookingForm {
  const { checkIn, checkOut, roomType, roomNumber } = prefill;
  const isOver = form.checkIn < today;
  return {
    ...form,
    ...(isOver && { checkIn: today, checkOut: addDays(today, 1) }),
    ...(checkIn !== undefined && checkOut !== undefined && { checkIn, checkOut }),
    ...(roomNumber !== undefined && { roomNumber, differ: false, rooms: form.rooms.slice(0, 1) }),
    ...(roomType !== undefined && { rooms: [{ ...form.rooms[0]!, roomType }], differ: false }),
  };
}
