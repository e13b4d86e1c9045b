import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { CompetitorRate } from '../../rates/rules/competitor-rate.ts';
import type { CompetitorFeed, FeedAnswer, FeedQuestion, UsualRate } from '../ports.ts';

/** Simulated hotels nearby, with their rates relative to the usual price. */
const HOTELS: readonly [id: string, level: number][] = [
  ['grand-plaza', 1.22],
  ['park-view', 1.08],
  ['old-town-house', 1.02],
  ['garden-court', 0.97],
  ['station-hotel', 0.9],
  ['city-lodge', 0.84],
];
const NEIGHBOURS = 4;

/** Factors from Sunday on: weekends are in demand, Sundays are not. */
const WEEK = [0.92, 0.96, 0.98, 1, 1.05, 1.18, 1.2];
const YEAR = [0.88, 0.9, 0.96, 1, 1.05, 1.1, 1.16, 1.18, 1.08, 1, 0.92, 1.02];

/** Random spread of prices around that, and the share of sold-out nights. */
const SPREAD = 0.12;
const SOLD_OUT = 0.04;

/** Interval of the simulated observations. */
const OBSERVED_EVERY_MS = 6 * 3_600_000;

/**
 * Price level of the area: the property's own, rounded to steps of a quarter, so that a small change of rates does not
 * move the market.
 */
const STEP = 1.25;

type Options = { usual: (to: Address, today: Day) => Promise<UsualRate[]>; now: () => Instant };

/**
 * Feed for installations without one: for each property some hotels with prices around its own, higher at weekends and
 * in summer. Deterministic by property, night and hotel.
 */
export class CompetitorSimulator implements CompetitorFeed {
  readonly source = 'simulator';
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async read({ to, start, end, currency }: FeedQuestion): Promise<FeedAnswer> {
    const { usual, now } = this.#options;
    const observedAt = now() - (now() % OBSERVED_EVERY_MS);
    const seed = `${to.tenantId} ${to.propertyId}`;
    const rates: CompetitorRate[] = [];
    for (const { roomType, rate, lastDay } of await usual(to, start)) {
      const level = STEP ** Math.round(Math.log(rate) / Math.log(STEP));
      for (const [competitorId, against] of neighbours(seed))
        for (let day = start; day <= Math.min(end, lastDay); day++) {
          const price = priceOf(level * against, day, `${seed} ${competitorId} ${roomType} ${day}`);
          if (price !== undefined) rates.push({ competitorId, roomType, day, rate: price, currency, observedAt });
        }
    }
    return { rates, malformed: 0 };
  }
}

function neighbours(seed: string): readonly [id: string, level: number][] {
  return HOTELS.toSorted(([a], [b]) => chance(`${seed} ${a}`) - chance(`${seed} ${b}`)).slice(0, NEIGHBOURS);
}

/** In whole units of the currency; `undefined` when the hotel is sold out. */
function priceOf(level: number, day: Day, seed: string): Minor | undefined {
  if (chance(`${seed} sold out`) < SOLD_OUT) return undefined;
  const month = new Date(day * 86_400_000).getUTCMonth();
  const around = 1 + SPREAD * (chance(seed) - 0.5);
  return Math.max(1, Math.round((level * WEEK[weekdayIndex(day)]! * YEAR[month]! * around) / 100)) * 100;
}

/** Deterministic number from 0 to 1 for a text: FNV-1a, with its bits mixed once more. */
function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
