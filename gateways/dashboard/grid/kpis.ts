import type { KpiItem } from '../../../src/live/contracts/live.ts';
import * as say from '../messages.ts';
import type { Audit, KnownAnalysis } from '../revenue/shapes.ts';

/** A key figure: its value, its changes, and its numerator and denominator. */
export type Tile = {
  id: 'occupancy' | 'adr' | 'revpar' | 'pickup' | 'cancellations' | 'market';
  label: string;
  value: string;
  unit: string;
  /** Changes against yesterday and the same weekday last year; `undefined` where unknown. */
  changes: { label: string; change: string | undefined; rises: boolean | undefined }[];
  /** Numerator and denominator in words. */
  detail: string;
  /** Time of the figure, where it does not follow every change; milliseconds. */
  at?: number;
  /** Until when it counts as current: the next query of its source. */
  goodUntil?: number;
};

/** Data for the tiles. */
export type KpiFacts = {
  night: KpiItem | undefined;
  /** Room nights booked for the shown nights since the day started, less those cancelled. */
  pickup: number | undefined;
  nights: number;
  /** The first and last shown night. */
  shown: say.ShownNights;
  /** When the business day started. */
  began: number;
  /** Cancellations of the business day. */
  cancelled: number | undefined;
  month: KnownAnalysis | undefined;
  yesterday: Audit | undefined;
  lastYear: Audit | undefined;
  currency: string;
  seesAmounts: boolean;
};

/** The tiles that a user may see, in order. */
export function tilesOf(facts: KpiFacts): Tile[] {
  const counts = [occupancy(facts), pickup(facts), cancellations(facts)] as const;
  if (!facts.seesAmounts) return [...counts];
  return [counts[0], adr(facts), revPar(facts), counts[1], counts[2], market(facts)];
}

function occupancy({ night, yesterday, lastYear }: KpiFacts): Tile {
  const rate = night && night.roomsAvailable > 0 ? night.occupancyRate : undefined;
  return {
    id: 'occupancy',
    label: say.tiles.occupancy,
    unit: '%',
    value: rate === undefined ? say.NOT_KNOWN : say.inTenths(rate),
    changes: changesOf(rate, [yesterday?.occupancyRate, lastYear?.occupancyRate], say.pointsChange),
    detail: night ? say.soldOf(night.roomsSold, night.roomsAvailable) : say.NO_DATA,
  };
}

function adr({ night, yesterday, lastYear, currency }: KpiFacts): Tile {
  const sold = night?.roomsSold ?? 0;
  const value = sold === 0 ? undefined : (night?.adr ?? undefined);
  return {
    id: 'adr',
    label: say.tiles.adr,
    unit: '',
    ...amount(value, currency),
    changes: changesOf(value, [yesterday?.adr ?? undefined, lastYear?.adr ?? undefined], say.percentChange),
    detail:
      value === undefined
        ? night
          ? say.NO_ROOM_SOLD
          : say.NO_DATA
        : say.revenueOver(revenueOf(night, 0), sold, 'sold', currency),
  };
}

function revPar({ night, yesterday, lastYear, currency }: KpiFacts): Tile {
  const rooms = night?.roomsAvailable ?? 0;
  const value = rooms === 0 ? undefined : night?.revPar;
  return {
    id: 'revpar',
    label: say.tiles.revpar,
    unit: '',
    ...amount(value, currency),
    changes: changesOf(value, [yesterday?.revPar, lastYear?.revPar], say.percentChange),
    detail:
      value === undefined
        ? say.NO_DATA
        : say.revenueOver(revenueOf(night, value * rooms), rooms, 'available', currency),
  };
}

/** Room revenue of a night. By the rooms sold, as these are fewer: the cents that the average lacks count least. */
const revenueOf = (night: KpiItem | undefined, otherwise: number): number =>
  night?.adr ? night.adr * night.roomsSold : otherwise;

function pickup({ pickup: value, began, nights, shown }: KpiFacts): Tile {
  return {
    id: 'pickup',
    label: say.tiles.pickup(nights),
    unit: say.roomNights,
    value: value === undefined ? say.NOT_KNOWN : say.signed(value),
    // Night audits count all nights of the property, which is another number.
    changes: [],
    detail: value === undefined ? say.NO_DATA : say.pickedUpSince(value, began, shown),
  };
}

function cancellations({ cancelled, began, yesterday, lastYear }: KpiFacts): Tile {
  const before = [yesterday?.reservations.cancelled, lastYear?.reservations.cancelled];
  return {
    id: 'cancellations',
    label: say.tiles.cancellations,
    unit: say.today,
    value: cancelled === undefined ? say.NOT_KNOWN : String(cancelled),
    changes: changesOf(cancelled, before, say.countChange),
    detail: cancelled === undefined ? say.NO_DATA : say.cancelledSince(cancelled, began),
  };
}

function market({ month, currency }: KpiFacts): Tile {
  const { averageMarketRate: average, position, priceIndex: index } = month?.competitors ?? {};
  const { lastSync, nextSync } = month?.competitors ?? {};
  const known = index !== undefined && index !== null;
  return {
    id: 'market',
    label: say.tiles.market,
    unit: known ? say.ofMarket(position) : '',
    value: known ? `${say.inTenths(index)}\u00a0%` : say.NOT_KNOWN,
    changes: [],
    detail:
      known && average !== null && average !== undefined ? say.marketIndex(index, average, currency) : say.NO_MARKET,
    ...(known && month && { at: lastSync ? Date.parse(lastSync) : month.at }),
    ...(known && nextSync && { goodUntil: Date.parse(nextSync) }),
  };
}

function amount(value: number | undefined, currency: string): { value: string } {
  return { value: value === undefined || currency === '' ? say.NOT_KNOWN : say.shortMoney(value, currency) };
}

function changesOf(
  now: number | undefined,
  before: readonly (number | undefined)[],
  write: (now: number, before: number) => string | undefined,
): Tile['changes'] {
  return say.comparedWith.map((label, index) => {
    const then = before[index];
    if (now === undefined || then === undefined) return { label, change: undefined, rises: undefined };
    return { label, change: write(now, then), rises: now === then ? undefined : now > then };
  });
}
