import type { Caller } from '../domain/caller.ts';
import type { PriceChange } from '../domain/commands.ts';
import { Refusal } from '../domain/refusal.ts';
import { type RevenueForecast, revenueForecast } from '../domain/revenue-forecast.ts';
import type { PropertyView } from '../ports/properties.ts';
import { changesOf } from './implement-optimization.ts';
import type { Services } from './services.ts';

/** Prices before and after a change, and what the nights are expected to earn with them (contracts.md 6). */
export type RatePreview = {
  id: string;
  kind: 'RATE_CHANGE' | 'OPTIMIZATION';
  items: PriceChange[];
  forecast: RevenueForecast;
  seq: number;
};

/**
 * A change of base rates that was made: what it changed, and what its nights earn by what is on the books now; or what
 * an optimization would change.
 * @throws Refusal RATE_CHANGE_NOT_FOUND
 */
export async function previewRateChange(services: Services, caller: Caller, id: string): Promise<RatePreview> {
  const { tenantId } = caller;
  const [change, optimization] = await Promise.all([
    services.sales.rateChange(tenantId, id),
    services.optimizations.find(tenantId, id),
  ]);
  const changes = change?.value.changes ?? (optimization?.plan && changesOf(optimization.plan));
  const propertyId = change?.propertyId ?? optimization?.propertyId;
  if (!changes || propertyId === undefined)
    throw new Refusal('RATE_CHANGE_NOT_FOUND', 'The tenant has no such change of rates.');
  const view = await services.properties.view({ tenantId, propertyId });
  return previewOf(view, optimization ? 'OPTIMIZATION' : 'RATE_CHANGE', id, changes, view.seq);
}

/** The preview of changes to a property as it is now. */
export function previewOf(
  view: PropertyView,
  kind: RatePreview['kind'],
  id: string,
  items: PriceChange[],
  seq: number,
): RatePreview {
  const days = items.map(({ day }) => day);
  const cells = items.length > 0 ? view.grid(Math.min(...days), Math.max(...days)) : [];
  return { id, kind, items, forecast: revenueForecast(items, cells, view.businessDate), seq };
}
