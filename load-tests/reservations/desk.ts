import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Reservation } from '../../test/blackbox/shapes.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at, bookings, GUEST, type Requests, SECONDS, steady, WARM_UP_SECONDS } from './bookings.ts';
import { withCpu } from './with-cpu.ts';

const PROPERTIES = 20;
/** Bookings and changes due a second, and check-ins, since guests arrive one by one. */
const PER_SECOND = 300;
const CHECK_INS_PER_SECOND = 100;
const ROOMS = Math.ceil((CHECK_INS_PER_SECOND * (WARM_UP_SECONDS + SECONDS)) / PROPERTIES);
const PROMISED_MS = { create: 100, modify: 100, checkin: 150 };

/**
 * Paid bookings at a steady rate over 20 properties, then changes of them, then check-ins. Times count from when a
 * request was due. A quote at the same rate in the same run shows how busy the machine was.
 */
export async function benchDesk(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const properties: BlackboxProperty[] = [];
    for (let n = 0; n < PROPERTIES; n += 1) properties.push(await openProperty(service));
    const [reservations, rates] = [service.dev.reservationUrl, service.dev.rateUrl].map((url) => at(service, url));
    const quote = await steady({ ...rates!, method: 'GET', paths: properties.map(quotePath) }, PER_SECOND);
    const [create, cpu] = await withCpu(service, () =>
      steady({ ...reservations!, ...bookings(properties) }, PER_SECOND),
    );
    const modify = await steady({ ...reservations!, ...(await changes(properties)) }, PER_SECOND);
    await pumpApart({ ...reservations!, ...arrivals(properties), requests: PROPERTIES * ROOMS, seconds: 60 });
    const checkin = await steady({ ...reservations!, ...(await checkIns(properties)) }, CHECK_INS_PER_SECOND);
    const line = (what: string, report: LoadReport, promised?: number): { what: string; value: string } => ({
      what: `${what}${promised === undefined ? '' : ` (p95 ${promised} ms promised)`}`,
      value: `${shown(report)}, p95 ${(report.ms.p95 / quote.ms.p95).toFixed(1)} times a quote's`,
    });
    figuresText([
      { what: `quote of 3 nights, ${PER_SECOND} due a second`, value: shown(quote) },
      line(`paid booking, ${PER_SECOND} due a second, ${PROPERTIES} properties`, create, PROMISED_MS.create),
      { what: '  its CPU, the warm-up included', value: cpu },
      line(`change of dates, ${PER_SECOND} due a second`, modify, PROMISED_MS.modify),
      line(`check-in, ${CHECK_INS_PER_SECOND} due a second`, checkin, PROMISED_MS.checkin),
    ]);
  } finally {
    await service.remove();
  }
}

/** Rooms that no run sells out, and numbered ones for today's arrivals. */
async function openProperty(service: Service): Promise<BlackboxProperty> {
  const property = await BlackboxProperty.open(service, {
    rooms: { DLX: 20_000, STD: ROOMS },
    policies: { taxPercent: 6 },
  });
  const room = async (n: number): Promise<unknown> => {
    const body = { roomNumber: `${n + 1}`, roomType: 'STD', floor: 1 };
    return must(await service.tenants('POST', `/properties/${property.propertyId}/rooms`, { body }), 201);
  };
  await Promise.all(Array.from({ length: ROOMS }, (_, n) => room(n)));
  return property;
}

function quotePath(property: BlackboxProperty): string {
  return `/api/v1/rates/current?propertyId=${property.propertyId}&checkIn=${property.day(30)}&checkOut=${property.day(33)}`;
}

/** Extends each booking by one night. */
async function changes(properties: readonly BlackboxProperty[]): Promise<Requests> {
  const booked = await reservationsOf(properties, 'DLX');
  const next = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  return {
    method: 'PUT',
    paths: booked.map(({ reservationId }) => `/api/v1/reservations/${reservationId}`),
    body: booked.map(({ stayDetails }) =>
      JSON.stringify({ modifications: { stayDetails: { checkOut: next(stayDetails.checkOut) } } }),
    ),
  };
}

function arrivals(properties: readonly BlackboxProperty[]): Requests {
  const guest = { ...GUEST, email: 'arrival-{n}@example.com' };
  const body = properties.map((property) =>
    JSON.stringify(property.wish({ from: 0, nights: 2, roomType: 'STD', guest })),
  );
  return { method: 'POST', paths: ['/api/v1/reservations'], body };
}

async function checkIns(properties: readonly BlackboxProperty[]): Promise<Requests> {
  const coming = await reservationsOf(properties, 'STD');
  return {
    method: 'POST',
    paths: coming.map(({ reservationId }) => `/api/v1/reservations/${reservationId}/checkin`),
    body: coming.map(() => JSON.stringify({ identificationVerified: true, keyCards: 2 })),
  };
}

/** Reservations of a type, one of each property, round-robin. */
async function reservationsOf(properties: readonly BlackboxProperty[], roomType: string): Promise<Reservation[]> {
  const all: Reservation[][] = [];
  for (const property of properties)
    all.push((await property.reservations()).filter(({ stayDetails }) => stayDetails.roomType === roomType));
  const longest = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => all.flatMap((own) => own[n] ?? [])).flat();
}

/** Times, or the statuses when some of them were errors. */
function shown({ statuses, ms, perSecond, requests }: LoadReport): string {
  const [usual, ...others] = Object.keys(statuses);
  if (others.length > 0 || !usual?.startsWith('2')) return `ANSWERS ${JSON.stringify(statuses)}`;
  return `p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99} ms, ${requests} at ${perSecond}/s`;
}
