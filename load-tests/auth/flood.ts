import { forgedTokens } from '../../test/blackbox/forged-tokens.ts';
import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { Load, LoadReport } from '../client/pump.ts';
import { figuresText } from '../first/figures.ts';
import { HIGH_LIMITS } from '../first/quote.ts';

const SECONDS = 10;
const QUOTES_A_SECOND = 200;
const FORGED_A_SECOND = 2_000;
const DAY_MS = 86_400_000;

/** Quotes of other clients while one address sends forged tokens (p99 within 2 times promised). */
export async function benchFlood(): Promise<void> {
  const service = await Service.start(HIGH_LIMITS);
  try {
    const port = Number(new URL(service.dev.rateUrl).port);
    const good = service.token('demo', 'VIEWER');
    const forged = (await forgedTokens(service.dataDir, good, 'http://127.0.0.1:9')).filter(
      ({ token }) => token.length < 4_000,
    );
    const quotes: Load = {
      port,
      method: 'GET',
      paths: [quotePath()],
      connections: 8,
      seconds: SECONDS,
      perSecond: QUOTES_A_SECOND,
      headers: { authorization: `Bearer ${good}`, 'x-tenant-id': 'demo' },
    };
    // All different, so that none is cached: the number is appended to the signature of a valid token.
    const flood: Load = {
      port,
      method: 'GET',
      paths: [quotePath()],
      connections: 32,
      seconds: SECONDS,
      perSecond: FORGED_A_SECOND,
      headers: {
        authorization: `Bearer ${forged.find(({ what }) => what === 'half a signature')?.token}{n}`,
        'x-tenant-id': 'demo',
      },
    };
    await pumpApart(quotes);
    const quiet = await pumpApart(quotes);
    const [beside, attack] = await Promise.all([pumpApart(quotes), pumpApart(flood)]);
    figuresText([
      { what: 'quotes alone, p50, p99', value: report(quiet) },
      { what: 'quotes beside the flood, p50, p99', value: report(beside) },
      { what: 'p99 beside / alone (2 promised)', value: (beside.ms.p99 / quiet.ms.p99).toFixed(1) },
      { what: 'forged tokens a second', value: `${attack.perSecond} ${JSON.stringify(attack.statuses)}` },
    ]);
  } finally {
    await service.remove();
  }
}

function report({ ms: { p50, p99 }, statuses }: LoadReport): string {
  return `${p50} ms, ${p99} ms ${JSON.stringify(statuses)}`;
}

function quotePath(): string {
  const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);
  return `/api/v1/rates/current?propertyId=harbor-hotel&checkIn=${day(40)}&checkOut=${day(42)}&adults=2`;
}
