import type { Status } from './ledger.ts';

/**
 * Answers of the reservation service, as far as the ledger of a day-by-day replay reads them
 * (docs/reference/reservations.md#reservations).
 */
type Totals = { totalAmount: number; paidAmount: number; balanceDue: number };

export type Financial = Totals & { baseAmount: number; taxes: number; fees: number };

type Stay = { roomType: string; rateCode: string; checkIn: string; checkOut: string };

export type Created = { reservationId: string; status: Status; stayDetails: Stay; financial: Financial };

export type Amended = {
  status: Status;
  changes: { totalAmount?: { from: number; to: number }; checkOut?: { from: string; to: string } };
  additionalPayment: { amount: number };
  refund: { refundAmount: number };
};

export type Paid = { amount: number; reservationStatus: Status; financial: Totals };

export type CheckedIn = { status: Status; roomDetails: { roomType: string; roomNumber: string } };

export type Ended = {
  status: Status;
  cancellationPolicy: { penaltyAmount: number };
  refund: { refundAmount: number };
};

export type Left = {
  status: Status;
  finalBill: {
    roomCharges: number;
    additionalCharges: number;
    taxes: number;
    totalAmount: number;
    balanceDue: number;
  };
  payment: { amount: number };
  refund: { amount: number };
};

type Payment = { amount: number; type: 'CHARGE' | 'REFUND' | 'VOID'; status: string };

export type Listed = {
  reservationId: string;
  status: Status;
  stayDetails: Stay & { nights: number };
  financial: Financial & { paymentDetails: Payment[] };
};

/** One reservation by its id. */
export type Whole = Listed & {
  financial: { originalTotal?: number; breakdown: { date: string; roomRate: number; taxes: number }[] };
  cancellation: Ended | null;
};

export type Invoice = Totals & { status: string; items: { amount: number; taxes: number }[] };
