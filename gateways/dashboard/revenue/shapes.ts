import type { Minor } from '../../../src/kernel/rules/money.ts';

/**
 * Answers of the services about revenue, in the shapes of the API description. Not validated: the services are our
 * own.
 */

type OtbFigures = { date: string; roomsNow: number; roomsThen: number; pickup: number };
export type PickupView = {
  asOf: string;
  items: (OtbFigures & { roomType: string })[];
  dates: OtbFigures[];
  total: OtbFigures;
};

/** A night audit: the figures of a business date. */
export type Audit = {
  date: string;
  roomsSold: number;
  occupancyRate: number;
  /** Null where nothing was sold. */
  adr: number | null;
  revPar: number;
  pickup: number;
  reservations: { cancelled: number };
};

/** Forecast of a night's rooms; the outcome is between low and high four times in five. */
export type ExpectedNight = { expected: number; low: number; high: number };

export type Analysis = {
  performance: { averageRate: number | null; revenuePAR: number };
  competitors: {
    averageMarketRate: number | null;
    position: string | null;
    priceIndex: number | null;
    /** Time of the last successful and the next query of the sources. */
    lastSync?: string | null;
    nextSync?: string | null;
  };
};

export type Advice = {
  date: string;
  roomType: string;
  currentRate: number;
  optimizedRate: number;
  confidence: number;
  expectedImpact: string;
};
export type OptimizationView = {
  optimizationId: string;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  progress: number;
  results: { revenueIncrease: number } | null;
  recommendations: Advice[];
  createdAt: string;
};

export type PriceStepView = { rule: string; amount: Minor };
export type CellHistoryEntry = {
  seq: number;
  at: string;
  type: string;
  by: string;
  changes: Record<string, { from: number | null; to: number | null }>;
};

export type KnownAnalysis = Analysis & { at: number };
