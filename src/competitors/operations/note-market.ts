import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { marketMoved, type MarketNight } from '../../rates/rules/competitor-rate.ts';

/** Limit of repeats: other writers may continue to move the market, and signal it themselves. */
const MAX_TIMES = 4;

type Noting = Pick<Services, 'competitors' | 'properties' | 'log'>;

/**
 * Changes competitor rates of a property, and signals to its actor the resulting changes of the market between `start`
 * and `end`, for dashboards. A property that is unreachable now gets them with its next snapshot.
 */
export async function noteMarket<T>(
  { competitors, properties, log }: Noting,
  to: Address,
  { start, end }: { start: Day; end: Day },
  work: () => Promise<T>,
): Promise<T> {
  const look = (): Promise<MarketNight[]> => competitors.market(to, start, end);
  const before = await look();
  try {
    return await work();
  } finally {
    // Also after failed work: the next run would find its changes stored, and nothing to signal.
    await publish().catch((error: unknown) =>
      log.warn({ property: to.propertyId, error: String(error) }, 'dashboards do not see the market yet'),
    );
  }

  /** Reads again after signalling: of two concurrent writers, the later one signals the changes of both. */
  async function publish(): Promise<void> {
    const by = { subject: 'system', requestId: ownRequestId() };
    let signalled = before;
    for (let times = 0; times < MAX_TIMES; times++) {
      const now = await look();
      const nights = marketMoved(signalled, now);
      if (nights.length === 0) return;
      await sendAlways({ properties }, by, to, { type: 'NOTE_MARKET', nights });
      signalled = now;
    }
  }
}
