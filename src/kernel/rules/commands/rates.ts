import type { BidSignal } from '../../../rates/rules/bid-signal.ts';
import type { CalendarEvent } from '../../../rates/rules/calendar-event.ts';
import type { MarketNight } from '../../../rates/rules/competitor-rate.ts';
import type { LiveSignal } from '../../../rates/rules/live-signal.ts';
import type { PromotionEstimate } from '../../../rates/rules/promotion-estimate.ts';
import type { Promotion } from '../../../rates/rules/promotion.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';
import type { RestrictionChange } from '../../../rates/rules/restriction.ts';
import type { StoredRates } from '../../../rates/rules/stored-rates.ts';
import type { DryRun } from '../commands.ts';
import type { Day, Weekday } from '../dates.ts';
import type { Minor } from '../money.ts';
import type { Instant } from '../property-time.ts';
import type { PutMode } from './properties.ts';

export type RateCommands = {
  /** `PUT /rates/base`: both ends inclusive; unnamed weekdays and nights in no season keep their values. */
  SET_BASE_RATES: {
    command: DryRun & {
      rateId: string;
      roomType: string;
      start: Day;
      end: Day;
      rates: { weekday: Weekday; rate: Minor }[];
      seasons: Season[];
    };
    /** `changes`: price changes of a dry run. */
    result: { rateId: string; start: Day; affectedDates: number; updatedAt: Instant; changes?: PriceChange[] };
  };
  /** `PUT /rates/nights`: prices of single nights under the best available rate. */
  SET_NIGHT_RATES: {
    command: DryRun & { rateId: string; nights: NightRate[] };
    /** `changes`: what each night cost, and costs now. */
    result: { rateId: string; changes: PriceChange[]; updatedAt: Instant };
  };
  /** `PUT /rates/restrictions`: both ends inclusive, on the named weekdays or all; absent codes mean every one. */
  SET_RESTRICTIONS: {
    command: {
      rateCode?: string;
      roomType?: string;
      /** Further room types beside `roomType`: a node of an earlier release restricts that one alone. */
      otherTypes?: string[];
      start: Day;
      end: Day;
      weekdays?: Weekday[];
      change: RestrictionChange;
    };
    result: { cells: number; updatedAt: Instant };
  };
  PUT_RATE_PLAN: {
    /** `ifVersion`: only if the replaced one still has this version. */
    command: { plan: RatePlan; mode: Exclude<PutMode, 'put'>; ifVersion?: number };
    result: RatePlan;
  };
  REMOVE_RATE_PLAN: { command: { planId: string; ifVersion?: number }; result: null };
  /** Demand, market, bid prices and live rates of nights. Absent values stay; one of null removes the known one. */
  SET_SIGNALS: {
    command: {
      roomType: string;
      nights: {
        day: Day;
        /** Percent by which demand may change the price, -100 to 127. */
        demand?: number;
        /** Median price of the competitors. */
        market?: Minor | null;
        /** For plans that price by it. */
        bid?: BidSignal | null;
        live?: LiveSignal | null;
      }[];
    };
    result: { nights: number };
  };
  /**
   * Publishes changed competitors' rates. The owner stores them only in the journal row, which orders the change among
   * all others for dashboards.
   */
  NOTE_MARKET: { command: { nights: MarketNight[] }; result: null };
  /** Implements the rates of an optimization, if rates are as they were when it was computed. */
  IMPLEMENT_RATES: {
    /**
     * `byRule`: for the property's rule of acceptance, if it still accepts them. Then nights whose price has changed
     * are left out, where otherwise none is changed.
     */
    command: { optimizationId: string; nights: PriceChange[]; byRule?: true };
    /** `changes`: the nights that were changed for a rule. */
    result: { affectedDates: number; implementedAt: Instant; changes?: PriceChange[] };
  };
  CREATE_PROMOTION: {
    command: { promotion: NewPromotion; estimate: PromotionEstimate };
    result: { promotion: Promotion; estimate: PromotionEstimate };
  };
  PUT_CALENDAR_EVENT: {
    command: {
      event: Omit<CalendarEvent, 'createdAt' | 'updatedAt'>;
      mode: Exclude<PutMode, 'put'>;
      /** Only if the replaced one still has this version. */
      ifVersion?: number;
    };
    result: CalendarEvent;
  };
  REMOVE_CALENDAR_EVENT: { command: { eventId: string; ifVersion?: number }; result: null };
  PAUSE_PROMOTION: { command: { promotionId: string; paused: boolean }; result: Promotion };
  /** Applies rates and plans that were changed externally in the database (docs/concepts/actor.md#rate-freshness). */
  RELOAD: {
    command: {
      stored: StoredRates;
      /**
       * Set when rates changed while the property was passive: previous values are unknown, so every night is
       * published.
       */
      unseen?: true;
    };
    result: { version: number; nights: number; plans: number };
  };
};

export type Season = {
  name: string;
  start: Day;
  end: Day;
  /** Hundredths: a multiplier of 1.10 is 110. */
  multiplier: number;
  /** Amount added to the night after the multiplier. */
  amount: Minor;
};

/** BAR price of a night before and after a change; null for none. */
export type PriceChange = { roomType: string; day: Day; from: Minor | null; to: Minor | null };

/** What a night is to cost; with `from` only if that is what it costs. */
export type NightRate = { roomType: string; day: Day; to: Minor; from?: Minor | null };

/** A promotion before its first booking. */
export type NewPromotion = Omit<Promotion, 'used' | 'usedOn' | 'paused' | 'createdAt'>;
