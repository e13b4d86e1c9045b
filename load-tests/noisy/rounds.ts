import { setTimeout as pause } from 'node:timers/promises';

import { BlackboxProperty, must, propertyBody, WEEK } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { Receiver } from '../../test/blackbox/webhook-receiver.ts';
import { percentiles } from '../client/latencies.ts';
import { type Figure, figuresText } from '../first/figures.ts';
import { MANY_ROOMS } from '../first/hot-property.ts';
import { loadsApart, type TenantLoads, type TenantReport } from './loads-apart.ts';
import { noiseOf } from './noise.ts';

const QUIET_MS = 2_000;
const PROPERTIES = 50;
const WEBHOOKS = 5;
const ROUNDS = 3;
const SECONDS = 6;
/** Arrivals of the steady tenant, whether earlier ones are answered or not. */
const QUOTES_A_SECOND = 60;
const BOOKINGS_A_SECOND = 15;
const STEADY = 'rival';
const STEADY_PROPERTY = 'steady-hotel';
/** p99 of a tenant beside a noisy one, by that without. */
const MOST = 1.5;

/** What noise leaves behind, such as webhooks that are still to be sent, is no part of the next round. */
async function untilQuiet(receiver: Receiver): Promise<void> {
  for (let before = -1; before !== receiver.requests;) {
    before = receiver.requests;
    await pause(QUIET_MS);
  }
}

/** Prints p50 and p99 of a steady tenant alone and beside a noisy one, alternately, and their ratio. */
export async function benchNoisy({ what, settings, of }: Noisy): Promise<void> {
  const receiver = await Receiver.open();
  const service = await Service.start({ ...settings, WEBHOOK_ALLOW_PRIVATE: '1' });
  try {
    const noisy = await noisyTenant(service, receiver);
    await steadyTenant(service);
    await loadsApart(steadyLoads(service, noisy[0]!, 'warm'));
    const alone: Times = { quotes: [], bookings: [] };
    const beside: Times = { quotes: [], bookings: [] };
    let noise: TenantReport | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      await untilQuiet(receiver);
      add(alone, await loadsApart(steadyLoads(service, noisy[0]!, `alone-${round}`)));
      const both = await Promise.all([
        loadsApart(steadyLoads(service, noisy[0]!, `beside-${round}`)),
        loadsApart(only(noiseOf(service, noisy, SECONDS + 1), of)),
      ]);
      add(beside, both[0]);
      noise = both[1];
    }
    console.log(`  ${what}; ${ROUNDS} rounds of ${SECONDS} s each, in turns`);
    figuresText([...compared('quotes', alone, beside), ...compared('bookings', alone, beside), ...noiseLines(noise)]);
    figuresText([{ what: 'webhooks that its receiver got', value: String(receiver.requests) }]);
  } finally {
    await service.remove();
    await receiver.kill();
  }
}

/** Part of the noise; all when absent. */
type NoiseKind = 'requests' | 'sockets' | 'imports';
type Noisy = { what: string; settings: Record<string, string>; of?: NoiseKind };

function only({ loads, sockets }: TenantLoads, kind: NoiseKind | undefined): TenantLoads {
  const { imports, optimizations, ...requests } = loads;
  const loud = {
    requests: { ...requests, optimizations: optimizations! },
    sockets: {},
    imports: { imports: imports! },
  };
  return {
    loads: kind === undefined ? loads : loud[kind],
    isLast: true,
    ...((kind ?? 'sockets') === 'sockets' && sockets && { sockets }),
  };
}

type Times = Record<'quotes' | 'bookings', number[]>;

function add(times: Times, { loads }: TenantReport): void {
  for (const kind of ['quotes', 'bookings'] as const) {
    const { statuses, times: more = [] } = loads[kind]!;
    const bad = Object.keys(statuses).filter((status) => !status.startsWith('2'));
    if (bad.length > 0) throw new Error(`${kind} of the steady tenant: ${JSON.stringify(statuses)}`);
    times[kind].push(...more);
  }
}

function compared(kind: keyof Times, alone: Times, beside: Times): Figure[] {
  const [quiet, busy] = [percentiles(alone[kind]), percentiles(beside[kind])];
  const ratio = busy.p99 / quiet.p99;
  return [
    { what: `${kind} alone, p50, p99`, value: `${quiet.p50} ms, ${quiet.p99} ms (${quiet.count})` },
    { what: `${kind} beside, p50, p99`, value: `${busy.p50} ms, ${busy.p99} ms (${busy.count})` },
    {
      what: `${kind}: p99 beside / alone (at most ${MOST})`,
      value: `${ratio.toFixed(2)}${ratio > MOST ? ' missed' : ''}`,
    },
  ];
}

function noiseLines(noise: TenantReport | undefined): Figure[] {
  if (!noise) return [];
  const loads = Object.entries(noise.loads).map(([name, { perSecond, ms, statuses }]) => ({
    what: `noise: ${name}`,
    value: `${perSecond}/s, p50 ${ms.p50} ms ${JSON.stringify(statuses)}`,
  }));
  return [...loads, { what: 'noise: frames of live sockets', value: JSON.stringify(noise.frames) }];
}

async function noisyTenant(service: Service, receiver: Receiver): Promise<BlackboxProperty[]> {
  const properties: BlackboxProperty[] = [];
  for (let n = 0; n < PROPERTIES; n += 1)
    properties.push(await BlackboxProperty.open(service, { rooms: { DLX: MANY_ROOMS, STD: 50 } }));
  const events = ['reservation.created', 'availability.updated', 'rate.updated'];
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const url = `${service.dev.reservationUrl}/api/v1/webhooks`;
    must(await service.call('POST', url, { body: { url: `${receiver.url}?${n}`, events } }), 201);
  }
  return properties;
}

async function steadyTenant(service: Service): Promise<void> {
  const as = { tenant: STEADY };
  must(await service.tenants('POST', '/properties', { ...as, body: propertyBody(STEADY_PROPERTY) }), 201);
  const path = `/properties/${STEADY_PROPERTY}/room-types`;
  const type = { roomType: 'DLX', name: 'Double', maxAdults: 3, maxChildren: 2, maxGuests: 4 };
  must(await service.tenants('POST', path, { ...as, body: { ...type, totalRooms: MANY_ROOMS } }), 201);
  const day = (n: number): string => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
  const rates = WEEK.map((dayOfWeek) => ({ dayOfWeek, rate: 100 }));
  const period = { effectiveDate: day(1), endDate: day(100) };
  const body = { propertyId: STEADY_PROPERTY, roomType: 'DLX', ...period, rates };
  must(await service.rates('PUT', '/base', { ...as, body }), 200);
}

/** A steady flow of quotes of different stays, and of paid bookings. */
function steadyLoads(service: Service, calendar: BlackboxProperty, name: string): TenantLoads {
  const run = `${name}-${Date.now()}`;
  const headers = (role: 'VIEWER' | 'STAFF') => ({
    authorization: `Bearer ${service.token(STEADY, role)}`,
    'x-tenant-id': STEADY,
  });
  const guest = { firstName: 'Steady', lastName: 'Guest {n}', email: `steady-${run}-{n}@example.com` };
  const wish = (n: number): string => {
    const body = calendar.wish({ from: 10 + n, nights: 2, guest });
    return JSON.stringify({ ...body, propertyId: STEADY_PROPERTY });
  };
  const quote = (n: number): string =>
    `/api/v1/rates/current?propertyId=${STEADY_PROPERTY}&checkIn=${calendar.day(5 + n)}&checkOut=${calendar.day(8 + n)}&adults=2`;
  const common = { connections: 32, seconds: SECONDS, isTimed: true };
  return {
    loads: {
      quotes: {
        ...common,
        port: Number(new URL(service.dev.rateUrl).port),
        method: 'GET',
        paths: Array.from({ length: 60 }, (_, n) => quote(n)),
        headers: headers('VIEWER'),
        perSecond: QUOTES_A_SECOND,
      },
      bookings: {
        ...common,
        port: Number(new URL(service.dev.reservationUrl).port),
        method: 'POST',
        paths: ['/api/v1/reservations'],
        headers: {
          ...headers('STAFF'),
          'content-type': 'application/json',
          'idempotency-key': `steady-${run}-{n}`,
        },
        body: Array.from({ length: 60 }, (_, n) => wish(n)),
        perSecond: BOOKINGS_A_SECOND,
      },
    },
  };
}
