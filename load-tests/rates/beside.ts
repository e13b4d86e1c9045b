import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { middle, figuresText } from '../first/figures.ts';
import { HIGH_LIMITS } from '../first/quote.ts';

const TYPES = 10;
const DAYS = 365;
const ROUNDS = 3;
const ROUND_SECONDS = 4;
/** Far below saturation: the machine has two cores, and the optimizer takes one. */
const CONNECTIONS = 2;
const QUOTES_A_ROUND = 3_000;

/** Quotes without other load, and during the optimization of a year of ten room types, alternately. */
export async function benchBeside(): Promise<void> {
  const service = await Service.start(HIGH_LIMITS);
  try {
    const rooms = Object.fromEntries(Array.from({ length: TYPES }, (_, n) => [`T${n}`, 30]));
    const property = await BlackboxProperty.open(service, { rooms, pricedNights: DAYS + 5 });
    for (let n = 0; n < 30; n++) must(await property.book({ from: 5 + 10 * n, roomType: `T${n % TYPES}` }), 201);
    const quiet: LoadReport[] = [];
    const beside: LoadReport[] = [];
    const took: number[] = [];
    await quotes(service, property);
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(await quotes(service, property));
      const optimization = optimize(service, property);
      beside.push(await quotes(service, property));
      took.push(await optimization);
    }
    const p99 = (reports: LoadReport[]): number => middle(reports.map(({ ms }) => ms.p99));
    const shown = (reports: LoadReport[]): string =>
      `p50 ${middle(reports.map(({ ms }) => ms.p50))} ms, p99 ${p99(reports)} ms`;
    figuresText([
      { what: 'optimization of a year of 10 types, requested over HTTP', value: `${Math.round(middle(took))} ms` },
      { what: 'quotes on 2 connections, quiet', value: shown(quiet) },
      { what: 'quotes beside the optimizer', value: shown(beside) },
      { what: 'p99 beside it (2 times promised)', value: `${(p99(beside) / p99(quiet)).toFixed(1)} times` },
    ]);
  } finally {
    await service.remove();
  }
}

function quotes(service: Service, property: BlackboxProperty): Promise<LoadReport> {
  const paths = Array.from(
    { length: 200 },
    (_, n) =>
      `/api/v1/rates/current?propertyId=${property.propertyId}&checkIn=${property.day(n + 1)}&checkOut=${property.day(n + 15)}`,
  );
  return pumpApart({
    port: Number(new URL(service.dev.rateUrl).port),
    method: 'GET',
    paths,
    connections: CONNECTIONS,
    headers: { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' },
    seconds: ROUND_SECONDS,
    requests: QUOTES_A_ROUND,
  });
}

/** @returns milliseconds until it was completed */
async function optimize(service: Service, property: BlackboxProperty): Promise<number> {
  const began = performance.now();
  const body = {
    propertyId: property.propertyId,
    optimizationPeriod: { startDate: property.day(1), endDate: property.day(DAYS) },
    objectives: { primary: 'MAXIMIZE_REVENUE' },
  };
  type Optimization = { optimizationId: string; status: string };
  const { optimizationId } = must(
    await service.rates<Optimization>('POST', '/yield-optimization', { body }),
    202,
  ).json;
  await until('the optimization', 120_000, async () => {
    const { json } = must(await service.rates<Optimization>('GET', `/optimizations/${optimizationId}`), 200);
    return json.status === 'COMPLETED' ? true : undefined;
  });
  return performance.now() - began;
}
