import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PaymentId, PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { BookingChannel, Reservation } from '../../stay/rules/reservation.ts';

/** Default payment terms of a company. */
export const USUAL_PAYMENT_TERMS_DAYS = 30;

/** A company that stays are invoiced to (docs/reference/companies.md#companies). */
export type Company = {
  companyId: string;
  name: string;
  vatId?: string;
  billingAddress?: NonNullable<NonNullable<Reservation['billing']>['address']>;
  contact?: { email?: string; phone?: string };
  paymentTermsDays: number;
  /**
   * Channel of this company, which owes what the channel has collected from guests; at most one company per channel.
   */
  channel?: BookingChannel;
  /** An inactive company gets no new bookings on its account. */
  active: boolean;
};

/** What an invoice says of a company, as it is when the invoice is issued. */
export type InvoicedCompany = Pick<Company, 'companyId' | 'name' | 'vatId' | 'billingAddress'>;

export type ListedCompany = Company & { createdAt: Instant; updatedAt: Instant };

/** Payment methods of a company. A card has no token: it is charged at a terminal outside this service. */
export const RECEIVED_BY = ['BANK_TRANSFER', 'CREDIT_CARD', 'DEBIT_CARD', 'CASH'] as const;
type ReceivedBy = (typeof RECEIVED_BY)[number];

export type CompanyPayment = {
  paymentId: PaymentId;
  companyId: string;
  propertyId: PropertyId;
  amount: Minor;
  currency: string;
  method: ReceivedBy;
  reference?: string;
  receivedAt: Instant;
};

/** CHARGE: a stay on the account; REFUND: a refund of one; PAYMENT: a payment of the company. */
export const ENTRY_KINDS = ['CHARGE', 'REFUND', 'PAYMENT'] as const;
type EntryKind = (typeof ENTRY_KINDS)[number];

/** A line of a ledger; its amount is never negative, its kind gives the direction. */
export type AccountEntry = {
  entryId: string;
  at: Instant;
  /** Of its property, by the property's current time zone. */
  businessDate: Day;
  propertyId: PropertyId;
  reservationId?: ReservationId;
  confirmationNumber?: string;
  kind: EntryKind;
  /** Only of a payment. */
  method?: ReceivedBy;
  reference?: string;
  amount: Minor;
  currency: string;
};

/** Debt of a company in a currency; negative when it has overpaid. */
export type Balance = { currency: string; balance: Minor };

/** Accounts of payments by invoice (column `payments.account`) that form the ledger of a company. */
export function accountsOf({ companyId, channel }: Pick<Company, 'companyId' | 'channel'>): string[] {
  const own = `company:${companyId}`;
  return channel === undefined ? [own] : [own, `channel:${channel}`];
}

/** Balance of all entries, per currency. */
export function balancesOf(sums: readonly Pick<AccountEntry, 'kind' | 'amount' | 'currency'>[]): Balance[] {
  const balances = new Map<string, Minor>();
  for (const { kind, amount, currency } of sums) {
    const before = balances.get(currency) ?? 0;
    balances.set(currency, kind === 'CHARGE' ? before + amount : before - amount);
  }
  return [...balances].map(([currency, balance]) => ({ currency, balance })).toSorted(byCurrency);
}

const byCurrency = (a: Balance, b: Balance): number => (a.currency < b.currency ? -1 : 1);

/** Description of a line. */
export function entryText({ kind, method, confirmationNumber }: AccountEntry): string {
  switch (kind) {
    case 'CHARGE':
      return `Stay ${confirmationNumber}`;
    case 'REFUND':
      return `Refund of stay ${confirmationNumber}`;
    case 'PAYMENT':
      return `Payment received (${method})`;
  }
}

/** @throws DomainError INVALID_STATE while a balance is not 0 */
export function mustBeEven(balances: readonly Balance[], what: string): void {
  const open = balances.filter(({ balance }) => balance !== 0);
  if (open.length === 0) return;
  const amounts = open.map(({ currency, balance }) => `${decimalText(balance)} ${currency}`).join(', ');
  throw new DomainError('INVALID_STATE', `Its balance is ${amounts}; settle it before ${what}.`);
}
