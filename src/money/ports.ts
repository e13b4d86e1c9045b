import type { Page, PagePosition } from '../kernel/ports.ts';
import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { PropertyId, ReservationId, TenantId, PaymentId } from '../kernel/rules/ids.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { AccountEntry, Balance, Company, CompanyPayment, ListedCompany } from './rules/company.ts';
import type { Extra } from './rules/extra.ts';
import type { DocumentNumber, InvoiceDocument } from './rules/invoice-document.ts';
import type { PaymentMethod } from './rules/payment.ts';

/** Which companies of a tenant are listed. */
export type CompanyFilter = {
  /** A part of the name, in any case. */
  name?: string;
  channel?: string;
  active?: boolean;
};

/** Which entries of a ledger are listed: of a property, of business dates, both included. */
export type LedgerFilter = { propertyId?: PropertyId; from?: Day; to?: Day };

/** Entries newest first, and what the account comes to at the end of the period, whenever that began. */
export type LedgerPage = Page<AccountEntry> & { balances: Balance[] };

/** Companies that stays are invoiced to. No actor owns them: a reservation names one, and its payments say what it owes. */
export interface CompanyStore {
  /** @param withRemoved also one that was deleted */
  get(tenantId: TenantId, companyId: string, withRemoved?: boolean): Promise<ListedCompany | undefined>;
  /** Newest first. */
  list(tenantId: TenantId, filter: CompanyFilter, limit: number, after?: PagePosition): Promise<Page<ListedCompany>>;
  /** Once under a key, and noted in the administration journal. @throws DomainError ALREADY_EXISTS */
  create(by: By, company: Company, key?: RequestKey): Promise<Done<ListedCompany>>;
  /** In its place. @throws DomainError COMPANY_NOT_FOUND, ALREADY_EXISTS, INVALID_STATE */
  change(by: By, company: Company, key?: RequestKey): Promise<Done<ListedCompany>>;
  /** Softly: what it has owed and paid stays. @throws DomainError COMPANY_NOT_FOUND, INVALID_STATE */
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

/** An extra and the currency that it is sold in. */
export type PricedExtra = { extra: Extra; currency: string };

/** The price list of extras of a property. No actor owns it: a charge has its amount when it gets there. */
export interface ExtraStore {
  /** In order of their codes, also those that are not sold at the moment. */
  list(to: Address): Promise<Extra[]>;
  /** In the place of the one with its code; once under a key, and noted in the administration journal. */
  put(by: By, propertyId: PropertyId, priced: PricedExtra, key?: RequestKey): Promise<Done<PricedExtra>>;
  /** The same for taking it away. @throws DomainError SERVICE_NOT_FOUND */
  remove(by: By, propertyId: PropertyId, code: string, key?: RequestKey): Promise<Done<null>>;
  /**
   * The one that last had the code, as it was. @throws DomainError SERVICE_NOT_FOUND, INVALID_STATE where it is there
   */
  restore(by: By, propertyId: PropertyId, code: string, key?: RequestKey): Promise<Done<PricedExtra>>;
}

/** A refund that no provider sends: somebody of the property is yet to pay it out. */
export type RefundByHand = {
  refundId: string;
  reservationId: ReservationId;
  propertyId: PropertyId;
  confirmationNumber: string;
  guestName: string;
  amount: Minor;
  currency: string;
  /** How the money had come. */
  method: PaymentMethod | null;
  orderedAt: Instant;
};

export type OpenPayment = { to: Address; reservationId: ReservationId };

/** Money whose end nobody has heard of yet: on its way, or in the hands of a property. */
export interface OpenPayments {
  /** All tenants: each is read by itself, so that an unreadable one does not block the others. */
  tenants(): Promise<string[]>;
  /** Reservations with a refund that was ordered before `before`. */
  refunds(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]>;
  /** Reservations with an attempt to pay that began before `before`; those of bookings hang on their holds instead. */
  attempts(tenantId: TenantId, before: number, limit: number): Promise<OpenPayment[]>;
  /**
   * Reservations of a property with an instalment that is not paid, or a penalty that a card is yet to pay: a page
   * behind `after`, in order of their ids. What is due today is decided by the property.
   */
  due(to: Address, now: Instant, limit: number, after?: ReservationId): Promise<ReservationId[]>;
  /** Reservations of a tenant whose release hour has come by `now`, unpaid and not checked in. */
  unclaimed(tenantId: TenantId, now: Instant, limit: number): Promise<OpenPayment[]>;
  /** Owner of the payment, also before the reservation exists; `paymentId` as stored. */
  reservationOf(
    tenantId: TenantId,
    paymentId: PaymentId,
  ): Promise<(OpenPayment & { paymentId: PaymentId }) | undefined>;
  /** Refunds of a tenant that somebody is yet to pay out, newest first. */
  byHand(
    tenantId: TenantId,
    propertyId: string | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<RefundByHand>>;
}

/** Invoices and credit notes as they were issued. */
export interface InvoiceReader {
  /** Of reservations, oldest first. */
  ofReservations(tenantId: TenantId, ids: readonly ReservationId[]): Promise<InvoiceDocument[]>;
  byNumber(of: Address, number: string): Promise<InvoiceDocument | undefined>;
  /** Of one kind, in the order of their numbers: from one on, to the end of a year. */
  list(of: Address, from: DocumentNumber, until: number, limit: number): Promise<InvoiceDocument[]>;
}

export type ChargeRequest = {
  /** The attempt's id: the gateway books at most one charge under it. */
  attemptId: string;
  amount: Minor;
  currency: string;
  cardToken: string;
};

export type Charge =
  | { outcome: 'CHARGED'; transactionId: string; processedAt: Instant }
  | { outcome: 'DECLINED'; reason: string };

/** Whether a card will do as a guarantee; the token of one that does, by which it can be charged again and again. */
export type TakenCard = { outcome: 'TAKEN'; cardToken: string } | { outcome: 'DECLINED'; reason: string };

/**
 * A payment provider. Every call is idempotent by its id. Each may throw DomainError PARTNER_UNAVAILABLE: there was no
 * answer, or (with `retryAfterSeconds`) an answer without an outcome yet.
 */
export interface PaymentGateway {
  readonly name: string;
  /** Whether a token stands for somebody's card: those of a simulator do not, and everybody uses the same few. */
  readonly hasRealCards: boolean;
  /** @throws DomainError PARTNER_UNAVAILABLE; whether it was charged is then unknown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * Takes a card as a guarantee without charging it.
   * @param request.requestId under one id a card is taken once
   * @throws DomainError PARTNER_UNAVAILABLE
   */
  takeCard(request: { requestId: string; cardToken: string }): Promise<TakenCard>;
  /**
   * What became of an attempt; `undefined` when the provider never heard of it. One that has an end can not get
   * another.
   * @throws DomainError PARTNER_UNAVAILABLE, INTERNAL
   */
  find(attemptId: string): Promise<Charge | undefined>;
  /**
   * Gives back (part of) a charge.
   * @throws DomainError PARTNER_UNAVAILABLE, INTERNAL where the provider will not: somebody has to look
   */
  refund(request: {
    refundId: string;
    attemptId: string;
    amount: Minor;
    currency: string;
  }): Promise<{ transactionId: string; processedAt: Instant }>;
}
