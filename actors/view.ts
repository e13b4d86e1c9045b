import type { Group } from '../src/groups/rules/group.ts';
import type { PropertyView } from '../src/kernel/property-actors.ts';
import type { Day } from '../src/kernel/rules/dates.ts';
import type { InquiryId } from '../src/kernel/rules/ids.ts';
import { sameValue } from '../src/kernel/rules/members.ts';
import type { Instant } from '../src/kernel/rules/property-time.ts';
import type { CalendarEvent } from '../src/rates/rules/calendar-event.ts';
import { chargesOf, type QuotedCharges } from '../src/rates/rules/night-charges.ts';
import type { PricedParty } from '../src/rates/rules/occupancy.ts';
import type { Promotion } from '../src/rates/rules/promotion.ts';
import type {
  BaseNight,
  CalendarDay,
  CalendarQuery,
  GridCell,
  NightRestriction,
  PlanNight,
  Quote,
  QuoteQuery,
  RateNight,
  SearchedNights,
  ZeroNight,
} from '../src/rates/rules/queries.ts';
import { BAR } from '../src/rates/rules/rate-plan.ts';
import { rulesOf } from '../src/rates/rules/restriction-table.ts';
import { STAY_MEMBERS } from '../src/rates/rules/stay.ts';
import type { ExtraStay } from '../src/stay/rules/extra-nights.ts';
import type { Inquiry } from '../src/stay/rules/inquiry.ts';
import type { OtbEntry } from '../src/stay/rules/otb-entry.ts';
import { extrasTaken } from './property/money/extra-stays.ts';
import { calendar } from './property/rates/calendar.ts';
import { planNights } from './property/rates/plan-nights.ts';
import { nightUnder, pricingOf } from './property/rates/plans.ts';
import type { PromisedUnit } from './property/rates/promised-units.ts';
import { quote } from './property/rates/quote.ts';
import { baseNights, rateNights, zeroNights } from './property/rates/rate-nights.ts';
import { searchedNights } from './property/rates/searched-nights.ts';
import type { Slab } from './property/slab.ts';
import { saleWindow, type State } from './property/state.ts';

/** Numbers of objects that never change, so that equal numbers are the same object. */
const numbers = new WeakMap<object, number>();
let numbered = 0;

/** Quotes cached by a view: popular dates are requested repeatedly between two changes. */
const REMEMBERED_QUOTES = 16;

type Remembered = { query: QuoteQuery; quote?: Quote };

/** One committed state of a property, read without queueing (docs/concepts/actor.md#state). */
export class CommittedView implements PropertyView {
  readonly #state: State;
  readonly #quoted: Remembered[] = [];
  #nextQuoted = 0;
  #charges: QuotedCharges | undefined;
  #setup: PropertyView['setup'] | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  get seq(): number {
    return this.#state.seq;
  }

  get generation(): number {
    return this.#state.generation;
  }

  get at(): Instant {
    return this.#state.at;
  }

  get businessDate(): Day {
    return this.#state.today;
  }

  get currency(): string {
    return this.#state.property!.metadata.currency;
  }

  get charges(): QuotedCharges {
    return (this.#charges ??= chargesOf(this.#state.property!.metadata));
  }

  get lastNight(): Day {
    return saleWindow(this.#state).lastNight;
  }

  get ratesStand(): string {
    const { generation, ratesSeq, rateVersion } = this.#state;
    return `${generation} ${ratesSeq} ${rateVersion}`;
  }

  get isDynamic(): boolean {
    for (const { strategy, status } of this.#state.plans.values())
      if (strategy === 'DYNAMIC' && status === 'ACTIVE') return true;
    return false;
  }

  quoteStand(roomType: string): string {
    const { property, roomTypes, plans, restrictions, slabs, today } = this.#state;
    const parts = [property, plans, restrictions, roomTypes.get(roomType), slabs.get(roomType)];
    return `${today} ${parts.map(numberOf).join(' ')}`;
  }

  get setup(): PropertyView['setup'] {
    return (this.#setup ??= this.#lists());
  }

  #lists(): PropertyView['setup'] {
    const { property, roomTypes, rooms, maintenances, housekeeping, plans } = this.#state;
    // Lists are copied only for those who read them: a quote needs neither rooms nor tasks.
    return {
      property: property!,
      get roomTypes() {
        return [...roomTypes.values()];
      },
      get rooms() {
        return [...rooms.values()];
      },
      get maintenances() {
        return [...maintenances.values()];
      },
      get housekeeping() {
        return [...housekeeping.values()];
      },
      get plans() {
        return [...plans.values()];
      },
    };
  }

  quote(query: QuoteQuery, now: Instant, holder?: string): Quote {
    // Available units of a promotion change with every token that promises one.
    if (query.promoCode !== undefined) return quote(this.#state, query, now, holder);
    for (const known of this.#quoted) {
      if (isSame(known.query, query)) return (known.quote ??= { ...quote(this.#state, query, now), repeated: true });
    }
    // Most stays are requested once, so only the second request caches the answer.
    this.#quoted[this.#nextQuoted] = { query };
    this.#nextQuoted = (this.#nextQuoted + 1) % REMEMBERED_QUOTES;
    return quote(this.#state, query, now);
  }

  promise(promoCode: string, holder: string, unit: PromisedUnit): void {
    this.#state.promisedUnits.put(promoCode, holder, unit);
  }

  rateNights(start: Day, end: Day, roomType?: string): RateNight[] {
    return rateNights(this.#state, start, end, roomType);
  }

  zeroNights(start: Day, end: Day): ZeroNight[] {
    return zeroNights(this.#state, start, end);
  }

  baseNights(start: Day, end: Day, roomType?: string): BaseNight[] {
    return baseNights(this.#state, start, end, roomType);
  }

  planNights(of: { roomType: string; rateCode: string }, start: Day, end: Day): PlanNight[] {
    return planNights(this.#state, of, start, end);
  }

  searchedNights(start: Day, end: Day, parties: readonly PricedParty[]): SearchedNights[] {
    return searchedNights(this.#state, start, end, parties);
  }

  calendar(query: CalendarQuery): CalendarDay[] {
    return calendar(this.#state, query);
  }

  nextArrival(roomNumber: string): Day | undefined {
    return this.#state.roomPlan.inRoom(roomNumber).find(({ status }) => status === 'CONFIRMED')?.checkIn;
  }

  inquiry(id: InquiryId): Inquiry | undefined {
    return this.#state.inquiries.get(id);
  }

  extrasTaken(code: string, night: Day): number {
    return extrasTaken(this.#state, code, night);
  }

  get extraStays(): readonly ExtraStay[] {
    return [...this.#state.extraStays.values()];
  }

  get promotions(): readonly Promotion[] {
    return [...this.#state.promotions.values()];
  }

  get calendarEvents(): readonly CalendarEvent[] {
    return [...this.#state.calendarEvents.values()];
  }

  get books(): readonly OtbEntry[] {
    return [...this.#state.books.nights()];
  }

  get groups(): readonly Group[] {
    return [...this.#state.groups.values()].filter(({ deletedAt }) => deletedAt === undefined);
  }

  restrictions(start: Day, end: Day, of: { rateCode?: string; roomType?: string }): NightRestriction[] {
    const found: NightRestriction[] = [];
    const { plans, roomTypes, restrictions } = this.#state;
    for (const rateCode of plans.keys())
      for (const roomType of roomTypes.keys()) {
        if ((of.rateCode ?? rateCode) !== rateCode || (of.roomType ?? roomType) !== roomType) continue;
        const days = rulesOf(restrictions, rateCode, roomType);
        if (!days) continue;
        for (let day = Math.max(start, this.#state.today); day <= end; day++) {
          const restriction = days.get(day);
          if (restriction) found.push({ rateCode, roomType, day, restriction });
        }
      }
    return found;
  }

  isClosed(roomType: string, day: Day): boolean {
    const { plans, restrictions } = this.#state;
    if (restrictions.size === 0 || plans.size === 0) return false;
    for (const code of plans.keys()) if (!rulesOf(restrictions, code, roomType)?.get(day)?.stopSell) return false;
    return true;
  }

  isOversold(roomType: string, day: Day): boolean {
    const { slabs, property } = this.#state;
    const slab = slabs.get(roomType);
    return !!slab?.has(day) && slab.free(day, property!.metadata.policies.overbookingLimit) < 0;
  }

  grid(start: Day, end: Day, roomType?: string): GridCell[] {
    const cells: GridCell[] = [];
    for (const [type, slab] of this.#state.slabs) {
      if (roomType !== undefined && roomType !== type) continue;
      const { shown, first } = slab;
      const last = Math.min(end, first + slab.nights - 1);
      for (let day = Math.max(start, first); day <= last; day++)
        cells.push((shown[day - first] ??= this.#cell(type, slab, day)));
    }
    return cells;
  }

  #cell(roomType: string, slab: Slab, day: Day): GridCell {
    const { plans, property } = this.#state;
    const { policies } = property!.metadata;
    const plan = plans.get(BAR);
    return {
      roomType,
      day,
      total: slab.total(day),
      booked: slab.count(day, 'booked'),
      held: slab.count(day, 'held'),
      blocked: slab.blocked(day),
      available: Math.max(0, slab.free(day, policies.overbookingLimit)),
      rate: plan ? (nightUnder(slab, day, pricingOf(plans, plan), property!.metadata)?.rate ?? null) : null,
    };
  }
}

function numberOf(one: object | undefined): number {
  if (!one) return 0;
  let number = numbers.get(one);
  if (number === undefined) numbers.set(one, (number = ++numbered));
  return number;
}

function isSame(a: QuoteQuery, b: QuoteQuery): boolean {
  return (
    // Most differ here, and a search compares thousands.
    a.checkIn === b.checkIn &&
    a.checkOut === b.checkOut &&
    a.rateCode === b.rateCode &&
    a.promoCode === b.promoCode &&
    a.explain === b.explain &&
    STAY_MEMBERS.every((name) => sameValue(a[name], b[name]))
  );
}
