import { formatDay } from '../../src/kernel/rules/dates.ts';
import { WEEK } from '../../test/blackbox/property.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { CHAIN_TYPES, chainToday } from '../chain.ts';
import { percentiles } from '../client/latencies.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load } from '../client/pump.ts';
import { Swarm } from '../live/swarm.ts';
import type { Work, WorkRound } from './measured.ts';
import { type GrowthWorld, NIGHTS, stayOf, TENANT } from './world.ts';

/** Operations a second: moderate, so that two cores have most of their time left. */
export const RATES = { quote: 800, search: 50, list: 30, change: 40, booking: 50 } as const;
export const CONNECTIONS = 16;
/** Different requests of an operation, one after the other. */
const DIFFERENT = 2_000;
/** A prime, so that requests go to properties in no order. */
const STEP = 7_919;
/** Frames of the last changes have this long to arrive. */
const LAST_MS = 500;
export const PAGE = 50;
/** More changes of one property a second would share frames. */
const CHANGES_OF_A_PROPERTY = 15;

type Requests = Pick<Load, 'method' | 'paths' | 'headers'> & { body?: readonly string[] };
/** How an operation is sent; `perSecond` undefined sends at full speed. */
export type Pace = { connections: number; perSecond: number | undefined; requests?: number };

let loads = 0;

/** Prices of stays, each at the next of the first `among` properties. */
export function quoteWork(world: GrowthWorld, among: number, pace: Partial<Pace> = {}): Work {
  const port = portOf(world.service.dev.rateUrl);
  return pumped('quote', world.quotesOf(Math.min(among, DIFFERENT)), port, '200', { ...paceOf('quote'), ...pace });
}

/** The cheapest rooms over all properties of the tenant. */
export function searchWork(world: GrowthWorld, pace: Partial<Pace> = {}): Work {
  const body = Array.from({ length: NIGHTS }, (_, n) => JSON.stringify({ ...stayOf(n), adults: 2 }));
  const requests = { method: 'POST', paths: ['/api/v1/availability/search'], headers: world.headers('STAFF'), body };
  return pumped('chain search', requests, portOf(world.service.dev.reservationUrl), '200', {
    ...paceOf('search'),
    ...pace,
  });
}

/** The first page of the reservations of a property, {@link PAGE} rows. */
export function listWork(world: GrowthWorld, pace: Partial<Pace> = {}): Work {
  const paths = world.withReservations.map((id) => `/api/v1/reservations?propertyId=${id}&limit=${PAGE}`);
  const requests = { method: 'GET', paths, headers: world.headers('STAFF') };
  return pumped('page of a list', requests, portOf(world.service.dev.reservationUrl), '200', {
    ...paceOf('list'),
    ...pace,
  });
}

/** Paid bookings of two nights, each for a guest of its own. */
export function bookingWork(world: GrowthWorld, among: number, pace: Partial<Pace> = {}): Work {
  const body = Array.from({ length: DIFFERENT }, (_, n) =>
    JSON.stringify({
      propertyId: world.properties[(n * STEP) % among],
      guestInfo: { firstName: 'Load', lastName: 'Tester {n}', email: 'growth-{load}-{n}@example.com' },
      stayDetails: { ...stayOf(n), adults: 2, roomType: CHAIN_TYPES[n % CHAIN_TYPES.length] },
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    }),
  );
  const headers = { ...world.headers('STAFF'), 'idempotency-key': 'growth-{load}-{n}' };
  const requests = { method: 'POST', paths: ['/api/v1/reservations'], headers, body };
  const port = portOf(world.service.dev.reservationUrl);
  const work = pumped('paid booking', requests, port, '201', { ...paceOf('booking'), ...pace });
  return { ...work, drained: () => world.drained() };
}

/** Prices of nights of the watched properties, one after the other; the times are those from commit to frame. */
export function changeWork(world: GrowthWorld, watched: readonly string[], swarm: Swarm): Work {
  const body = Array.from({ length: NIGHTS * watched.length }, (_, n) => {
    const date = formatDay(chainToday + (Math.floor(n / watched.length) % NIGHTS));
    const rates = WEEK.map((dayOfWeek) => ({ dayOfWeek, rate: 80 + ((loads + n) % 90) }));
    const propertyId = watched[n % watched.length];
    return JSON.stringify({ propertyId, roomType: CHAIN_TYPES[0], effectiveDate: date, endDate: date, rates });
  });
  const requests = { method: 'PUT', paths: ['/api/v1/rates/base'], headers: world.headers('MANAGER'), body };
  const perSecond = Math.min(RATES.change, CHANGES_OF_A_PROPERTY * watched.length);
  const pace = { connections: CONNECTIONS, perSecond };
  const { what, run } = pumped('live change', requests, portOf(world.service.dev.rateUrl), '200', pace);
  return {
    what,
    run: async (seconds) => {
      await swarm.ask({ ask: 'report' });
      const changed = await run(seconds);
      await pause(LAST_MS);
      const { latencies, deltas } = await swarm.ask({ ask: 'report' });
      const { p50, p99 } = percentiles(latencies);
      const problems = deltas === 0 ? ['no frame arrived'] : [];
      return { ...changed, p50, p99, problems: [...changed.problems, ...problems] };
    },
  };
}

/** So many sockets over plain WebSocket, one after the other at these properties. */
export function socketsAt(world: GrowthWorld, properties: readonly string[], sockets: number): Promise<Swarm> {
  return Swarm.open({
    metersOnly: true,
    liveUrl: world.service.dev.liveUrl,
    token: world.service.token(TENANT, 'MANAGER'),
    tenantId: TENANT,
    plain: sockets,
    socketIo: 0,
    properties,
    wanted: {
      propertyId: properties[0] ?? '',
      topics: ['grid', 'feed', 'kpi', 'rooms'],
      window: { start: formatDay(chainToday), days: NIGHTS - 1 },
    },
  });
}

function paceOf(what: keyof typeof RATES): Pace {
  return { connections: CONNECTIONS, perSecond: RATES[what] };
}

function pumped(what: string, requests: Requests, port: number, wanted: string, pace: Pace): Work {
  return {
    what,
    run: async (seconds): Promise<WorkRound> => {
      loads += 1;
      const named = (text: string): string => text.replaceAll('{load}', `${process.pid}-${loads}`);
      const headers = Object.fromEntries(Object.entries(requests.headers).map(([key, text]) => [key, named(text)]));
      const body = requests.body?.map(named);
      const { perSecond, ...rest } = pace;
      const rate = perSecond === undefined ? {} : { perSecond };
      const load = { ...requests, headers, ...(body && { body }), port, ...rest, ...rate, seconds };
      const report = await pumpApart(load);
      const problems = Object.entries(report.statuses).flatMap(([status, count]) =>
        status === wanted ? [] : [`${count} of ${report.requests} answers of a ${what} were ${status}`],
      );
      return { count: report.requests, perSecond: report.perSecond, ...report.ms, problems };
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
