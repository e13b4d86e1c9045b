import type { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { Slices } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { type Day, isWeekend } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { CountedCell } from '../ports.ts';
import { usualPrice } from '../rules/demand-model.ts';
import { leadBucket, LONGEST_STAY, marketBucket, ratioBucket } from '../rules/quote-cells.ts';
import type { CountedProperty, CountedStay, QuoteCounter } from './quote-counter.ts';

/** Nights before and after one by whose rates its usual one is found. */
const ALIKE_DAYS = 28;

/** Fewer nights than these say nothing about a usual rate: of a property that was read for a search, only its nights are there. */
const LEAST_NIGHTS = 14;

/** Cells of one statement. */
const MAX_CELLS = 5_000;

/** How long cells are counted before quotes are answered. */
const SLICE_MS = 4;

/** Cells that wait to be stored; further ones are lost. */
const MAX_WAITING = 60_000;

/**
 * Adds the counted quotes of this node to the stored ones, a statement for each tenant or for each 5,000 cells. What
 * fails waits for the next round; what was counted since the last one is lost when the process is killed.
 */
export class QuoteCountStore {
  readonly #services: Pick<Services, 'quoteCounts' | 'storeQuoteCounts' | 'log'>;
  /** By tenant, until they are stored. */
  readonly #waiting = new Map<string, CountedCell[]>();

  constructor(services: Pick<Services, 'quoteCounts' | 'storeQuoteCounts' | 'log'>) {
    this.#services = services;
  }

  /** @throws errors of a database that is not there; the counts wait */
  async store(each: ItemRunner): Promise<void> {
    const { quoteCounts, storeQuoteCounts } = this.#services;
    await this.#take(quoteCounts);
    for (const [tenantId, cells] of this.#waiting) {
      while (cells.length > 0) {
        const some = cells.slice(0, MAX_CELLS);
        if (!(await each.one(`${tenantId} quote counts`, () => storeQuoteCounts(tenantId, some)))) break;
        cells.splice(0, some.length);
      }
      if (cells.length === 0) this.#waiting.delete(tenantId);
    }
  }

  async #take(counter: QuoteCounter): Promise<void> {
    let waiting = sum([...this.#waiting.values()], ({ length }) => length);
    let lost = counter.uncounted;
    const slices = new Slices(SLICE_MS);
    counter.uncounted = 0;
    for (const property of counter.take()) {
      const { tenantId } = property.to;
      const cells = countedCells(property);
      if (waiting + cells.length > MAX_WAITING) {
        lost += cells.length;
        continue;
      }
      waiting += cells.length;
      const ofTenant = this.#waiting.get(tenantId) ?? [];
      this.#waiting.set(tenantId, ofTenant);
      ofTenant.push(...cells);
      // Usual prices of a property take a while, and quotes do not wait for those of many.
      if (slices.isOver) await slices.rest();
    }
    if (lost > 0) this.#services.log.warn({ lost }, 'more quotes than can be counted');
  }
}

/** Cells of a property, those of equal buckets as one. */
function countedCells({ to: { propertyId }, view, stays }: CountedProperty): CountedCell[] {
  if (stays.size === 0) return [];
  const usual = usualPrices(view, [...stays.values()]);
  const cells = new Map<string, CountedCell>();
  for (const { roomType, arrival, nights, on, price, shown, booked } of stays.values()) {
    const own = usual(roomType, arrival, nights);
    if (!own) continue;
    const known = own.market === undefined ? undefined : own.market / own.rate;
    const cell: CountedCell = {
      propertyId,
      roomType,
      arrival,
      lead: leadBucket(arrival - on),
      nights: Math.min(nights, LONGEST_STAY),
      ratio: ratioBucket(price / usualPrice(own.rate, own.market)),
      market: marketBucket(known),
      shown,
      booked,
    };
    const key = `${arrival} ${cell.lead} ${cell.nights} ${cell.ratio} ${cell.market} ${roomType}`;
    const same = cells.get(key);
    if (same) {
      same.shown += shown;
      same.booked += booked;
    } else cells.set(key, cell);
  }
  return [...cells.values()];
}

type Usual = { rate: Minor; market?: Minor };

/**
 * Mean usual rate of the nights of a stay, and of the competitors. The usual rate of a night is the median of the base
 * rates, season included, of weekdays or weekends within four weeks: a change of its own base rate hardly moves it.
 */
function usualPrices(
  view: PropertyView,
  stays: readonly CountedStay[],
): (roomType: string, arrival: Day, nights: number) => Usual | undefined {
  const [start, end] = [
    Math.min(...stays.map(({ arrival }) => arrival)) - ALIKE_DAYS,
    Math.max(...stays.map(({ arrival, nights }) => arrival + nights - 1)) + ALIKE_DAYS,
  ];
  const rates = new Map<string, Map<Day, Minor>>();
  for (const { roomType, day, base, multiplier, amount } of view.baseNights(start, end)) {
    const ofType = rates.get(roomType) ?? new Map<Day, Minor>();
    rates.set(roomType, ofType);
    const rate = Math.round((base * multiplier) / 100) + amount;
    if (base > 0 && rate > 0) ofType.set(day, rate);
  }
  const markets = new Map(
    view
      .rateNights(start + ALIKE_DAYS, end - ALIKE_DAYS)
      .map(({ roomType, day, market }) => [`${day} ${roomType}`, market]),
  );
  const medians = new Map<string, Minor | undefined>();
  const usualOf = (roomType: string, day: Day): Minor | undefined => {
    const key = `${day} ${roomType}`;
    if (!medians.has(key)) medians.set(key, medianAround(rates.get(roomType), day));
    return medians.get(key);
  };
  return (roomType, arrival, nights) => {
    let [rate, market, known] = [0, 0, 0];
    for (let day = arrival; day < arrival + nights; day++) {
      const usual = usualOf(roomType, day);
      if (usual === undefined) return undefined;
      const ofMarket = markets.get(`${day} ${roomType}`);
      rate += usual / nights;
      market += (ofMarket ?? usual) / nights;
      known += ofMarket === undefined ? 0 : 1;
    }
    return { rate, ...(2 * known > nights && { market }) };
  };
}

function medianAround(rates: ReadonlyMap<Day, Minor> | undefined, night: Day): Minor | undefined {
  if (!rates) return undefined;
  const alike: Minor[] = [];
  let around = 0;
  for (let day = night - ALIKE_DAYS; day <= night + ALIKE_DAYS; day++) {
    const rate = rates.get(day);
    if (rate === undefined) continue;
    around += 1;
    if (isWeekend(day) === isWeekend(night)) alike.push(rate);
  }
  if (around < LEAST_NIGHTS || alike.length === 0) return undefined;
  const sorted = alike.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
