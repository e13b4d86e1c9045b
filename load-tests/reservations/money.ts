import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { pumpApart } from '../client/pump-apart.ts';
import type { LoadReport } from '../client/pump.ts';
import { figuresText } from '../first/figures.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { at, bookings } from './bookings.ts';

const RESERVATIONS = Number(process.env.MONEY_RESERVATIONS ?? 20_000);
const AUDITS = 5;
/** Bookings due a second beside the audits. */
const PER_SECOND = 50;
const SECONDS = 20;
const PROMISED_MS = 2_000;

/** The money audit of a large property, alone and beside bookings. */
export async function benchMoney(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20_000 }, policies: { taxPercent: 6 } });
    const target = { ...at(service, service.dev.reservationUrl), ...bookings([property]) };
    const keyed = (what: string) => ({
      headers: { ...target.headers, 'idempotency-key': `${what}-{n}` },
      body: target.body!.map((text) => text.replaceAll('{load}', what)),
    });
    const filled = await pumpApart({ ...target, ...keyed('fill'), requests: RESERVATIONS, seconds: 600 });
    const audit = async (): Promise<{ ms: number; report: Audit }> => {
      const began = performance.now();
      const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
      const { json: report } = must(await service.call<Audit>('GET', url), 200);
      return { report, ms: performance.now() - began };
    };
    const alone: number[] = [];
    for (let n = 0; n < AUDITS; n += 1) alone.push((await audit()).ms);
    const { report } = await audit();
    const load = (what: string): Promise<LoadReport> =>
      pumpApart({ ...target, ...keyed(what), seconds: SECONDS, perSecond: PER_SECOND });
    const without = await load('without');
    const beside: number[] = [];
    const loaded = new AbortController();
    const audits = (async () => {
      while (!loaded.signal.aborted) beside.push((await audit()).ms);
    })();
    const during = await load('during');
    loaded.abort();
    await audits;
    figuresText([
      {
        what: 'reservations, violations',
        value: `${report.money.reservationsChecked}, ${report.money.violationCount}`,
      },
      { what: 'bookings to begin with', value: JSON.stringify(filled.statuses) },
      { what: `audit alone (${PROMISED_MS} ms promised)`, value: shownMs(alone) },
      { what: `audits one after the other beside ${PER_SECOND} bookings a second`, value: shownMs(beside) },
      { what: '  these bookings without audits', value: shown(without) },
      { what: '  with them', value: shown(during) },
    ]);
  } finally {
    await service.remove();
  }
}

function shown({ statuses, ms, requests }: LoadReport): string {
  return `${requests} ${JSON.stringify(statuses)}, p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99} ms`;
}

function shownMs(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return `${sorted.length} times, median ${middle.toFixed(1)}, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms`;
}
