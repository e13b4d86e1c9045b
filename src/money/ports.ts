import type { Page, PagePosition } from '../kernel/ports.ts';
import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { PropertyId, ReservationId, TenantId, PaymentId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { AccountEntry, Balance, Company, CompanyPayment, ListedCompany } from './rules/company.ts';
import type { ExchangeRate } from './rules/exchange-rate.ts';
import type { Extra } from './rules/extra.ts';
import type { DocumentNumber, InvoiceDocument } from './rules/invoice-document.ts';
import type { Charge, PaymentMethod } from './rules/payment.ts';

export type CompanyFilter = {
  /** Part of the name, case-insensitive. */
  name?: string;
  channel?: string;
  active?: boolean;
};

/** Filter of ledger entries by property and business dates, both inclusive. */
export type LedgerFilter = { propertyId?: PropertyId; from?: Day; to?: Day };

/** Entries, newest first, and the balance at the end of the period, counted from the beginning. */
export type LedgerPage = Page<AccountEntry> & { balances: Balance[] };

/**
 * Companies that stays are invoiced to. No actor owns them: a reservation names a company, and its payments say what
 * the company owes.
 */
export interface CompanyStore {
  /** @param withRemoved also finds a deleted one */
  get(tenantId: TenantId, companyId: string, withRemoved?: boolean): Promise<ListedCompany | undefined>;
  /** Newest first. */
  list(tenantId: TenantId, filter: CompanyFilter, limit: number, after?: PagePosition): Promise<Page<ListedCompany>>;
  /** Idempotent by key, and written to the administration journal. @throws DomainError ALREADY_EXISTS */
  create(by: By, company: Company, key?: RequestKey): Promise<Done<ListedCompany>>;
  /** Replaces a company. @throws DomainError COMPANY_NOT_FOUND, ALREADY_EXISTS, INVALID_STATE */
  change(by: By, company: Company, key?: RequestKey): Promise<Done<ListedCompany>>;
  /** Soft-deletes it: debts and payments stay. @throws DomainError COMPANY_NOT_FOUND, INVALID_STATE */
  remove(by: By, companyId: string, key?: RequestKey): Promise<Done<null>>;
  /** @throws DomainError COMPANY_NOT_FOUND */
  receive(by: By, payment: CompanyPayment, key?: RequestKey): Promise<Done<CompanyPayment>>;
  ledger(
    tenantId: TenantId,
    company: Company,
    filter: LedgerFilter,
    limit: number,
    after?: PagePosition,
  ): Promise<LedgerPage>;
}

export type PricedExtra = { extra: Extra; currency: string };

/** Price list of extras of a property. No actor owns it: a charge reaches the actor with its amount. */
export interface ExtraStore {
  /** In the order of their codes, including inactive ones. */
  list(to: Address): Promise<Extra[]>;
  /** Creates or replaces the extra with its code; idempotent by key, and written to the administration journal. */
  put(by: By, propertyId: PropertyId, priced: PricedExtra, key?: RequestKey): Promise<Done<PricedExtra>>;
  /** Removes an extra in the same way. @throws DomainError SERVICE_NOT_FOUND */
  remove(by: By, propertyId: PropertyId, code: string, key?: RequestKey): Promise<Done<null>>;
  /**
   * Restores the extra that last had the code. @throws DomainError SERVICE_NOT_FOUND, INVALID_STATE when it was not
   * removed
   */
  restore(by: By, propertyId: PropertyId, code: string, key?: RequestKey): Promise<Done<PricedExtra>>;
}

/** Exchange rates that are set together. */
type RatesOfDay = {
  rates: readonly Pick<ExchangeRate, 'currency' | 'rate'>[];
  baseCurrency: string;
  date: Day;
};

/** Exchange rates of a property. No actor owns them: a payment reaches the actor with its rate. */
export interface ExchangeRateStore {
  /** By currency, including rates that are too old to be used. */
  list(of: Address): Promise<ExchangeRate[]>;
  /** Replaces all rates; idempotent by key, and written to the administration journal. */
  put(by: By, propertyId: PropertyId, rates: RatesOfDay, key?: RequestKey): Promise<Done<ExchangeRate[]>>;
}

/** A refund that no provider sends: staff have to pay it out. */
export type RefundByHand = {
  refundId: string;
  reservationId: ReservationId;
  propertyId: PropertyId;
  confirmationNumber: string;
  guestName: string;
  amount: Minor;
  currency: string;
  /** Method of the original payment. */
  method: PaymentMethod | null;
  orderedAt: Instant;
};

export type OpenPayment = { to: Address; reservationId: ReservationId };

/** Payments and refunds without a known outcome: in progress, or to be paid out by a property. */
export interface OpenPayments {
  /** All tenants: each is read by itself, so that an unreadable one does not block the others. */
  tenants(): Promise<string[]>;
  /** Reservations with a refund that was ordered before `before`. */
  refunds(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]>;
  /**
   * Reservations with a payment attempt begun before `before`, without attempts of bookings, which belong to their
   * holds.
   */
  attempts(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]>;
  /**
   * Reservations of a property with an unpaid instalment or a penalty to be charged to a card: a page after `after`,
   * in the order of their ids. The property's actor decides what is due today.
   */
  due(to: Address, now: Instant, limit: number, after?: ReservationId): Promise<ReservationId[]>;
  /** Reservations of a tenant whose release hour has come by `now`, unpaid and not checked in. */
  unclaimed(tenantId: TenantId, now: Instant, limit: number): Promise<OpenPayment[]>;
  /** Reservation of a payment, also before the reservation exists; `paymentId` as stored. */
  reservationOf(
    tenantId: TenantId,
    paymentId: PaymentId,
  ): Promise<(OpenPayment & { paymentId: PaymentId }) | undefined>;
  /** Refunds of a tenant that staff have to pay out, newest first. */
  byHand(
    tenantId: TenantId,
    propertyId: PropertyId | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<RefundByHand>>;
}

/** Reads issued invoices and credit notes. */
export interface InvoiceReader {
  /** Documents of reservations, oldest first. */
  ofReservations(tenantId: TenantId, ids: readonly ReservationId[]): Promise<InvoiceDocument[]>;
  byNumber(of: Address, number: string): Promise<InvoiceDocument | undefined>;
  /** Documents of one kind by number, beginning with `from`, until the end of its year. */
  list(of: Address, from: DocumentNumber, until: Instant, limit: number): Promise<InvoiceDocument[]>;
}

export type ChargeRequest = {
  /** The attempt's id: the gateway books at most one charge under it. */
  attemptId: string;
  amount: Minor;
  currency: string;
  cardToken: string;
};

/** Result of accepting a card as a guarantee; the token can be charged repeatedly. */
export type TakenCard = { outcome: 'TAKEN'; cardToken: string } | { outcome: 'DECLINED'; reason: string };

/**
 * A payment provider. Every call is idempotent by its id. Each may throw DomainError PARTNER_UNAVAILABLE: no answer,
 * or (with `retryAfterSeconds`) an answer without an outcome yet.
 */
export interface PaymentGateway {
  readonly name: string;
  /** Whether a token stands for one person's card; a simulator's few tokens are shared by everyone. */
  readonly hasRealCards: boolean;
  /** @throws DomainError PARTNER_UNAVAILABLE; whether the card was charged is then unknown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * Stores a card as a guarantee without charging it.
   * @param request.requestId the card is stored once for one id
   * @throws DomainError PARTNER_UNAVAILABLE
   */
  takeCard(request: { requestId: string; cardToken: string }): Promise<TakenCard>;
  /**
   * Outcome of an attempt; `undefined` when the provider has never received it. An outcome is final.
   * @throws DomainError PARTNER_UNAVAILABLE, INTERNAL
   */
  find(attemptId: string): Promise<Charge | undefined>;
  /**
   * Refunds a charge or a part of it.
   * @throws DomainError PARTNER_UNAVAILABLE, INTERNAL when the provider rejects it: a person has to look
   */
  refund(request: {
    refundId: string;
    attemptId: string;
    amount: Minor;
    currency: string;
  }): Promise<{ transactionId: string; processedAt: Instant }>;
}
