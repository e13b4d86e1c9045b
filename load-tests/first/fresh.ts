import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { figuresText } from './figures.ts';
import { hotProperty, NO_LIMITS } from './hot-property.ts';

/** The promise is about the first 30 s; the next 30 s show the steady state. */
const FRESH_SECONDS = 30;

/**
 * Paid bookings on a new database: plans are made while its tables are still empty
 * (docs/concepts/commit-and-fence.md#query-plans).
 */
export async function benchFresh(): Promise<void> {
  const service = await Service.start(NO_LIMITS);
  try {
    const port = Number(new URL(service.dev.reservationUrl).port);
    // A second property, since one does not have enough rooms for a minute.
    const first = await hotProperty(service);
    const second = await hotProperty(service);
    const fresh = await pumpApart(first.load(port, FRESH_SECONDS));
    const steady = await pumpApart(second.load(port, FRESH_SECONDS));
    const mean = (counts: number[]): number =>
      Math.round(counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length));
    figuresText([
      { what: 'paid bookings, first 5 s of a fresh database', value: `${mean(fresh.bySecond.slice(0, 5))}/s` },
      { what: `first ${FRESH_SECONDS} s`, value: `${mean(fresh.bySecond.slice(0, -1))}/s` },
      { what: `the ${FRESH_SECONDS} s after them`, value: `${mean(steady.bySecond.slice(0, -1))}/s` },
      { what: 'answers', value: JSON.stringify([fresh.statuses, steady.statuses]) },
    ]);
  } finally {
    await service.remove();
  }
}
