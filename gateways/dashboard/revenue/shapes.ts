import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { quoteAnswer } from '../../../src/rates/contracts/quote-answers.ts';
import type { priceMove } from '../../../src/rates/contracts/rate-answers.ts';
import type { restriction } from '../../../src/rates/contracts/sales-answers.ts';
import type { nightAuditAnswer } from '../../../src/revenue/contracts/analytics.ts';
import type { cellChangeAnswer, pickupAnswer } from '../../../src/revenue/contracts/availability-answers.ts';
import type {
  analysisAnswer,
  forecastAnswer,
  optimizationAnswer,
} from '../../../src/revenue/contracts/yield-answers.ts';

/**
 * Answers of the services about revenue, in the shapes of the API description. Not validated: the services are our
 * own.
 */

export type PickupView = WireOf<typeof pickupAnswer>;

/** A night audit: the figures of a business date. */
export type Audit = WireOf<typeof nightAuditAnswer>;

/** Forecast of a night's rooms; the outcome is between low and high four times in five. */
export type ExpectedNight = WireOf<typeof forecastAnswer>['nights'][number];

export type Analysis = WireOf<typeof analysisAnswer>;
export type KnownAnalysis = Analysis & { at: number };

export type OptimizationView = WireOf<typeof optimizationAnswer>;
export type Advice = OptimizationView['recommendations'][number];

type DailyRate = WireOf<typeof quoteAnswer>['rates'][number]['dailyRates'][number];
export type PriceStepView = NonNullable<DailyRate['steps']>[number];
export type CellHistoryEntry = WireOf<typeof cellChangeAnswer>;

/** A night under BAR with its restrictions. */
export type RestrictionView = WireOf<typeof restriction>;

/** Restrictions to set on nights; null takes one back. */
export type RestrictionsWanted = {
  closedToArrival?: true | null;
  closedToDeparture?: true | null;
  stopSell?: true | null;
  minStayArrival?: number | null;
};

/** What a night cost and costs. */
export type RateMove = WireOf<typeof priceMove>;

/** A rate to be set; with the previous one only where the night still costs that. */
export type WantedRate = { roomType: string; date: string; rate: number; previousRate?: number | null };
