import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { BookingChannel, Reservation } from '../../stay/rules/reservation.ts';

/** Days that a company has to pay, where nothing else is agreed. */
export const USUAL_PAYMENT_TERMS_DAYS = 30;

/** A company that stays are invoiced to (docs/reference/companies.md#companies). */
export type Company = {
  companyId: string;
  name: string;
  vatId?: string;
  billingAddress?: NonNullable<NonNullable<Reservation['billing']>['address']>;
  contact?: { email?: string; phone?: string };
  paymentTermsDays: number;
  /** It stands behind this channel and owes what the channel has collected from guests; one company a channel. */
  channel?: BookingChannel;
  /** Off: nothing new is booked on its account. */
  active: boolean;
};

export type ListedCompany = Company & { createdAt: Instant; updatedAt: Instant };

/** How money of a company comes in. A card needs no token: its terminal is no business of this service. */
export const RECEIVED_BY = ['BANK_TRANSFER', 'CREDIT_CARD', 'DEBIT_CARD', 'CASH'] as const;
export type ReceivedBy = (typeof RECEIVED_BY)[number];

/** Money received from a company. */
export type CompanyPayment = {
  paymentId: string;
  companyId: string;
  propertyId: PropertyId;
  amount: Minor;
  currency: string;
  method: ReceivedBy;
  reference?: string;
  receivedAt: Instant;
};

/** CHARGE: a stay on the account; REFUND: given back of one; PAYMENT: what the company has paid. */
export const ENTRY_KINDS = ['CHARGE', 'REFUND', 'PAYMENT'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A line of a ledger; its amount is never below 0, its kind says which way it goes. */
export type AccountEntry = {
  entryId: string;
  at: Instant;
  /** Of its property, by the clock that the property has now. */
  businessDate: Day;
  propertyId: PropertyId;
  reservationId?: ReservationId;
  confirmationNumber?: string;
  kind: EntryKind;
  /** Of a payment. */
  method?: ReceivedBy;
  reference?: string;
  amount: Minor;
  currency: string;
};

/** What a company owes in a currency; below 0 it has paid more. */
export type Balance = { currency: string; balance: Minor };

/** Accounts of payments by invoice (column `payments.account`) that make up the ledger of a company. */
export function accountsOf({ companyId, channel }: Pick<Company, 'companyId' | 'channel'>): string[] {
  const own = `company:${companyId}`;
  return channel === undefined ? [own] : [own, `channel:${channel}`];
}

/** What remains of all entries, in each currency by itself. */
export function balancesOf(sums: readonly Pick<AccountEntry, 'kind' | 'amount' | 'currency'>[]): Balance[] {
  const balances = new Map<string, Minor>();
  for (const { kind, amount, currency } of sums) {
    const before = balances.get(currency) ?? 0;
    balances.set(currency, kind === 'CHARGE' ? before + amount : before - amount);
  }
  return [...balances].map(([currency, balance]) => ({ currency, balance })).toSorted(byCurrency);
}

const byCurrency = (a: Balance, b: Balance): number => (a.currency < b.currency ? -1 : 1);

/** A line in words. */
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

/** @throws DomainError INVALID_STATE while money is open either way */
export function mustBeEven(balances: readonly Balance[], what: string): void {
  const open = balances.filter(({ balance }) => balance !== 0);
  if (open.length === 0) return;
  const amounts = open.map(({ currency, balance }) => `${decimalText(balance)} ${currency}`).join(', ');
  throw new DomainError('INVALID_STATE', `Its balance is ${amounts}; settle it before ${what}.`);
}
