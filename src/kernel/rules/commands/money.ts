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
  /** Records a payment attempt before the provider is called (docs/concepts/money.md#payments). */
  START_PAYMENT: {
    command: {
      reservationId: ReservationId;
      attempt: Payment;
      window?: FolioWindow;
      /** Why the money of another currency cannot be counted today. */
      noRate?: string;
      ifVersion?: number;
    };
    result: { reservation: Reservation; attempt: Payment };
  };
  /**
   * Records a card that the provider has taken as the guarantee of a PENDING reservation: nothing is charged.
   * `payment` is the answer, of amount 0; it is not stored.
   */
  TAKE_CARD: {
    command: {
      reservationId: ReservationId;
      payment: Payment;
      /** Encrypted token. */
      card: string;
      ifVersion?: number;
    };
    result: { reservation: Reservation; payment: Payment };
  };
  /** Has the card on file charged for what is due: an instalment or a penalty; nothing when nothing is. */
  CHARGE_DUE: {
    command: { reservationId: ReservationId; paymentId: PaymentId; cancellationId: string; refundId: string };
    /** The recorded attempt, if any. */
    result: { reservation: Reservation; attempt?: Payment };
  };
  /**
   * Records the result of an attempt, from any source; repeating it has no effect. `refusal` completes the key of a
   * declined payment; an encrypted `card` that has paid becomes the card on file.
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
   * Records an external result of an awaited payment (`payment.processed`,
   * docs/concepts/events.md#payments-from-events). A partial or late amount becomes a separate charge, with an id
   * derived from `eventId`.
   */
  TAKE_PAYMENT_RESULT: {
    command: {
      reservationId: ReservationId;
      paymentId: PaymentId;
      eventId: string;
      status: 'SUCCESS' | 'FAILED';
      amount: Minor;
      currency: string;
      /** Time of processing. */
      at: Instant;
      refundId: string;
    };
    /** Whether anything changed: a final payment is not changed again. */
    result: { taken: boolean; status: ReservationStatus };
  };
  /** Waives a retained penalty, or `amount` of it (docs/reference/reservations.md#cancel). */
  WAIVE_PENALTY: {
    command: DryRun & {
      reservationId: ReservationId;
      refundId: string;
      amount?: Minor;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    /** `refundId` of the refund; an amount that a card had not paid yet needs none. */
    result: { reservation: Reservation; waived: Minor; refundId?: string };
  };
  /** Refunds what was paid, of one payment where it is named. */
  GIVE_REFUND: {
    command: DryRun & {
      reservationId: ReservationId;
      refundId: string;
      amount: Minor;
      reason: string;
      paymentId?: PaymentId;
      /** Whether the stay costs less, also while it is open. */
      goodwill?: boolean;
      by: string;
      ifVersion?: number;
    };
    /** `credit` is the reduction of the stay's cost. */
    result: { reservation: Reservation; refunds: Payment[]; credit: Minor };
  };
  /**
   * The card issuer has taken a completed charge back (docs/concepts/money.md#chargebacks), in any state of the
   * reservation. By hand it is `amount`, or all that is left of the charge. `inTotal` is what an event says that the
   * issuer has taken of the charge until then, so that what is reported again changes nothing.
   */
  CHARGE_BACK: {
    command: DryRun & {
      reservationId: ReservationId;
      paymentId: PaymentId;
      chargebackId: PaymentId;
      amount?: Minor;
      inTotal?: Minor;
      /** That of an event: the charge is in the currency of its reservation. */
      currency?: string;
      reason: string;
      reference?: string;
      by: string;
      ifVersion?: number;
    };
    /** Without a payment it was on record already. */
    result: { reservation: Reservation; payment?: Payment };
  };
  /** Closes a chargeback: its amount is written off, or stays owed. */
  CLOSE_CHARGEBACK: {
    command: DryRun & {
      reservationId: ReservationId;
      paymentId: PaymentId;
      writeOff: boolean;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    /** `writtenOff` is what the stay costs less. */
    result: { reservation: Reservation; writtenOff: Minor };
  };
  /**
   * The card issuer has given back what it had taken of a charge: the property has won the dispute. `amount` and
   * `inTotal` are as of CHARGE_BACK.
   */
  WIN_CHARGEBACK: {
    command: DryRun & {
      reservationId: ReservationId;
      paymentId: PaymentId;
      returnId: PaymentId;
      amount?: Minor;
      inTotal?: Minor;
      currency?: string;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    /** Without a payment it was on record already. */
    result: { reservation: Reservation; payment?: Payment };
  };
  /** Posts a charge to the folio (docs/reference/folio.md#post): an extra, or free text. */
  POST_CHARGE: {
    command: DryRun & {
      reservationId: ReservationId;
      postingId: string;
      description: string;
      /** Code of the extra. */
      code?: string;
      /** Gross amount of one unit. */
      unitAmount: Minor;
      quantity: number;
      /** Taxes included in the amount of one unit. */
      taxLines?: TaxLine[];
      /** Pieces that there are on each night of an extra by night, whose unit is a piece and night. */
      stock?: number;
      window?: FolioWindow;
      by: string;
      ifVersion?: number;
    };
    result: FolioResult;
  };
  /** Voids a posting by a reversing one on today's business date. */
  VOID_POSTING: {
    command: DryRun & {
      reservationId: ReservationId;
      postingId: string;
      /** Id of the reversing posting. */
      reversalId: string;
      reason: string;
      by: string;
      ifVersion?: number;
    };
    result: FolioResult;
  };
  /** Sets which window of the folio pays for which charges, including existing ones. */
  ROUTE_FOLIO: {
    command: DryRun & {
      reservationId: ReservationId;
      rules: RoutingRule[];
      /** The company that is invoiced from now on. */
      companyId?: string;
      by: string;
      ifVersion?: number;
    };
    result: { reservationId: ReservationId; version: number; rules: RoutingRule[]; companyId?: string };
  };
  SETTLE_REFUND: { command: { reservationId: ReservationId; payment: Payment }; result: null };
  /** Records that a refund was paid out by hand: cash, or a card that accepts none. */
  PAY_OUT_REFUND: {
    command: {
      reservationId: ReservationId;
      refundId: string;
      method: PaymentMethod;
      /** Reference of a bank or a till. */
      reference?: string;
      by: string;
      ifVersion?: number;
    };
    result: { reservation: Reservation; refund: Payment };
  };
};

/** The new posting and the resulting folio. */
type FolioResult = { reservationId: ReservationId; version: number; posting: FolioPosting };
