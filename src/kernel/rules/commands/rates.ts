import type { MarketNight } from '../../../rates/rules/competitor-rate.ts';
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
  /** `PUT /rates/base`: both ends inclusive; weekdays not named and nights in no season keep what they have. */
  SET_BASE_RATES: {
    command: DryRun & {
      rateId: string;
      roomType: string;
      start: Day;
      end: Day;
      rates: { weekday: Weekday; rate: Minor }[];
      seasons: Season[];
    };
    /** `changes`: what would become of prices, of a dry run. */
    result: { rateId: string; start: Day; affectedDates: number; updatedAt: Instant; changes?: PriceChange[] };
  };
  /** `PUT /rates/restrictions`: both ends inclusive, on the weekdays named or on all; absent codes mean every one. */
  SET_RESTRICTIONS: {
    command: {
      rateCode?: string;
      roomType?: string;
      start: Day;
      end: Day;
      weekdays?: Weekday[];
      change: RestrictionChange;
    };
    result: { cells: number; updatedAt: Instant };
  };
  PUT_RATE_PLAN: { command: { plan: RatePlan; mode: Exclude<PutMode, 'put'> }; result: RatePlan };
  REMOVE_RATE_PLAN: { command: { planId: string }; result: null };
  /** What is known of nights beside their own bookings; what is absent stays, a market of null is known no more. */
  SET_SIGNALS: {
    command: {
      roomType: string;
      nights: {
        day: Day;
        /** Whole percent by which demand lets the price move, -100 to 127. */
        demand?: number;
        /** Median price of the competitors. */
        market?: Minor | null;
      }[];
    };
    result: { nights: number };
  };
  /**
   * What competitors ask has moved. The owner keeps nothing of it but the row in the journal, which gives the change
   * its place among all others for whoever looks on.
   */
  NOTE_MARKET: { command: { nights: MarketNight[] }; result: null };
  /** The rates of an optimization, from what they were when it was computed. */
  IMPLEMENT_RATES: {
    command: { optimizationId: string; nights: PriceChange[] };
    result: { affectedDates: number; implementedAt: Instant };
  };
  CREATE_PROMOTION: {
    command: { promotion: NewPromotion; estimate: PromotionEstimate };
    result: { promotion: Promotion; estimate: PromotionEstimate };
  };
  PAUSE_PROMOTION: { command: { promotionId: string; paused: boolean }; result: Promotion };
  /**
   * Rates and plans that somebody else changed in the database, to be taken over
   * (docs/concepts/actor.md#rate-freshness).
   */
  RELOAD: {
    command: {
      stored: StoredRates;
      /** They were changed while nobody was awake: what they were before is not known, so every night is told. */
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
  /** Added to the night after the multiplier. */
  amount: Minor;
};

/** A price under BAR before and after a change; null where a night has none. */
export type PriceChange = { roomType: string; day: Day; from: Minor | null; to: Minor | null };

/** A promotion before anybody has booked with it. */
export type NewPromotion = Omit<Promotion, 'used' | 'usedOn' | 'paused' | 'createdAt'>;
