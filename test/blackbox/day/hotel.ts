import { randomUUID } from 'node:crypto';

import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Service } from '../service.ts';
import type { Reservation } from '../shapes.ts';

/** Rooms by number; suites are the better ones. */
const ROOMS = { DLX: ['101', '102', '103', '104', '105', '106', '107', '108', '109', '110'], STE: ['201', '202'] };

const POLICIES = { autoAssign: false, noShowGraceMinutes: 0 };

/** A small hotel on an ordinary day: who is in it, who arrives, who leaves. */
export type DayHotel = {
  property: BlackboxProperty;
  company: string;
  /** In house until tomorrow and owing, each with a room. */
  minibar: Reservation;
  split: Reservation;
  /** In house, paid, leaves today. */
  leaves: Reservation;
  /** Arrive today: paid, with rooms. */
  upgrade: Reservation;
  moves: Reservation;
  missing: Reservation;
  /** Stays in two months; only the search finds it. */
  known: Reservation;
};

/** Builds the hotel over REST. Prices are € 100 a night, € 180 in a suite. */
export async function dayHotel(service: Service): Promise<DayHotel> {
  const property = await BlackboxProperty.open(service, {
    rooms: { DLX: ROOMS.DLX.length, STE: ROOMS.STE.length, STD: 25 },
    pricedNights: 120,
    policies: POLICIES,
  });
  const { propertyId } = property;
  // Guests are late at any hour at which this runs.
  const {
    propertyId: _,
    metadata,
    ...body
  } = propertyBody(propertyId, POLICIES) as { metadata: object; propertyId: string };
  const late = { ...body, metadata: { ...metadata, checkInTime: '00:00' } };
  must(await service.tenants('PUT', `/properties/${propertyId}`, { body: late }), 200);
  must(await property.price('STE', 0, 120, 180), 200);
  for (const [roomType, rooms] of Object.entries(ROOMS))
    for (const roomNumber of rooms) {
      const body = { roomNumber, roomType, floor: Number(roomNumber[0]) };
      must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body }), 201);
    }
  const minibar = { name: 'Minibar, water', price: 4.5 };
  must(await service.tenants('PUT', `/properties/${propertyId}/services/MINIBAR`, { body: minibar }), 200);
  const company = `Analytical Engines ${randomUUID().slice(0, 6)}`;
  const companies = `${service.dev.reservationUrl}/api/v1/companies`;
  must(await service.call('POST', companies, { role: 'MANAGER', body: { name: company } }), 201);

  const stay = (lastName: string, wish: Parameters<typeof property.booked>[0] = {}): Promise<Reservation> =>
    property.booked({ from: 0, nights: 1, guest: { firstName: 'Ada', lastName, email: mailOf(lastName) }, ...wish });
  const inRoom = async (one: Reservation, roomNumber: string): Promise<Reservation> => {
    must(await service.reservations('PUT', `/${one.reservationId}/room`, { body: { roomNumber } }), 200);
    return one;
  };
  const arrived = async (one: Reservation, roomNumber: string): Promise<Reservation> => {
    const body = { identificationVerified: true, keyCards: 1 };
    await inRoom(one, roomNumber);
    must(await service.reservations('POST', `/${one.reservationId}/checkin`, { body }), 200);
    return one;
  };
  return {
    property,
    company,
    minibar: await arrived(await stay('Minibar'), '101'),
    split: await arrived(await stay('Splitting'), '102'),
    leaves: await arrived(await stay('Leaving'), '103'),
    upgrade: await inRoom(await stay('Upgraded'), '104'),
    moves: await inRoom(await stay('Moving'), '105'),
    missing: await inRoom(await stay('Missing'), '106'),
    known: await stay('Remembered', { from: 60 }),
  };
}

const mailOf = (lastName: string): string => `${lastName.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
