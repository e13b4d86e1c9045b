import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load } from '../client/pump.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { middle, figuresText } from '../first/figures.ts';
import { hotProperty, NO_LIMITS } from '../first/hot-property.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 4;
const BOOKINGS_A_SECOND = 150;
const QUOTES_A_SECOND = 1_000;
const CONNECTIONS = 16;
const DAY_MS = 86_400_000;

/** Cost of spans: the same load on services that make none, those of one request in a hundred, and all of them. */
export async function benchTracing(): Promise<void> {
  await using collector = await silentCollector();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const ways = { none: {}, '1 in 100': { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '0.01' }, all: endpoint };
  await using stack = new AsyncDisposableStack();
  const services: { name: string; service: Service; booking: (seconds: number) => Load; cpu: Kinds }[] = [];
  for (const [name, env] of Object.entries(ways)) {
    const service = await Service.start({ ...NO_LIMITS, ...env });
    stack.defer(() => service.remove());
    const { load } = await hotProperty(service);
    const booking = (seconds: number): Load => load(Number(new URL(service.dev.reservationUrl).port), seconds);
    services.push({ name, service, booking, cpu: { bookings: [], quotes: [] } });
  }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { service, booking, cpu } of services) {
      const bookings = { ...booking(ROUND_SECONDS), perSecond: BOOKINGS_A_SECOND };
      for (const [kind, load] of [['bookings', bookings] as const, ['quotes', quotes(service)] as const]) {
        const spent = await cpuOf(service, load);
        if (round >= 0) cpu[kind].push(spent);
      }
    }
  }
  for (const kind of ['bookings', 'quotes'] as const) {
    const base = middle(services[0]!.cpu[kind]);
    figuresText(
      services.map(({ name, cpu }) => ({
        what: `CPU of the service for one of the ${kind}, spans of ${name}`,
        value: `${middle(cpu[kind]).toFixed(3)} ms, ${(middle(cpu[kind]) / base).toFixed(2)} times`,
      })),
    );
  }
}

type Kinds = Record<'bookings' | 'quotes', number[]>;

/** CPU milliseconds per request. */
async function cpuOf(service: Service, load: Load): Promise<number> {
  const before = cpuMs(service.dev.pid);
  const { requests } = await pumpApart(load);
  return (cpuMs(service.dev.pid) - before) / requests;
}

function quotes(service: Service): Load {
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  const stay = `checkIn=${day(40)}&checkOut=${day(43)}&adults=2`;
  return {
    port: Number(new URL(service.dev.rateUrl).port),
    method: 'GET',
    connections: CONNECTIONS,
    paths: [`/api/v1/rates/current?propertyId=harbor-hotel&${stay}`],
    headers: { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' },
    seconds: ROUND_SECONDS,
    perSecond: QUOTES_A_SECOND,
  };
}

/** Accepts everything and stores nothing. */
async function silentCollector(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
