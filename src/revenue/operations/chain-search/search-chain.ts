import { Slices } from '../../../kernel/operations/let-others-run.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { PropertyView } from '../../../kernel/property-actors.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../../kernel/rules/ids.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import { checkStayDays, outside } from '../../../kernel/rules/sale-window.ts';
import { QuoteTokens } from '../../../rates/operations/quote-token.ts';
import type { QuotedRate } from '../../../rates/rules/queries.ts';
import { stayKey } from '../../../rates/rules/stay.ts';
import type { ChainSearchBody } from '../../contracts/chain-search.ts';
import type { ChainModel } from '../../ports.ts';
import type { Candidate } from '../../rules/chain-search/chain-index.ts';

/** Offers of one answer, and the moment up to which every change is in it. */
type ChainAnswer = { offers: ChainOffer[]; asOf: Instant; isComplete: boolean };

/** The cheapest rate of a room type, at `seq` of its property. */
type ChainOffer = {
  propertyId: PropertyId;
  propertyName: string;
  seq: number;
  rate: QuotedRate;
  quoteToken: string;
};

/** A rate that can be booked, and the state that it was quoted on. */
type Found = { rate: QuotedRate; view: PropertyView };

/** What a property sells to everybody. */
type Sold = { plans: readonly string[]; types: ReadonlySet<string> };

type Stay = Pick<ChainSearchBody, 'checkIn' | 'checkOut' | 'adults' | 'children' | 'childAges'>;

/** Prices that one search computes: where most rooms cannot be booked, it ends with what it has. */
const MAX_QUOTES = 2_000;
/** How long prices are computed before requests of others are answered in between. */
const SLICE_MS = 2;
/** Candidates quoted beyond the offers wanted, since some cannot be booked. */
const SPARE = 8;

const FIELDS = { checkIn: { pointer: '/checkIn' }, checkOut: { pointer: '/checkOut' } };
const NIGHTS = { start: FIELDS.checkIn, end: FIELDS.checkOut };

/**
 * Searches all properties of the tenant for the cheapest room types (`POST /availability/search`,
 * docs/reference/chain-search.md#request). The read model finds candidates by a bound below their price; each is quoted
 * on the committed state of its property, so that an offer costs what its owner says and is free at its `seq`.
 * @throws DomainError PROPERTY_NOT_FOUND; VALIDATION_FAILED when no property can be booked on these days; NOT_EXECUTED,
 * STALE as the model
 */
export async function searchChain(services: Services, caller: Caller, body: ChainSearchBody): Promise<ChainAnswer> {
  const { tenantId } = caller;
  const model = await services.chainModels.model(tenantId);
  const { index, asOf } = model;
  const search = new Search(model, body, services.clock.now());
  const beside = await search.namedBeside();
  if (index.size === 0 && beside.length === 0)
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no property to search.');
  const window = { ...index.window };
  for (const { businessDate, lastNight } of beside) {
    window.businessDate = Math.min(window.businessDate, businessDate);
    window.lastNight = Math.max(window.lastNight, lastNight);
  }
  checkStayDays(window, body, FIELDS);
  const currencies = new Set([...index.currencies, ...beside.map((view) => view.currency)]);
  const share = Math.ceil(MAX_QUOTES / currencies.size);
  const found: Found[][] = [];
  for (const currency of currencies) found.push(await search.cheapest(currency, share));
  const offers = sharedLimit(found, body.limit);
  return { offers: offersOf(services, caller, body, offers), asOf, isComplete: search.isComplete };
}

/** One search: views are read once for each property. */
class Search {
  readonly #model: ChainModel;
  readonly #body: ChainSearchBody;
  readonly #stay: Stay;
  readonly #stayKey: string;
  readonly #now: Instant;
  readonly #views = new Map<PropertyId, PropertyView | undefined>();
  readonly #sold = new Map<PropertyView, Sold>();
  /** Named properties that are not in the model. */
  #beside: readonly PropertyView[] = [];
  /** Prices computed in the current currency, and at most. */
  #quotes = 0;
  /** A rest costs some ms on Deno: most searches are over before one is due. */
  readonly #slices = new Slices(SLICE_MS);
  #most = MAX_QUOTES;
  isComplete = true;

  constructor(model: ChainModel, body: ChainSearchBody, now: Instant) {
    const { checkIn, checkOut, adults, children, childAges } = body;
    this.#model = model;
    this.#body = body;
    this.#stay = { checkIn, checkOut, adults, children, ...(childAges && { childAges }) };
    this.#stayKey = stayKey(this.#stay);
    this.#now = now;
  }

  /**
   * Reads named properties that are not in the model: those created a moment ago, and sandboxes.
   * @throws DomainError PROPERTY_NOT_FOUND
   */
  async namedBeside(): Promise<readonly PropertyView[]> {
    const beside = new Set(this.#body.propertyIds?.filter((id) => !this.#model.index.has(id)));
    await this.#read(beside);
    this.#beside = [...beside].flatMap((id) => this.#views.get(id) ?? []);
    if (this.#beside.length < beside.size)
      throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant does not have all of these properties.');
    return this.#beside;
  }

  /**
   * The cheapest rates of a currency, each of another room type: candidates are quoted in the order of their bounds
   * until none that is left can be cheaper than those found.
   * @param most prices that may be computed
   */
  async cheapest(currency: string, most: number): Promise<Found[]> {
    const { limit, maxTotal, propertyIds } = this.#body;
    this.#quotes = 0;
    this.#slices.resume();
    this.#most = most;
    const found = await this.#ofBeside(currency);
    let after: Candidate | undefined;
    for (let size = limit + SPARE; ; size *= 2) {
      const wanted = Math.min(size, this.#most - this.#quotes);
      if (wanted <= 0) this.isComplete = false;
      if (!this.isComplete) return found.sort(byPrice).slice(0, limit);
      const query = { ...this.#stay, party: this.#stay, currency, propertyIds, most: maxTotal, after };
      const candidates = this.#model.index.candidates({ ...query, limit: wanted });
      found.push(...(await this.#quote(candidates)));
      found.sort(byPrice);
      found.splice(limit);
      after = candidates.at(-1);
      if (!after || candidates.length < wanted) return found;
      if (found.length === limit && found.at(-1)!.rate.total <= after.bound) return found;
    }
  }

  async #ofBeside(currency: string): Promise<Found[]> {
    const views = this.#beside.filter((view) => view.currency === currency);
    const found: Found[] = [];
    for (const view of views)
      for (const { roomType } of view.setup.roomTypes) found.push(...(await this.#found(view, roomType, 0)));
    return found;
  }

  async #quote(candidates: readonly Candidate[]): Promise<Found[]> {
    const { index } = this.#model;
    await this.#read(new Set(candidates.map(({ propertyId }) => propertyId)));
    const found: Found[] = [];
    for (const { propertyId, roomType, bound } of candidates) {
      const view = this.#views.get(propertyId);
      if (!view) continue;
      // The model may be older than the state that is quoted, in which something may be cheaper.
      found.push(...(await this.#found(view, roomType, index.boundHolds(propertyId, view.seq) ? bound : 0)));
    }
    return found;
  }

  async #found(view: PropertyView, roomType: string, bound: Minor): Promise<Found[]> {
    const { checkIn, checkOut } = this.#stay;
    if (this.#quotes >= this.#most) this.isComplete = false;
    if (!this.isComplete || outside(view, checkIn, checkOut - 1, NIGHTS).length > 0) return [];
    const rate = await this.#known(view, roomType, bound);
    return rate ? [{ rate, view }] : [];
  }

  /** As an earlier search has found it, or computed now. What may cost too much is computed for each search. */
  async #known(view: PropertyView, roomType: string, bound: Minor): Promise<QuotedRate | undefined> {
    if (this.#body.maxTotal !== undefined) return this.#cheapestOf(view, roomType, bound);
    const { found } = this.#model;
    const key = `${view.setup.property.propertyId} ${roomType} ${this.#stayKey}`;
    const stand = view.quoteStand(roomType);
    const known = found.get(key);
    if (known?.stand === stand) {
      this.#quotes += 1;
      return known.rate;
    }
    const rate = await this.#cheapestOf(view, roomType, bound);
    found.set(key, { stand, ...(rate && { rate }) });
    return rate;
  }

  async #read(propertyIds: ReadonlySet<PropertyId>): Promise<void> {
    const unread = [...propertyIds].filter((id) => !this.#views.has(id));
    if (unread.length === 0) return;
    const { checkIn: first, checkOut: last } = this.#stay;
    const views = await this.#model.views(unread, { first, last });
    this.#slices.resume();
    for (const id of unread) this.#views.set(id, undefined);
    for (const view of views) this.#views.set(view.setup.property.propertyId, view);
  }

  /**
   * The cheapest rate that everybody can book, as a quote of the property says it: plans are quoted until one costs no
   * more than the bound of all.
   */
  async #cheapestOf(view: PropertyView, roomType: string, bound: Minor): Promise<QuotedRate | undefined> {
    const { maxTotal = Infinity } = this.#body;
    let cheapest: QuotedRate | undefined;
    const { plans, types } = this.#soldBy(view);
    // It was removed after the model had found it.
    if (!types.has(roomType)) return undefined;
    for (const rateCode of plans) {
      this.#quotes += 1;
      if (this.#slices.isOver) await this.#slices.rest();
      const [rate] = view.quote({ ...this.#stay, roomType, rateCode }, this.#now).rates;
      if (!rate?.bookable || rate.total + rate.taxes + rate.fees > maxTotal) continue;
      if (!cheapest || rate.total < cheapest.total) cheapest = rate;
      if (cheapest.total <= bound) break;
    }
    return cheapest;
  }

  /** Room types, and the plans that everybody can book; those that are likely to be cheap come first. */
  #soldBy(view: PropertyView): Sold {
    const known = this.#sold.get(view);
    if (known) return known;
    const { plans, roomTypes } = view.setup;
    const open = plans.filter(({ status, guarantee }) => status === 'ACTIVE' && guarantee !== 'COMPANY');
    const sold = {
      plans: open.toSorted((a, b) => a.adjustmentPercent - b.adjustmentPercent).map(({ code }) => code),
      types: new Set(roomTypes.map(({ roomType }) => roomType)),
    };
    this.#sold.set(view, sold);
    return sold;
  }
}

/**
 * Tokens of the offers of a property have one maker. Nothing is counted for the learning of demand: an offer is shown
 * only while it is among the cheapest, thousands of times for each booking, so that low prices would seem to sell worse.
 */
function offersOf(services: Services, caller: Caller, body: ChainSearchBody, found: readonly Found[]): ChainOffer[] {
  const now = services.clock.now();
  const tokens = new Map<PropertyView, QuoteTokens>();
  return found.map(({ rate, view }) => {
    const { propertyId, name: propertyName } = view.setup.property;
    const to = { tenantId: caller.tenantId, propertyId };
    const made = tokens.get(view) ?? new QuoteTokens(services.signed, to, body, now, view.charges);
    tokens.set(view, made);
    return { propertyId, propertyName, seq: view.seq, rate, quoteToken: made.of(rate) };
  });
}

/**
 * As many offers as wanted, by currency. Amounts of different currencies are not compared: each currency gets its
 * share, and what one leaves the others have.
 */
function sharedLimit(byCurrency: readonly Found[][], limit: number): Found[] {
  const all = byCurrency.flatMap((found, currency) => found.map((one, place) => ({ one, currency, place })));
  const shown = all.toSorted((a, b) => a.place - b.place || a.currency - b.currency).slice(0, limit);
  return shown.toSorted((a, b) => a.currency - b.currency || a.place - b.place).map(({ one }) => one);
}

function byPrice({ rate: one, view: a }: Found, { rate: other, view: b }: Found): number {
  const id = ({ setup }: PropertyView): string => setup.property.propertyId;
  return one.total - other.total || compareTexts(id(a), id(b)) || compareTexts(one.roomType, other.roomType);
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
