import { beforeTheJournal, gridAt, mustHaveCome } from '../../history/operations/rebuild-grid.ts';
import { PastGrid } from '../../history/rules/past-grid.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { checkStayDays } from '../../kernel/rules/sale-window.ts';
import type { AvailabilityQuery, SearchBody } from '../../properties/contracts/properties.ts';
import { QuoteTokens } from '../../rates/operations/quote-token.ts';
import type { GridCell, QuotedRate } from '../../rates/rules/queries.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';

/**
 * Cells of a property, both days inclusive (docs/reference/set-up.md#availability), as they are or as they were at
 * `asOf`; and which of them are closed. Of the past only the rooms are known.
 * @throws DomainError VALIDATION_FAILED for an instant in the future, INSUFFICIENT_DATA for one before the journal begins
 */
export async function readAvailability(
  services: Services,
  caller: Caller,
  query: AvailabilityQuery,
): Promise<{ to: Address; cells: GridCell[]; closed: ReadonlySet<GridCell>; seq: number }> {
  const to = { tenantId: caller.tenantId, propertyId: query.property_id };
  const { start_date: start, end_date: end, room_type: roomType, asOf } = query;
  const view = await services.properties.view(to);
  if (asOf === undefined) {
    const cells = view.grid(start, end, roomType);
    return {
      to,
      cells,
      closed: new Set(cells.filter((cell) => view.isClosed(cell.roomType, cell.day))),
      seq: view.seq,
    };
  }
  mustHaveCome(services, asOf);
  const was = await services.archive.read(to, (journal) => gridAt(services, journal, asOf));
  if (!was) throw beforeTheJournal();
  return { to, cells: new PastGrid(was.grid).cells(start, end, roomType), closed: new Set(), seq: was.seq };
}

export type Offer = { propertyId: PropertyId; propertyName: string; rate: QuotedRate; quoteToken: string };

/** Properties searched at most in one call. */
const MOST_PROPERTIES = 100;

const FIELDS = { checkIn: { pointer: '/checkIn' }, checkOut: { pointer: '/checkOut' } };

/**
 * Bookable offers over the tenant's properties, cheapest first (`POST /availability/search`). Properties that sleep go
 * on sleeping.
 * @throws DomainError PROPERTY_NOT_FOUND, VALIDATION_FAILED
 */
export async function searchAvailability(services: Services, caller: Caller, body: SearchBody): Promise<Offer[]> {
  const { tenantId } = caller;
  const { properties, propertyReader, clock, signed } = services;
  const listed = body.propertyIds
    ? [...new Set(body.propertyIds)]
    : (await propertyReader.list(tenantId, MOST_PROPERTIES)).items.map((p) => p.propertyId);
  const now = clock.now();
  const offers: Offer[] = [];
  const views = await properties.views(tenantId, listed, { first: body.checkIn, last: body.checkOut });
  if (body.propertyIds && views.length < listed.length)
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant does not have all of these properties.');
  for (const view of views) {
    const { propertyId } = view.setup.property;
    const to = { tenantId, propertyId };
    checkStayDays(view, body, FIELDS);
    if (body.roomType !== undefined && !view.setup.roomTypes.some(({ roomType }) => roomType === body.roomType))
      continue;
    const { rates } = view.quote({ ...body, rateCode: BAR }, now);
    const tokens = new QuoteTokens(signed, to, body, now);
    for (const rate of rates) {
      if (!rate.bookable) continue;
      offers.push({ propertyId, propertyName: view.setup.property.name, rate, quoteToken: tokens.of(rate) });
    }
  }
  return offers.sort((a, b) => a.rate.total - b.rate.total);
}
