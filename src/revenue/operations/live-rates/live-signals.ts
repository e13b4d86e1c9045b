import type { PropertyView } from '../../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../../kernel/rules/caller.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { LearnedDemand } from '../../../rates/rules/demand-model.ts';
import { FACTOR_UNIT, factorAt, type LiveSignal, MAX_FACTOR } from '../../../rates/rules/live-signal.ts';
import { changedNights, dueTypes } from '../../rules/bid-prices/expected-change.ts';
import { type LiveNight, withinDay } from '../../rules/live-rates/live-tables.ts';
import { bidNightOf, type Computed, pricesBy } from '../bid-prices/bid-signals.ts';
import { demandModel, type Learning } from '../demand/demand-models.ts';
import type { Forecasting } from '../property-forecast.ts';
import type { RevenueNight } from '../revenue-nights.ts';

/**
 * What a property's guests are assumed to bear, where a plan on sale prices by live rates; undefined where none does,
 * and where it cannot be learned: those plans then price by the program.
 */
export function demandForLive(
  services: Learning,
  to: Address,
  view: PropertyView,
): Promise<LearnedDemand | undefined> | undefined {
  if (!pricesBy(view, 'LIVE')) return undefined;
  return demandModel(services, to, view).then(
    ({ demand }) => demand,
    () => undefined,
  );
}

/**
 * Live rates of nights with a learned forecast (docs/concepts/forecast.md#live-rates), for the room types where one
 * percent of what is expected has changed since they were computed, the most changed first. Of these, nights are
 * computed that have changed, or share stays with one that has.
 */
export function newLives(
  { forecasts, computer }: Forecasting,
  to: Address,
  view: PropertyView,
  { nights, demand }: { nights: readonly RevenueNight[]; demand: LearnedDemand },
): Computed<LiveSignal> {
  const today = view.businessDate;
  const due = dueTypes(nights.map(liveNightOf), (roomType) => forecasts.live.get(keyOf(to, view, roomType))?.nights);
  const ofNight = new Map(nights.map((night) => [`${night.roomType} ${night.day}`, night]));
  return new Map(
    due.map(({ roomType, now }) => [
      roomType,
      async () => {
        const before = forecasts.live.get(keyOf(to, view, roomType));
        const only = before && changedNights(before.nights, now, demand.lengthOfStay.length);
        const { values: known } = before ?? {};
        const { tables, values } = await computer.run('liveTables', {
          nights: now,
          today,
          demand,
          ...(known && { values: known }),
          ...(only && { only }),
        });
        const signals = tables.map(({ day, rooms, step, factors }): [Day, LiveSignal] => {
          const start = startOf(ofNight.get(`${roomType} ${day}`)!, today);
          return [day, { rooms, step, factors: withinDay(factors, start), start, on: today }];
        });
        // What has changed by less is compared with what it was computed from.
        const computed = now.map((night, n) => (only && !only.has(night.day) ? before.nights[n]! : night));
        const stored = (): void => void forecasts.live.set(keyOf(to, view, roomType), { nights: computed, values });
        return { signals: new Map(signals), isPart: only !== undefined, stored };
      },
    ]),
  );
}

/** Removes live rates, which nothing would move any more; what they were computed from is forgotten. */
export function withoutLives({ forecasts }: Forecasting, to: Address, view: PropertyView): Computed<LiveSignal> {
  return new Map(
    view.setup.roomTypes.map(({ roomType }) => {
      const stored = (): void => void forecasts.live.delete(keyOf(to, view, roomType));
      return [roomType, async () => ({ signals: new Map(), isPart: false, stored })];
    }),
  );
}

/** Key of what was computed last for a room type. */
function keyOf(to: Address, { generation }: PropertyView, roomType: string): string {
  return `${addressKey(to)} ${generation} ${roomType}`;
}

/** Its rate is that before any strategy: live rates must not raise those that follow. */
function liveNightOf(night: RevenueNight): LiveNight {
  const { market, rate, beforeStrategy: current = rate } = night;
  return { ...bidNightOf(night), current, market };
}

/** The factor with which the business day of a night's rate began. */
function startOf({ live, rate, beforeStrategy = rate, capacity, booked }: RevenueNight, today: Day): number {
  if (live?.on === today) return live.start;
  if (live) return factorAt(live, Math.floor(capacity - booked));
  return Math.min(MAX_FACTOR, Math.max(1, Math.round((FACTOR_UNIT * rate) / Math.max(1, beforeStrategy))));
}
