import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { figuresText, middle, seconds } from '../first/figures.ts';
import { HIGH_LIMITS } from '../first/quote.ts';

/** Room types of the property, and rooms of each. */
const SIZES = { types: 10, rooms: 12 };
const ROUNDS = 12;
/** A week for a few rooms: more than one percent of what is expected of their type. */
const BOOKED = { rooms: 4, nights: 7, first: 20 };
/** Nights in which a week with rooms is looked for. */
const AHEAD = 300;
const MADE_MS = 270_000;
const FOLLOWS_MS = 60_000;
/** No signal for so long: forecast, ensemble and bid prices of the day are there. */
const QUIET_MS = 8_000;
const POLL_MS = 5;

type Step = { rule: string; amount: number };
type Explained = { rates: { roomType: string; dailyRates: { date: string; steps: Step[] }[] }[] };
type Sandbox = { state: string; sandboxId?: string };

/**
 * From a booking to quotes that follow from the bid prices that were solved again, on a running service. Nights beside
 * the booked ones are watched: their rooms are as many as before, so only a new signal moves their bid price.
 */
export async function benchResolved(): Promise<void> {
  const service = await Service.start(HIGH_LIMITS);
  try {
    const property = await propertyWithPast(service);
    const body = { propertyId: property.propertyId };
    const path = `${service.dev.rateUrl}/api/v1/admin/rates/recalculate`;
    must(await service.call('POST', path, { body, role: 'ADMIN' }), 202);
    await untilQuiet(property);
    const times = { atOnce: [] as number[], program: [] as number[], cpu: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const { atOnce, program, cpu } = await bookedOnce(property, round);
      times.atOnce.push(atOnce);
      times.program.push(program);
      times.cpu.push(cpu);
      await untilQuiet(property, 3_000);
    }
    const text = (all: number[]): string => `${seconds(middle(all))}, at most ${seconds(Math.max(...all))}`;
    figuresText([
      { what: 'from a booking to a dearer quote of its nights', value: text(times.atOnce) },
      { what: 'to the program solved again (2 s promised)', value: text(times.program) },
      { what: 'CPU of the service meanwhile', value: text(times.cpu) },
    ]);
  } finally {
    await service.remove();
  }
}

/** A copy with a year of invented guests, whose prices follow the program. */
async function propertyWithPast(service: Service): Promise<BlackboxProperty> {
  const names = Array.from({ length: SIZES.types }, (_, n) => typeName(n));
  const rooms = Object.fromEntries(names.map((name) => [name, SIZES.rooms]));
  const { propertyId } = await BlackboxProperty.open(service, { rooms, pricedNights: 400 });
  for (const roomType of names)
    for (let n = 0; n < SIZES.rooms; n++) {
      const body = { roomNumber: `${roomType}${n}`, roomType, floor: 1 };
      must(await service.tenants('POST', `/properties/${propertyId}/rooms`, { body }), 201);
    }
  type Plans = { items: { id: string; code: string }[] };
  const plans = must(await service.rates<Plans>('GET', `/plans?propertyId=${propertyId}`), 200).json.items;
  const strategyRules = { bidPriceBy: 'PROGRAM', bidCeilingPercent: 100 };
  const body = { name: 'BAR', strategy: 'DYNAMIC', rules: { strategyRules } };
  must(await service.rates('PUT', `/plans/${plans.find(({ code }) => code === 'BAR')!.id}`, { body }), 200);
  const path = `/properties/${propertyId}/sandbox`;
  must(await service.tenants('POST', path, { body: {} }), 202);
  const copy = await until('a year of guests', MADE_MS, async () => {
    const { json } = must(await service.tenants<Sandbox>('GET', path), 200);
    if (json.state === 'STOPPED') throw new Error('the sandbox has stopped');
    return json.state === 'READY' ? json.sandboxId : undefined;
  });
  return BlackboxProperty.known(service, copy);
}

const typeName = (n: number): string => `T${n % SIZES.types}`;

/** Books, and watches the quotes. */
async function bookedOnce(
  property: BlackboxProperty,
  round: number,
): Promise<{ atOnce: number; program: number; cpu: number }> {
  const { service } = property;
  const roomType = typeName(round);
  const first = await weekWithRooms(property, roomType);
  const own = (): Promise<string> => bidsOf(property, roomType, first);
  const beside = (): Promise<string> => bidsOf(property, roomType, first + BOOKED.nights);
  const before = { own: await own(), beside: await beside() };
  const body = groupBody(property, roomType, first);
  const cpu = cpuMs(service.dev.pid);
  must(await service.call('POST', `${service.dev.reservationUrl}/api/v1/bookings`, { body }), 201);
  const began = performance.now();
  const since = (read: () => Promise<string>, then: string): Promise<number> =>
    until('another bid price', FOLLOWS_MS, async () => {
      for (let n = 0; n < 10; n++) {
        if ((await read()) !== then) return performance.now() - began;
        await pause(POLL_MS);
      }
      return undefined;
    });
  const atOnce = await since(own, before.own);
  const program = await since(beside, before.beside);
  return { atOnce, program, cpu: cpuMs(service.dev.pid) - cpu };
}

/** The first week with rooms for the group; no other group has booked it. */
async function weekWithRooms(property: BlackboxProperty, roomType: string): Promise<number> {
  const left = await property.left(BOOKED.first, AHEAD, roomType);
  const index = left.findIndex((_, n) => left.slice(n, n + BOOKED.nights).every((rooms) => rooms > BOOKED.rooms));
  if (index < 0) throw new Error(`no week of ${roomType} has ${BOOKED.rooms} rooms`);
  return BOOKED.first + index;
}

function groupBody(property: BlackboxProperty, roomType: string, first: number): Record<string, unknown> {
  const wish = property.wish({ from: first, nights: BOOKED.nights, roomType });
  const { roomType: _, adults, ...stayDetails } = wish.stayDetails as Record<string, unknown>;
  return { ...wish, stayDetails, rooms: Array.from({ length: BOOKED.rooms }, () => ({ roomType, adults })) };
}

/** Bid prices of the week from a night on, in a quote. */
async function bidsOf(property: BlackboxProperty, roomType: string, from: number): Promise<string> {
  const { json } = must(await property.quote(from, BOOKED.nights, `&roomType=${roomType}&explain=true`), 200);
  const { dailyRates } = (json as unknown as Explained).rates.find((rate) => rate.roomType === roomType)!;
  return dailyRates.map(({ steps }) => steps.find(({ rule }) => rule === 'bidPrice')?.amount ?? 0).join(' ');
}

/** Until no signal has come for a while. */
async function untilQuiet(property: BlackboxProperty, quietMs = QUIET_MS): Promise<void> {
  let seq = '';
  let since = performance.now();
  await until('no more signals', MADE_MS, async () => {
    const { headers } = must(await property.quote(BOOKED.first, 1), 200);
    const now = String(headers['x-property-seq']);
    if (now !== seq) since = performance.now();
    seq = now;
    return performance.now() - since > quietMs ? true : undefined;
  });
}
