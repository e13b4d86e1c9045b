import { Slices } from '../../kernel/operations/let-others-run.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { StayFields } from '../../kernel/rules/sale-window.ts';
import type { StayToQuote } from '../contracts/quotes.ts';
import { quoteIn, type QuotedStay } from './quote-rates.ts';

/** Properties whose state is loaded at a time. */
const MAX_LOADED_AT_ONCE = 4;

/** How long stays are priced before requests of others are answered in between. */
const SLICE_MS = 2;

/** A stay to quote, and where the request names its days. */
type Wanted = { stay: StayToQuote; fields: StayFields };

/**
 * Prices many stays (docs/reference/many-quotes.md#many-quotes), each by itself, in their order. All stays of one property
 * are priced in one state of it.
 */
export async function quoteStays(
  services: Services,
  caller: Caller,
  wanted: readonly Wanted[],
): Promise<PromiseSettledResult<QuotedStay>[]> {
  const views = await viewsOf(services, caller, new Set(wanted.map(({ stay }) => stay.propertyId)));
  const settled: PromiseSettledResult<QuotedStay>[] = [];
  const slices = new Slices(SLICE_MS);
  for (const { stay, fields } of wanted) {
    if (slices.isOver) await slices.rest();
    const view = views.get(stay.propertyId)!;
    settled.push(view.status === 'rejected' ? view : settledQuote(view.value, services, caller, { stay, fields }));
  }
  return settled;
}

function settledQuote(
  view: PropertyView,
  services: Services,
  caller: Caller,
  { stay, fields }: Wanted,
): PromiseSettledResult<QuotedStay> {
  try {
    return { status: 'fulfilled', value: quoteIn(view, services, caller, { ...stay, explain: false }, { fields }) };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

async function viewsOf({ properties }: Services, { tenantId }: Caller, propertyIds: ReadonlySet<PropertyId>) {
  const views = new Map<PropertyId, PromiseSettledResult<PropertyView>>();
  const rest = propertyIds.values();
  const load = async (): Promise<void> => {
    for (const propertyId of rest) {
      const [view] = await Promise.allSettled([properties.view({ tenantId, propertyId })]);
      views.set(propertyId, view);
    }
  };
  await Promise.all(Array.from({ length: MAX_LOADED_AT_ONCE }, load));
  return views;
}
