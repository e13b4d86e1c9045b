import type { Minor } from '../../kernel/rules/money.ts';

export const PENALTY_KINDS = ['NONE', 'NIGHTS', 'PERCENT'] as const;

/** What a penalty takes of nights: nothing, the first of them, or a part of all; with their taxes and fees. */
export type PenaltyRule = { kind: (typeof PENALTY_KINDS)[number]; value: number };

/** Whether a guest may give up nights of a booking for others: free of charge, for a fee, or not at all. */
export const CHANGE_RULES = ['FREE', 'FEE', 'NOT_ALLOWED'] as const;

/** What a guest and the property owe each other when a stay does not take place as booked. */
export type BookingTerms = {
  /** Whose they are, where a plan has terms of its own: its code. Else they follow from a cancellation policy. */
  ofPlan?: string;
  cancellation: {
    /** Free of charge until so many hours before check-in time; null: never. */
    freeUntilHours: number | null;
    penalty: PenaltyRule;
  };
  /** For nights that a guest in house gives back. */
  earlyDeparture: PenaltyRule;
  noShow: PenaltyRule;
  change: (typeof CHANGE_RULES)[number];
  /** Of each change, where `change` is FEE; gross. */
  changeFee?: Minor;
};

/**
 * What makes a booking certain: PREPAY is paid before the stay, by instalments; CARD has a card on file, which is
 * charged when something is owed; NONE is paid at the property; COMPANY is invoiced to a company.
 */
export const GUARANTEES = ['PREPAY', 'CARD', 'NONE', 'COMPANY'] as const;
export type Guarantee = (typeof GUARANTEES)[number];

/** A part of the whole price, and when it is due: with the booking, or so many days before the arrival day. */
export type Instalment = { percent: number; due: { at: 'BOOKING' } | { daysBefore: number } };

/** How bookings of a plan are guaranteed (docs/reference/rates.md#guarantee-and-terms). */
export type PlanGuarantee = {
  guarantee?: Guarantee;
  /** Of PREPAY; all of it with the booking when absent. What is not in it is paid at the property. */
  depositSchedule?: Instalment[];
  /** Of NONE: a room that nobody has come for is sold again from this hour of the arrival day on; null: never. */
  releaseHour?: string | null;
  /** Of COMPANY: who is invoiced, where a booking names nobody. */
  companyId?: string;
};
