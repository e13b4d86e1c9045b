import type { Caller } from '../domain/caller.ts';
import type { PriceChange } from '../domain/commands.ts';
import { Refusal } from '../domain/refusal.ts';
import { type RevenueForecast, revenueForecast } from '../domain/revenue-forecast.ts';
import type { PropertyView } from '../ports/properties.ts';
import type { Services } from './services.ts';

/** Prices before and after a change, and what the nights are expected to earn with them (contracts.md 6). */
export type RatePreview = {
  id: string;
  kind: 'RATE_CHANGE' | 'OPTIMIZATION';
  items: PriceChange[];
  forecast: RevenueForecast;
  seq: number;
};

/** A change of base rates that was made: what it changed, and what its nights earn by what is on the books now. */
export async function previewRateChange(services: Services, { tenantId }: Caller, id: string): Promise<RatePreview> {
  const change = await services.sales.rateChange(tenantId, id);
  if (!change) throw new Refusal('RATE_CHANGE_NOT_FOUND', 'The tenant has no such rate change.');
  const view = await services.properties.view({ tenantId, propertyId: change.propertyId });
  return previewOf(view, 'RATE_CHANGE', id, change.value, view.seq);
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
