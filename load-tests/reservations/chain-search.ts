import { Client } from 'pg';

import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Chain, CHAIN_TYPES, chainProperty, chainToday, seedPricedChain } from '../chain.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at, GUEST, type Requests } from './bookings.ts';

const CHAIN: Chain = { tenantId: 'demo', prefix: 'chain', properties: 200, nights: 400 };
const BOOKINGS_PER_SECOND = 100;
const SEARCHES_PER_SECOND = [100, 400, 1_000, 1_500];
const WARM_UP_SECONDS = 3;
const SECONDS = 8;
const CONNECTIONS = 16;
/** Alternating stays of 1 to 7 nights. */
const STAYS = 90;
const PATH = '/api/v1/availability/search';

/** Searches of the 25 cheapest offers over 200 properties of three types and plans, alone and beside bookings. */
export async function benchChainSearch(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    await seeded(service);
    const target = { ...at(service, service.dev.reservationUrl), connections: CONNECTIONS };
    figuresText([
      { what: `first search of ${CHAIN.properties} passive properties`, value: await firstSearch(service) },
    ]);
    const search = (seconds: number, perSecond: number): Promise<LoadReport> =>
      pumpApart({ ...target, ...searches(), seconds, perSecond });
    const book = (seconds: number): Promise<LoadReport> => {
      const { body, ...load } = chainBookings(CHAIN);
      const named = body!.map((text) => text.replaceAll('{load}', String(performance.now())));
      const headers = { ...target.headers, 'idempotency-key': `chain-${performance.now()}-{n}` };
      return pumpApart({ ...target, ...load, headers, body: named, seconds, perSecond: BOOKINGS_PER_SECOND });
    };
    await search(WARM_UP_SECONDS, SEARCHES_PER_SECOND[0]!);
    for (const perSecond of SEARCHES_PER_SECOND) {
      const before = cpuMs(service.dev.pid);
      const report = await search(SECONDS, perSecond);
      const each = ((cpuMs(service.dev.pid) - before) / report.requests).toFixed(2);
      const value = `${shown(report)}, ${each} ms of CPU each`;
      figuresText([{ what: `search, ${perSecond} due a second`, value }]);
    }
    // Bookings activate the properties.
    await book(WARM_UP_SECONDS);
    for (const perSecond of SEARCHES_PER_SECOND) {
      const [searched, booked] = await Promise.all([search(SECONDS, perSecond), book(SECONDS)]);
      figuresText([
        { what: `search beside bookings, ${perSecond} due a second`, value: shown(searched) },
        { what: `bookings beside them, ${BOOKINGS_PER_SECOND} due a second`, value: shown(booked) },
      ]);
    }
  } finally {
    await service.remove();
  }
}

const shown = ({ ms, statuses, perSecond }: LoadReport): string =>
  `${Math.round(perSecond)} a second, p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99} ms, answers ${JSON.stringify(statuses)}`;

async function seeded(service: Service): Promise<void> {
  const admin = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await admin.connect();
  await seedPricedChain(admin, CHAIN);
  await admin.end();
}

async function firstSearch(service: Service): Promise<string> {
  const began = performance.now();
  const stay = { checkIn: formatDay(chainToday + 20), checkOut: formatDay(chainToday + 22), adults: 2 };
  for (;;) {
    const url = `${service.dev.reservationUrl}${PATH}`;
    const answer = await service.call<{ items: unknown[] }>('POST', url, { body: stay });
    if (answer.status === 503) {
      await pause(50);
      continue;
    }
    const ms = Math.round(performance.now() - began);
    return `${ms} ms, ${must(answer, 200).json.items.length} offers, ${answer.text.length} bytes`;
  }
}

function searches(): Requests {
  const stay = (checkIn: Day, nights: number): string =>
    JSON.stringify({ checkIn: formatDay(checkIn), checkOut: formatDay(checkIn + nights), adults: 2 });
  const body = Array.from({ length: STAYS }, (_, n) => stay(chainToday + 5 + 3 * n, 1 + (n % 7)));
  return { method: 'POST', paths: [PATH], body };
}

/** Paid bookings of two nights, one property after the other. */
export function chainBookings(chain: Chain): Requests {
  const body = Array.from({ length: chain.properties }, (_, n) => {
    const checkIn = chainToday + 5 + (n % Math.min(300, chain.nights - 10));
    const days = { checkIn: formatDay(checkIn), checkOut: formatDay(checkIn + 2) };
    return JSON.stringify({
      propertyId: chainProperty(chain, n),
      guestInfo: GUEST,
      stayDetails: { ...days, adults: 2, roomType: CHAIN_TYPES[n % CHAIN_TYPES.length] },
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    });
  });
  return { method: 'POST', paths: ['/api/v1/reservations'], body };
}
