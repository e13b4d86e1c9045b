import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { NO_LIMITS, roomRequests } from '../first/hot-property.ts';
import type { ProofResult } from './kills.ts';

/** Rooms of a booking, one after the other: the last room is always wanted by somebody. */
const SIZES = [1, 2, 3, 4, 5];

const SLICES = 20;
const CONNECTIONS = 256;
/** Different in each slice, so that no count is right by accident. */
const roomsOf = (slice: number): number => 1 + ((slice * 7) % 40);
const MAX_SECONDS = 60;

/**
 * Concurrent attempts on the last rooms of one property after the other, for 1 to 5 rooms each: exactly as many rooms
 * are sold as there are, and no booking is made in part.
 */
export async function proveLastRooms(attempts: number): Promise<ProofResult> {
  const service = await Service.start(NO_LIMITS);
  const began = performance.now();
  let attempted = 0;
  let sold = 0;
  let rooms = 0;
  let violations = 0;
  let strange = 0;
  try {
    for (let slice = 0; slice < SLICES; slice++) {
      const count = roomsOf(slice);
      const property = await BlackboxProperty.open(service, { rooms: { DLX: count } });
      const { statuses, requests, perSecond } = await pumpApart({
        port: Number(new URL(service.dev.reservationUrl).port),
        ...roomRequests(property, service, `last-${slice}`, SIZES),
        connections: CONNECTIONS,
        seconds: MAX_SECONDS,
        requests: Math.ceil(attempts / SLICES),
      });
      const { 201: created = 0, 409: refused = 0 } = statuses;
      const { booked, bookings, partial } = await soldOf(property);
      attempted += requests;
      sold += booked;
      rooms += count;
      strange += requests - created - refused;
      violations += (await violationsOf(service, property, count)) + partial + Math.abs(created - bookings);
      const right = booked === count && partial === 0 ? 'exactly' : 'WRONG';
      console.log(
        `property ${slice + 1}: ${requests} attempts, ${booked} of ${count} rooms sold in ${created} bookings, ${right}; ${perSecond}/s`,
      );
    }
  } finally {
    await service.remove();
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`${attempted} attempts in ${minutes} minutes: ${sold} sold of ${rooms}, ${strange} other answers`);
  console.log(`violations of the audit: ${violations}`);
  return {
    held: sold === rooms && strange === 0 && violations === 0 && attempted >= attempts,
    counts: { attempts: attempted, 'rooms there': rooms, 'rooms sold': sold, 'violations of the audit': violations },
  };
}

/** Rooms that are booked, and bookings with fewer or more of them than requested. */
async function soldOf(property: BlackboxProperty): Promise<{ booked: number; bookings: number; partial: number }> {
  type Booked = { status: string; bookingId: string; source: { campaign: string } };
  const all = (await property.reservations()) as unknown as Booked[];
  const bookings = Map.groupBy(all, ({ bookingId }) => bookingId);
  const wrong = [...bookings.values()].filter(
    (rooms) =>
      rooms.length !== Number(rooms[0]!.source.campaign) || rooms.some(({ status }) => status !== 'CONFIRMED'),
  );
  return { booked: all.length, bookings: bookings.size, partial: wrong.length };
}

/** Findings of the audit, and nights that are not sold out by the reservations. */
async function violationsOf(service: Service, property: BlackboxProperty, rooms: number): Promise<number> {
  const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
  const audit = must(await service.call<Audit>('GET', url), 200).json;
  const cells = await property.cells(30, 3);
  return audit.violations.length + cells.filter(({ bookedRooms }) => bookedRooms !== rooms).length;
}
