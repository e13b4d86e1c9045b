import type { BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Role, Service } from '../../test/blackbox/service.ts';
import type { Load } from '../client/pump.ts';
import type { TenantLoads } from './loads-apart.ts';

/** Connections of each kind of request: they ask again as soon as they are answered. */
const CONNECTIONS = 16;
const SOCKETS = 40;
const QUOTES_OF_A_BATCH = 50;

/** Everything that a tenant can ask for, as fast as it is answered, over all its properties. */
export function noiseOf(service: Service, properties: readonly BlackboxProperty[], seconds: number): TenantLoads {
  const { rateUrl, reservationUrl, liveUrl } = service.dev;
  const [first] = properties;
  if (!first) throw new Error('the noisy tenant has no property');
  const run = `${Date.now()}`;
  const load = (url: string, role: Role, request: Pick<Load, 'method' | 'paths' | 'body'>): Load => ({
    port: Number(new URL(url).port),
    connections: CONNECTIONS,
    seconds,
    headers: {
      authorization: `Bearer ${service.token('demo', role)}`,
      'x-tenant-id': 'demo',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      'idempotency-key': `noise-${run}-{n}`,
    },
    ...request,
  });
  const get = (url: string, role: Role, paths: string[]): Load => load(url, role, { method: 'GET', paths });
  const post = (url: string, role: Role, path: string, body: unknown[]): Load =>
    load(url, role, { method: 'POST', paths: [path], body: body.map((one) => JSON.stringify(one)) });
  const ids = properties.map(({ propertyId }) => propertyId);
  const stays = Array.from({ length: 50 }, (_, n) => ({ checkIn: first.day(5 + n), checkOut: first.day(12 + n) }));
  const guest = { firstName: 'Noisy', lastName: 'Guest {n}', email: `noise-${run}-{n}@example.com` };
  const loads: Record<string, Load> = {
    quotes: get(
      rateUrl,
      'VIEWER',
      ids.map((id, n) => {
        const { checkIn, checkOut } = stays[n % stays.length]!;
        return `/api/v1/rates/current?propertyId=${id}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`;
      }),
    ),
    'batches of quotes': post(rateUrl, 'VIEWER', '/api/v1/rates/quotes', [
      {
        stays: Array.from({ length: QUOTES_OF_A_BATCH }, (_, n) => ({
          propertyId: ids[n % ids.length],
          ...stays[n % stays.length],
          adults: 2,
        })),
      },
    ]),
    'searches of the chain': post(
      reservationUrl,
      'VIEWER',
      '/api/v1/availability/search',
      stays.map((one) => ({ ...one, adults: 2 })),
    ),
    'searches with plans': post(
      reservationUrl,
      'VIEWER',
      '/api/v1/tenants/demo/availability/search',
      stays.map((one) => ({ ...one, adults: 2 })),
    ),
    'lists with filters': get(reservationUrl, 'STAFF', [
      `/api/v1/reservations?limit=200&status=CONFIRMED&arrivalFrom=${first.day(0)}&arrivalTo=${first.day(90)}`,
      ...ids.map((id) => `/api/v1/reservations?limit=200&propertyId=${id}`),
    ]),
    bookings: post(
      reservationUrl,
      'STAFF',
      '/api/v1/reservations',
      properties.map((property, n) => property.wish({ from: 10 + n, nights: 2, guest })),
    ),
    reports: get(reservationUrl, 'MANAGER', [
      ...ids.map((id) => `/api/v1/reports/arrivals?propertyId=${id}`),
      ...ids.map((id) => `/api/v1/reports/revenue?propertyId=${id}`),
    ]),
    optimizations: post(
      rateUrl,
      'MANAGER',
      '/api/v1/rates/yield-optimization',
      ids.map((propertyId) => ({
        propertyId,
        optimizationPeriod: { startDate: first.day(1), endDate: first.day(30) },
      })),
    ),
    imports: importLoad(service, ids, { run, seconds, day: (n) => first.day(n) }),
  };
  return {
    loads,
    isLast: true,
    sockets: {
      liveUrl,
      token: service.token('demo', 'VIEWER'),
      tenantId: 'demo',
      propertyIds: ids,
      count: SOCKETS,
      seconds,
    },
  };
}

const MAPPING = {
  files: [
    {
      kind: 'reservations',
      fields: {
        externalId: 'no',
        status: 'state',
        checkIn: 'from',
        checkOut: 'to',
        roomType: 'type',
        lastName: 'name',
        totalAmount: 'total',
      },
    },
  ],
};
const LINES = 500;

/** Files of 500 reservations each, one after the other. */
function importLoad(
  service: Service,
  ids: readonly string[],
  { run, seconds, day }: { run: string; seconds: number; day(n: number): string },
): Load {
  const lines = Array.from(
    { length: LINES },
    (_, n) => `${run}-{n}-${n},CONFIRMED,${day(20 + (n % 60))},${day(22 + (n % 60))},DLX,Guest ${n},200`,
  );
  const mapping = encodeURIComponent(JSON.stringify(MAPPING));
  return {
    port: Number(new URL(service.dev.reservationUrl).port),
    method: 'POST',
    paths: ids.map((id) => `/api/v1/imports?propertyId=${id}&mapping=${mapping}`),
    headers: {
      authorization: `Bearer ${service.token('demo', 'ADMIN')}`,
      'x-tenant-id': 'demo',
      'content-type': 'text/csv',
    },
    body: `no,state,from,to,type,name,total\n${lines.join('\n')}\n`,
    connections: 1,
    seconds,
  };
}
