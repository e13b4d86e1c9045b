import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import type { Load } from '../client/pump.ts';

/** More rooms than a run can sell. */
export const MANY_ROOMS = 60_000;
export const CLIENTS = 64;
export const TAX_PERCENT = 6;

/** No limits: the booking is measured, not the admission before it. */
export const NO_LIMITS = {
  RATE_LIMIT_TENANT: '0',
  RATE_LIMIT_SUBJECT: '0',
  RATE_LIMIT_COSTLY: '0',
  RATE_LIMIT_ADDRESS: '0',
  OPEN_HOLDS_SUBJECT: '0',
  HELD_ROOM_NIGHTS_SUBJECT: '0',
};

/**
 * A property with one type and more rooms than a run can book, and a load of clients that all want the same 3 nights.
 */
export async function hotProperty(
  service: Service,
): Promise<{ property: BlackboxProperty; load: (port: number, seconds: number) => Load }> {
  const property = await BlackboxProperty.open(service, {
    rooms: { DLX: MANY_ROOMS },
    policies: { taxPercent: TAX_PERCENT },
  });
  must(await property.book({ from: 30, nights: 3 }), 201);
  const run = `${Date.now()}`;
  let loads = 0;
  return {
    property,
    load: (port, seconds) => {
      loads += 1;
      return bookingLoad(property, service, { port, seconds, name: `${run}-${loads}` });
    },
  };
}

function bookingLoad(
  property: BlackboxProperty,
  service: Service,
  to: { port: number; seconds: number; name: string },
): Load {
  const load = bookingRequests(property, service, to.name);
  const headers = { ...load.headers, 'idempotency-key': `load-${to.name}-{n}` };
  return { ...load, headers, port: to.port, connections: CLIENTS, seconds: to.seconds };
}

/** Requests for the same 3 nights of a property, each for a guest of its own. */
export function bookingRequests(
  property: BlackboxProperty,
  service: Service,
  name: string,
): Pick<Load, 'method' | 'paths' | 'headers' | 'body'> {
  const guest = { firstName: 'Load', lastName: 'Tester {n}', email: `load-${name}-{n}@example.com` };
  return {
    method: 'POST',
    paths: ['/api/v1/reservations'],
    headers: {
      authorization: `Bearer ${service.token('demo', 'STAFF')}`,
      'x-tenant-id': 'demo',
      'content-type': 'application/json',
    },
    body: JSON.stringify(property.wish({ from: 30, nights: 3, guest })),
  };
}

/** The same as bookings of several rooms, of each size one after the other; the size is noted in its campaign. */
export function roomRequests(
  property: BlackboxProperty,
  service: Service,
  name: string,
  sizes: readonly number[],
): Pick<Load, 'method' | 'paths' | 'headers' | 'body'> {
  const load = bookingRequests(property, service, name);
  const { stayDetails, ...request } = JSON.parse(String(load.body)) as { stayDetails: Record<string, unknown> };
  const { roomType, adults, ...stay } = stayDetails;
  const body = sizes.map((length) => {
    const rooms = Array.from({ length }, () => ({ roomType, adults }));
    return JSON.stringify({ ...request, stayDetails: stay, rooms, source: { campaign: String(length) } });
  });
  return { ...load, paths: ['/api/v1/bookings'], body };
}
