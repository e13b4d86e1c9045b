import type { BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load, LoadReport } from '../client/pump.ts';

export const WARM_UP_SECONDS = 4;
export const SECONDS = 8;
/** Enough for waiting requests; no more are in progress than are due. */
const CONNECTIONS = 64;
/** Arrivals of a property are this many nights apart, so that stays overlap but differ. */
const ARRIVALS = 12;

export type Requests = Pick<Load, 'method' | 'paths'> & { body?: readonly string[] };
type Target = Pick<Load, 'port' | 'headers' | 'connections'>;

/** Target of a load: one service, as a member of staff. */
export function at(service: Service, url: string): Target {
  const headers = {
    authorization: `Bearer ${service.token('demo', 'STAFF')}`,
    'x-tenant-id': 'demo',
    'content-type': 'application/json',
  };
  return { port: Number(new URL(url).port), headers, connections: CONNECTIONS };
}

/** A load after its warm-up; `inAll` includes both. */
export type Steady = LoadReport & { inAll: Pick<LoadReport, 'requests' | 'cpuMs'> };

let loads = 0;

/** Warms up, then measures; each request is different for the service. */
export async function steady(load: Target & Requests, perSecond: number): Promise<Steady> {
  const part = (seconds: number, from: number): Promise<LoadReport> => {
    loads += 1;
    const turned = <T>(list: readonly T[]): T[] => [...list.slice(from), ...list.slice(0, from)];
    const headers = { ...load.headers, 'idempotency-key': `desk-${loads}-{n}` };
    const body = load.body && turned(load.body).map((text) => text.replaceAll('{load}', String(loads)));
    return pumpApart({ ...load, headers, paths: turned(load.paths), body, seconds, perSecond });
  };
  const warm = await part(WARM_UP_SECONDS, 0);
  // Changes of the warm-up are not repeated.
  const report = await part(SECONDS, warm.requests % load.paths.length);
  return {
    ...report,
    inAll: { requests: warm.requests + report.requests, cpuMs: warm.cpuMs + report.cpuMs },
  };
}

/** Each for a guest of its own. */
export const GUEST = { firstName: 'Load', lastName: 'Tester {n}', email: 'desk-{load}-{n}@example.com' };

/** Paid bookings of three nights, one property after the other. */
export function bookings(properties: readonly BlackboxProperty[]): Requests {
  const from = (n: number): number => 30 + 3 * (n % ARRIVALS);
  const body = Array.from({ length: ARRIVALS }, (_, n) =>
    properties.map((property) => JSON.stringify(property.wish({ from: from(n), nights: 3, guest: GUEST }))),
  ).flat();
  return { method: 'POST', paths: body.map(() => '/api/v1/reservations'), body };
}
