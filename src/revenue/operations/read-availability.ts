import { beforeTheJournal, gridAt, mustHaveCome } from '../../history/operations/rebuild-grid.ts';
import { PastGrid } from '../../history/rules/past-grid.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { type Code, DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { checkStayDays, outside } from '../../kernel/rules/sale-window.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import type { AvailabilityQuery } from '../../properties/contracts/properties.ts';
import { QuoteTokens } from '../../rates/operations/quote-token.ts';
import { checkDayIsLeft, checkDayUse, dayOver, sellsDayUse } from '../../rates/rules/day-use.ts';
import type { GridCell, QuotedRate } from '../../rates/rules/queries.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { SearchBody } from '../contracts/availability-search.ts';

/** Cells of nights, and those of them that no plan sells. */
type Cells = { cells: GridCell[]; closed: ReadonlySet<GridCell> };

/**
 * Reads cells of a property, both days inclusive (docs/reference/set-up.md#availability), now or at `asOf`, and which
 * of them are closed. Of the past only room counts are known. `state` is the present one, where it has them.
 * @throws DomainError VALIDATION_FAILED for an instant in the future, INSUFFICIENT_DATA for one before the journal
 * begins
 */
export async function readAvailability(
  services: Services,
  caller: Caller,
  query: AvailabilityQuery,
): Promise<{ seq: number; state?: PropertyView; read: () => Cells }> {
  const to = { tenantId: caller.tenantId, propertyId: query.property_id };
  const { start_date: start, end_date: end, room_type: roomType, asOf } = query;
  const state = await services.properties.view(to);
  if (asOf === undefined) {
    const read = (): Cells => {
      const cells = state.grid(start, end, roomType);
      return { cells, closed: new Set(cells.filter((cell) => state.isClosed(cell.roomType, cell.day))) };
    };
    return { seq: state.seq, state, read };
  }
  mustHaveCome(services, asOf);
  const was = await services.archive.read(to, (journal) => gridAt(services, journal, asOf));
  if (!was) throw beforeTheJournal();
  const cells = new PastGrid(was.grid).cells(start, end, roomType);
  return { seq: was.seq, read: () => ({ cells, closed: new Set() }) };
}

/** An offer of a search; one that costs more than the buyer's maximum has a reason and no token. */
export type Offer = {
  propertyId: PropertyId;
  propertyName: string;
  rate: QuotedRate;
  quoteToken?: string;
  reason?: { code: Code; detail: string };
};

/** Maximum of properties searched in one call. */
const MAX_PROPERTIES = 100;

const FIELDS = { checkIn: { pointer: '/checkIn' }, checkOut: { pointer: '/checkOut' } };
const NIGHTS = { start: FIELDS.checkIn, end: FIELDS.checkOut };

/** A property that cannot be booked on these days at all: in its time zone they are past, or beyond its horizon. */
type Unsearched = { propertyId: PropertyId; code: string; detail: string };

type SearchResult = { offers: Offer[]; unsearched: Unsearched[] };

/**
 * Searches offers of the tenant's properties (`POST /availability/search`), by default of all plans that everybody can
 * book: cheapest first within each currency, those above the buyer's maximum last. Passive properties are not activated.
 * @throws DomainError PROPERTY_NOT_FOUND; VALIDATION_FAILED when no property can be booked on these days
 */
export async function searchAvailability(
  services: Services,
  caller: Caller,
  body: SearchBody,
): Promise<SearchResult> {
  const { tenantId } = caller;
  const { properties, propertyReader, clock, signed } = services;
  const listed = body.propertyIds
    ? [...new Set(body.propertyIds)]
    : (await propertyReader.list(tenantId, MAX_PROPERTIES)).items
        .map((p) => p.propertyId)
        // Found by its id alone.
        .filter((id) => !isSandbox(id));
  const now = clock.now();
  const views = await properties.views(tenantId, listed, { first: body.checkIn, last: body.checkOut });
  if (body.propertyIds && views.length < listed.length)
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant does not have all of these properties.');
  checkDayUse(
    views.flatMap(({ setup }) => setup.plans),
    body,
    FIELDS,
  );
  const unsearched: Unsearched[] = [];
  const offers = views.flatMap((view) => {
    const { propertyId, metadata } = view.setup.property;
    const error = outside(view, body.checkIn, body.checkOut - 1, NIGHTS)[0] ?? dayOver(body, metadata, now);
    if (!error) {
      const to = { tenantId, propertyId };
      const found = offersOf(view, body, now, new QuoteTokens(signed, to, body, now, view.charges));
      services.quoteCounts.shown(
        caller.subject,
        to,
        view,
        body,
        found.map(({ rate }) => rate),
      );
      return found;
    }
    unsearched.push({ propertyId, code: error.code, detail: error.detail });
    return [];
  });
  if (views.length > 0 && unsearched.length === views.length) {
    checkStayDays(views[0]!, body, FIELDS);
    checkDayIsLeft(body, views[0]!.setup.property.metadata, FIELDS, now);
  }
  return { offers: offers.sort(byPrice), unsearched };
}

function offersOf(view: PropertyView, body: SearchBody, now: Instant, tokens: QuoteTokens): Offer[] {
  const { property, roomTypes, plans } = view.setup;
  if (body.roomType !== undefined && !roomTypes.some(({ roomType }) => roomType === body.roomType)) return [];
  const isSold = (plan: RatePlan): boolean => plan.status === 'ACTIVE' && (!body.dayUse || sellsDayUse(plan));
  const sold = plans.filter((plan) => isSold(plan) && isAsked(plan, body));
  const rates = sold.flatMap(({ code: rateCode }) => view.quote({ ...body, rateCode }, now).rates);
  return rates
    .filter(({ bookable }) => bookable)
    .map((rate) => {
      const offer = { propertyId: property.propertyId, propertyName: property.name, rate };
      const reason = tooDear(rate, body);
      return reason ? { ...offer, reason } : { ...offer, quoteToken: tokens.of(rate) };
    });
}

/** Rates of a company are no price for everybody: they are offered only where they are named. */
function isAsked({ code, guarantee }: RatePlan, { rateCodes }: SearchBody): boolean {
  return rateCodes ? rateCodes.includes(code) : guarantee !== 'COMPANY';
}

/** The reason for which a booking under the buyer's maximum would be refused. */
function tooDear({ total, taxes, fees }: QuotedRate, { maxTotal = Infinity }: SearchBody): Offer['reason'] {
  const whole = total + taxes + fees;
  if (whole <= maxTotal) return undefined;
  return { code: 'PRICE_CHANGED', detail: `The stay costs ${decimalText(whole)}, more than maxTotal.` };
}

/** Amounts of different currencies are not compared. */
function byPrice({ rate: one, reason }: Offer, { rate: other, reason: otherReason }: Offer): number {
  if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
  return Number(reason !== undefined) - Number(otherReason !== undefined) || one.total - other.total;
}
