import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { CompetitorRate } from '../../rates/rules/competitor-rate.ts';
import type { CompetitorFeed, FeedAnswer, FeedQuestion, UsualRate } from '../ports.ts';

/** Hotels that may stand in the same street, with their rates relative to the usual price there. */
const HOTELS: readonly [id: string, level: number][] = [
  ['grand-plaza', 1.22],
  ['park-view', 1.08],
  ['old-town-house', 1.02],
  ['garden-court', 0.97],
  ['station-hotel', 0.9],
  ['city-lodge', 0.84],
];
const NEIGHBOURS = 4;

/** From Sunday on: weekends are in demand, Sundays are not. */
const WEEK = [0.92, 0.96, 0.98, 1, 1.05, 1.18, 1.2];
const YEAR = [0.88, 0.9, 0.96, 1, 1.05, 1.1, 1.16, 1.18, 1.08, 1, 0.92, 1.02];

/** Prices move by so much around that, and one night in so many is sold out. */
const SPREAD = 0.12;
const SOLD_OUT = 0.04;

/** Portals are looked at four times a day. */
const OBSERVED_EVERY_MS = 6 * 3_600_000;

/**
 * The street's price: the property's own, rounded to steps of a quarter. A property that changes its rates a little
 * does not take its market along.
 */
const STEP = 1.25;

type Options = { usual: (to: Address, today: Day) => Promise<UsualRate[]>; now: () => Instant };

/**
 * A feed that stands in where none is configured: for each property some hotels with prices around its own, dearer at
 * weekends and in summer. The same property, night and hotel always cost the same.
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

/** Whole units of the currency; `undefined` when the hotel is sold out. */
function priceOf(level: number, day: Day, seed: string): Minor | undefined {
  if (chance(`${seed} sold out`) < SOLD_OUT) return undefined;
  const month = new Date(day * 86_400_000).getUTCMonth();
  const around = 1 + SPREAD * (chance(seed) - 0.5);
  return Math.max(1, Math.round((level * WEEK[weekdayIndex(day)]! * YEAR[month]! * around) / 100)) * 100;
}

/** A number from 0 to 1 that always is the same for a text: FNV-1a, and its bits mixed once more. */
function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
