import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { companyAnswer } from '../../../../src/money/contracts/companies.ts';
import type { exchangeRateListAnswer } from '../../../../src/money/contracts/exchange-rates.ts';
import type { extraAnswer } from '../../../../src/money/contracts/extras.ts';
import type {
  folioAnswer,
  folioWindow,
  postingAnswer,
  routingAnswer,
} from '../../../../src/money/contracts/folio.ts';
import type { stayMailAnswer, paymentLinkAnswer } from '../../../../src/notifications/contracts/stay-mails.ts';
import type * as stay from '../../../../src/stay/contracts/stay-answers.ts';
import type { invoiceAnswer } from '../../../../src/stay/contracts/stay-documents.ts';
import type { SentSlip } from './terminal-fields.tsx';

/** Answers about the money of a stay, as the service sends them. */
export type FolioView = WireOf<typeof folioAnswer>;
export type WindowView = WireOf<typeof folioWindow>;
export type PostingView = WireOf<typeof postingAnswer>;
export type RoutingView = WireOf<typeof routingAnswer>;
export type ExtraView = WireOf<typeof extraAnswer>;
export type CompanyView = WireOf<typeof companyAnswer>;
export type ExchangeRateView = WireOf<typeof exchangeRateListAnswer>['items'][number];
export type StayInvoice = WireOf<typeof invoiceAnswer>;
export type MailSent = WireOf<typeof stayMailAnswer>;
export type PaymentLink = WireOf<typeof paymentLinkAnswer>;
export type PaymentTaken = WireOf<typeof stay.paymentAnswer>;
export type RefundGiven = WireOf<typeof stay.refundAnswer>;
export type PaymentView = WireOf<typeof stay.payment>;
/** A reservation with its terms: what the drawer reads. */
export type StayRead = WireOf<typeof stay.reservationAnswer>;

export type WindowName = WindowView['window'];

/** What is posted: an extra of the price list, or a text with its price. */
export type ChargePlan = { quantity: number; window?: WindowName } & (
  | { extraCode: string }
  | { description: string; unitAmount: number }
);

/** How somebody pays. */
export type PaymentPlan = {
  method: 'CREDIT_CARD' | 'CARD_ON_FILE' | 'CASH' | 'TERMINAL' | 'BANK_TRANSFER' | 'INVOICE';
  cardToken?: string;
  terminal?: SentSlip;
  /** Absent: a card that only guarantees the stay. */
  amount?: number;
  currency?: string;
  window?: WindowName;
};

export type RefundPlan = { amount: number; reason: string; paymentId?: string; goodwill: boolean };
