import type { Minor } from '../../kernel/rules/money.ts';

export const PENALTY_KINDS = ['NONE', 'NIGHTS', 'PERCENT'] as const;

/** Base of a penalty: nothing, the first nights, or a percentage of all; with their taxes and fees. */
export type PenaltyRule = { kind: (typeof PENALTY_KINDS)[number]; value: number };

/** Whether a guest may exchange booked nights: free of charge, for a fee, or not at all. */
export const CHANGE_RULES = ['FREE', 'FEE', 'NOT_ALLOWED'] as const;

/** Terms for a stay that does not take place as booked. */
export type BookingTerms = {
  /** Code of the plan whose own terms these are; absent when they follow from a cancellation policy. */
  ofPlan?: string;
  cancellation: {
    /** Free of charge until so many hours before check-in time; `null` means never. */
    freeUntilHours: number | null;
    penalty: PenaltyRule;
  };
  /** For nights that a guest in house gives back. */
  earlyDeparture: PenaltyRule;
  noShow: PenaltyRule;
  change: (typeof CHANGE_RULES)[number];
  /** Fee of each change where `change` is FEE; gross. */
  changeFee?: Minor;
};

/**
 * Guarantee of a booking: PREPAY is paid before the stay, by instalments; CARD has a card on file, which is charged
 * when something is owed; NONE is paid at the property; COMPANY is invoiced to a company.
 */
export const GUARANTEES = ['PREPAY', 'CARD', 'NONE', 'COMPANY'] as const;
export type Guarantee = (typeof GUARANTEES)[number];

/** A percentage of the whole price, due with the booking or so many days before arrival. */
export type Instalment = { percent: number; due: { at: 'BOOKING' } | { daysBefore: number } };

/** Guarantee of a plan's bookings (docs/reference/rates.md#guarantee-and-terms). */
export type PlanGuarantee = {
  guarantee?: Guarantee;
  /** PREPAY only; the default is everything with the booking. The rest is paid at the property. */
  depositSchedule?: Instalment[];
  /**
   * NONE only: from this hour of the arrival day the room of a guest who has not arrived is sold again; `null` means
   * never.
   */
  releaseHour?: string | null;
  /** COMPANY only: invoice recipient of bookings that name no company. */
  companyId?: string;
};
