import type { PropertyView } from '../../kernel/property-actors.ts';
import type { PriceChange } from '../../kernel/rules/commands/rates.ts';
import { type RevenueForecast, revenueForecast } from '../rules/revenue-forecast.ts';

/**
 * Prices before and after a change, and the expected revenue of the nights with them
 * (docs/reference/rates.md#base-rates).
 */
export type RatePreview = {
  id: string;
  kind: 'RATE_CHANGE' | 'OPTIMIZATION';
  items: PriceChange[];
  forecast: RevenueForecast;
  seq: number;
};

/** Previews changes of a property in its current state. */
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
