import { v7 as uuidv7 } from 'uuid';

import type { CommandOf } from '../../kernel/rules/commands.ts';
import { type Day, isWeekend, WEEKDAYS } from '../../kernel/rules/dates.ts';
import { createPropertyBody } from '../../properties/contracts/properties.ts';
import { creationOf } from '../../properties/operations/set-up-property.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { DemoProperty, DemoType } from '../rules/hotels.ts';

/** Nights that can be booked ahead. */
const HORIZON_NIGHTS = 730;

/** Rooms of a floor, and floors of a room type, in the demo properties. */
const ROOMS_A_FLOOR = 20;
const FLOORS_A_TYPE = 4;

/** Creates a demo property with its plans. @param tenants policies of the tenant */
export function creationOfDemo(property: DemoProperty, tenants: Partial<Policies>): CommandOf<'CREATE_PROPERTY'> {
  const { propertyId, name, propertyType, currency, timezone, city, country, taxPercent, strategy } = property;
  const body = createPropertyBody.parse({
    propertyId,
    name,
    propertyType,
    address: { addressLine1: '1 Demo Street', city, state: city, zipCode: '10000', country },
    contact: { phone: '+1 555 0100', email: `desk@${propertyId}.example.com` },
    metadata: {
      currency,
      timezone,
      starRating: 4,
      amenities: ['WIFI', 'BREAKFAST', 'PARKING'],
      bookingPage: { enabled: true },
      policies: { taxPercent, feePerPersonNight: 2 },
    },
  });
  const { horizonNights } = { horizonNights: HORIZON_NIGHTS, ...body.metadata.policies };
  return creationOf(body, tenants, { strategy, maxAdvanceBooking: horizonNights });
}

/** A room type of a demo property and its rooms. @param index of the type in its property */
export function roomsOfDemo(
  { code, name, rooms, sleeps, weekday, weekend }: DemoType,
  index: number,
): [CommandOf<'PUT_ROOM_TYPE'>, CommandOf<'PUT_ROOMS'>] {
  const roomType = {
    roomType: code,
    name,
    maxAdults: sleeps,
    maxChildren: 2,
    maxGuests: sleeps + 1,
    totalRooms: rooms,
    amenities: [],
    rollingRates: { weekday, weekend },
  };
  const numbered = Array.from({ length: rooms }, (_, room) => {
    const floor = 1 + index * FLOORS_A_TYPE + Math.floor(room / ROOMS_A_FLOOR);
    const roomNumber = `${floor}${String(1 + (room % ROOMS_A_FLOOR)).padStart(2, '0')}`;
    return { roomNumber, roomType: code, floor, status: 'AVAILABLE' as const, features: [], updatedAt: 0 };
  });
  return [
    { type: 'PUT_ROOM_TYPE', roomType, mode: 'put' },
    { type: 'PUT_ROOMS', rooms: numbered, mode: 'put' },
  ];
}

/** The rates that a type starts with, from a first to a last night. */
export function ratesOfDemo(
  { code: roomType, weekday, weekend }: DemoType,
  { start, end }: { start: Day; end: Day },
): CommandOf<'SET_BASE_RATES'> {
  // 1970-01-04 was a Sunday, and so is index 0 of WEEKDAYS.
  const sunday: Day = 3;
  const rates = WEEKDAYS.map((day, offset) => ({
    weekday: day,
    rate: isWeekend(sunday + offset) ? weekend : weekday,
  }));
  return { type: 'SET_BASE_RATES', rateId: uuidv7(), roomType, start, end, rates, seasons: [] };
}
