import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { marketMoved, type MarketNight } from '../../rates/rules/competitor-rate.ts';

/** Others may go on moving the market; they tell of it themselves. */
const MOST_TIMES = 4;

type Noting = Pick<Services, 'competitors' | 'properties' | 'log'>;

/**
 * Does something to the rates of a house's competitors, and tells its actor what that has moved of the market of the
 * nights from `start` to `end`, for dashboards. A property that cannot be told now sees it with its next snapshot.
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
    // Also of work that has broken off: the next time finds what it has done until then, and nothing that moves.
    await publish().catch((error: unknown) =>
      log.warn({ property: to.propertyId, error: String(error) }, 'dashboards do not see the market yet'),
    );
  }

  /** Looks again after it has told: of two who tell at a time, the one who is later tells what both have done. */
  async function publish(): Promise<void> {
    const by = { subject: 'system', requestId: ownRequestId() };
    let told = before;
    for (let times = 0; times < MOST_TIMES; times++) {
      const now = await look();
      const nights = marketMoved(told, now);
      if (nights.length === 0) return;
      await sendAlways({ properties }, by, to, { type: 'NOTE_MARKET', nights });
      told = now;
    }
  }
}
