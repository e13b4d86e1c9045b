import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { bookingRequests, NO_LIMITS } from '../first/hot-property.ts';

const SLICES = 20;
const CONNECTIONS = 256;
/** Different in each slice, so that no count is right by accident. */
const roomsOf = (slice: number): number => 1 + ((slice * 7) % 40);
const MAX_SECONDS = 60;

/**
 * Concurrent attempts on the last rooms of one property after the other: exactly as many succeed as there are rooms.
 */
export async function proveLastRooms(attempts: number): Promise<boolean> {
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
        ...bookingRequests(property, service, `last-${slice}`),
        connections: CONNECTIONS,
        seconds: MAX_SECONDS,
        requests: Math.ceil(attempts / SLICES),
      });
      const { 201: created = 0, 409: refused = 0 } = statuses;
      attempted += requests;
      sold += created;
      rooms += count;
      strange += requests - created - refused;
      violations += await violationsOf(service, property, count);
      const right = created === count ? 'exactly' : 'WRONG';
      console.log(
        `property ${slice + 1}: ${requests} attempts, ${created} of ${count} rooms sold, ${right}; ${perSecond}/s`,
      );
    }
  } finally {
    await service.remove();
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`${attempted} attempts in ${minutes} minutes: ${sold} sold of ${rooms}, ${strange} other answers`);
  console.log(`violations of the audit: ${violations}`);
  return sold === rooms && strange === 0 && violations === 0 && attempted >= attempts;
}

/** Findings of the audit, and nights that are not sold out by the reservations. */
async function violationsOf(service: Service, property: BlackboxProperty, rooms: number): Promise<number> {
  const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
  const audit = must(await service.call<Audit>('GET', url), 200).json;
  const cells = await property.cells(30, 3);
  return audit.violations.length + cells.filter(({ bookedRooms }) => bookedRooms !== rooms).length;
}
