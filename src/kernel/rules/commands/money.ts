import type { FolioWindow, RoutingRule } from '../../../money/rules/folio-window.ts';
import type { Payment, PaymentMethod } from '../../../money/rules/payment.ts';
import type { FolioPosting } from '../../../money/rules/postings.ts';
import type { TaxLine } from '../../../money/rules/taxes.ts';
import type { Reservation, ReservationStatus } from '../../../stay/rules/reservation.ts';
import type { DryRun } from '../commands.ts';
import type { PaymentId, ReservationId } from '../ids.ts';
import type { Minor } from '../money.ts';
import type { Instant } from '../property-time.ts';

export type MoneyCommands = {
  /**
   * Somebody is about to pay: the attempt is on record before the provider is asked (docs/concepts/money.md#payments).
   */
  START_PAYMENT: {
    command: { reservationId: ReservationId; attempt: Payment; window?: FolioWindow; ifVersion?: number };
    result: { reservation: Reservation; attempt: Payment };
  };
  /** The card on file is to pay what is due now, if anything is: an instalment, or a penalty. */
  CHARGE_DUE: {
    command: { reservationId: ReservationId; paymentId: PaymentId; cancellationId: string; refundId: string };
    /** The attempt that was put on record, if one was. */
    result: { reservation: Reservation; attempt?: Payment };
  };
  /**
   * How an attempt ended, whoever learned it; again, it changes nothing. `refusal` ends its key, if it was declined; a
   * `card`, encrypted, that has paid is the one on file from then on.
   */
  END_PAYMENT: {
    command: {
      reservationId: ReservationId;
      payment: Payment;
      refundId: string;
      card?: string;
      refusal?: { detail: string };
    };
    result: { reservation: Reservation; payment: Payment };
  };
  /**
   * What somebody outside says of a payment that is waited for (`payment.processed`,
   * docs/concepts/events.md#payments-from-events). Money that is not all of it, or comes when it is waited for no more,
   * is a charge of its own under an id made of `eventId`.
   */
  TAKE_PAYMENT_RESULT: {
    command: {
      reservationId: ReservationId;
      paymentId: PaymentId;
      eventId: string;
      status: 'SUCCESS' | 'FAILED';
      amount: Minor;
      currency: string;
      /** When it was processed. */
      at: Instant;
      refundId: string;
    };
    /** Whether it has changed anything: what has ended is not told again. */
    result: { taken: boolean; status: ReservationStatus };
  };
  /**
   * The property gives up a penalty that it has kept; all that is left of it, or `amount`
   * (docs/reference/reservations.md#cancel).
   */
  WAIVE_PENALTY: {
    command: {
      reservationId: ReservationId;
      refundId: string;
      amount?: Minor;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    /** `refundId` of what goes back; what a card had not paid yet is no refund. */
    result: { reservation: Reservation; waived: Minor; refundId?: string };
  };
  /** Somebody gives back what was paid, of one payment where it is named. */
  GIVE_REFUND: {
    command: DryRun & {
      reservationId: ReservationId;
      refundId: string;
      amount: Minor;
      reason: string;
      paymentId?: PaymentId;
      /** The stay costs less by it, also while it is open. */
      goodwill?: boolean;
      by: string;
      ifVersion?: number;
    };
    /** `credit` is what the stay costs less for it. */
    result: { reservation: Reservation; refunds: Payment[]; credit: Minor };
  };
  /** Somebody puts something into the folio of a stay (docs/reference/folio.md#post): an extra, or what is typed. */
  POST_CHARGE: {
    command: DryRun & {
      reservationId: ReservationId;
      postingId: string;
      description: string;
      /** Code of the extra. */
      code?: string;
      /** Gross, of one. */
      unitAmount: Minor;
      quantity: number;
      /** Taxes that are in the amount of one. */
      taxLines?: TaxLine[];
      window?: FolioWindow;
      by: string;
      ifVersion?: number;
    };
    result: FolioResult;
  };
  /** Takes a posting back, by another one on the business date of today. */
  VOID_POSTING: {
    command: DryRun & {
      reservationId: ReservationId;
      postingId: string;
      /** Of the posting that takes it back. */
      reversalId: string;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    result: FolioResult;
  };
  /** Which window of the folio pays for what, also for what stands in it already. */
  ROUTE_FOLIO: {
    command: DryRun & { reservationId: ReservationId; rules: RoutingRule[]; by: string; ifVersion?: number };
    result: { reservationId: ReservationId; version: number; rules: RoutingRule[] };
  };
  SETTLE_REFUND: { command: { reservationId: ReservationId; payment: Payment }; result: null };
  /** Somebody of the property has paid a refund out: what came in cash, or what a card did not take back. */
  PAY_OUT_REFUND: {
    command: {
      reservationId: ReservationId;
      refundId: string;
      method: PaymentMethod;
      /** What a bank or a till knows it by. */
      reference?: string;
      by: string;
      ifVersion?: number;
    };
    result: { reservation: Reservation; refund: Payment };
  };
};

/** A posting that was made, and what the folio came to by it. */
type FolioResult = { reservationId: ReservationId; version: number; posting: FolioPosting };
