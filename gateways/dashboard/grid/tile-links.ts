import { pageUrl, currentPath } from '../address.ts';
import type { Tile } from './kpis.ts';

/** What is shown where a tile leads. */
type TileFacts = { propertyId: string; night: string; today: string; role: string };

/** Where the list behind a key figure is: a report, or a chart of this page, which has its figures as a table. */
export type TileLink = { href: string; isOnPage: boolean };

/** @returns `undefined` where the role may read no such list */
export function tileLink(id: Tile['id'], { propertyId, night, today, role }: TileFacts): TileLink | undefined {
  const seesStays = role !== 'VIEWER';
  const report = (view: string, date: string): TileLink | undefined =>
    seesStays ? { href: pageUrl('/reports', { property: propertyId, view, date }), isOnPage: false } : undefined;
  switch (id) {
    case 'occupancy':
      // Who is here tonight; of a night to come, who arrives.
      return report(night === today ? 'in-house' : 'arrivals', night) ?? chartLink('nights', 'occupancy');
    case 'adr':
      return chartLink('nights', 'adr');
    case 'revpar':
      return chartLink('nights', 'revpar');
    case 'pickup':
      return seesStays && role !== 'STAFF' ? chartLink('pickup') : undefined;
    case 'cancellations':
      return report('cancellations', today);
    case 'market':
      return chartLink('competitors');
  }
}

function chartLink(chart: string, figure = ''): TileLink {
  const shown = Object.fromEntries(new URLSearchParams(location.search));
  return { href: pageUrl(currentPath(), { ...shown, chart, figure }), isOnPage: true };
}
