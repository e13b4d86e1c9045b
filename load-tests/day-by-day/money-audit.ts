import { decimalText, type Minor } from '../../src/kernel/rules/money.ts';
import { get, listReservations } from '../replay/audit.ts';
import { inTurns, type Target } from '../replay/property.ts';
import type * as answers from './answers.ts';
import { centsOf } from './findings.ts';
import type { Account, Ledger } from './ledger.ts';

/** Statuses of refunds that failed for good. */
const GIVEN_UP = new Set(['FAILED', 'CANCELLED']);

export type MoneyReport = {
  /** Sum of the differences of all compared amounts. */
  cents: Minor;
  findings: { count: number; first: string[] };
  compared: number;
  reservations: Record<string, number>;
  invoices: number;
  /** Sums over the property as counted by the client; each was compared with the service's list. */
  property: { total: string; paid: string; taken: string; givenBack: string };
  /** Card refunds that have not reached the provider yet. */
  refundsUnderWay: number;
};

/**
 * Reads every reservation, and the invoice of every departed guest, and compares each amount with the client's own
 * ledger. No other requests may run meanwhile.
 */
export async function auditMoney(ledger: Ledger, target: Target): Promise<MoneyReport> {
  const { findings } = ledger;
  const accounts = new Map([...ledger.accounts.values()].map((one) => [one.reservationId, one]));
  const property = { total: 0, paid: 0, taken: 0, givenBack: 0 };
  const reservations: Record<string, number> = {};
  let refundsUnderWay = 0;
  const ended = [...accounts.values()].filter(({ status }) => status === 'NO_SHOW' || status === 'CANCELLED');
  await inTurns(ended, (account) => readEnding(ledger, account, target));
  const left: Account[] = [];
  const unseen = new Set(accounts.keys());
  for await (const listed of listReservations<answers.Listed>(target)) {
    const account = accounts.get(listed.reservationId);
    if (!account || !unseen.delete(listed.reservationId)) {
      findings.found(`reservation ${listed.reservationId} is listed, and nobody made it`);
      continue;
    }
    compareListed(ledger, account, listed);
    reservations[listed.status] = (reservations[listed.status] ?? 0) + 1;
    if (listed.status === 'CHECKED_OUT') left.push(account);
    const { totalAmount, paidAmount, paymentDetails } = listed.financial;
    const money = moneyOf(paymentDetails);
    property.total += centsOf(totalAmount);
    property.paid += centsOf(paidAmount);
    property.taken += money.taken;
    property.givenBack += money.givenBack;
    refundsUnderWay += paymentDetails.filter(
      ({ type, status }) => type === 'REFUND' && status === 'PROCESSING',
    ).length;
  }
  for (const id of unseen) findings.found(`reservation ${id} was made, and is not listed`);
  await inTurns(left, (account) => compareInvoice(ledger, account, target));
  const own = sumsOf(ledger);
  for (const sum of ['total', 'paid', 'taken', 'givenBack'] as const)
    findings.amount(`${sum} of the property`, property[sum] / 100, own[sum]);
  findings.amount('money that stayed', (own.taken - own.givenBack) / 100, own.paid);
  return {
    cents: findings.cents,
    findings: { count: findings.count, first: findings.first },
    compared: findings.compared,
    reservations,
    invoices: left.length,
    property: {
      total: decimalText(own.total),
      paid: decimalText(own.paid),
      taken: decimalText(own.taken),
      givenBack: decimalText(own.givenBack),
    },
    refundsUnderWay,
  };
}

/** Each reservation adds up by itself, and matches the ledger. */
export function compareListed({ findings }: Ledger, account: Account, listed: answers.Listed): void {
  const { totalAmount, baseAmount, taxes, fees, paidAmount, balanceDue, paymentDetails } = listed.financial;
  const row = `row ${account.row}`;
  findings.same(`${row} status`, listed.status, account.status);
  findings.amount(`${row} total`, totalAmount, account.total);
  findings.amount(`${row} parts of the total`, totalAmount, centsOf(baseAmount) + centsOf(taxes) + centsOf(fees));
  findings.amount(`${row} paid`, paidAmount, account.paid);
  findings.amount(`${row} balance`, balanceDue, account.total - account.paid);
  const { taken, givenBack } = moneyOf(paymentDetails);
  findings.amount(`${row} payments`, paidAmount, taken - givenBack);
}

function moneyOf(payments: answers.Listed['financial']['paymentDetails']): { taken: Minor; givenBack: Minor } {
  const sums = { taken: 0, givenBack: 0 };
  for (const { type, status, amount } of payments) {
    if (type === 'CHARGE' && status === 'COMPLETED') sums.taken += centsOf(amount);
    if (type === 'REFUND' && !GIVEN_UP.has(status)) sums.givenBack += centsOf(amount);
  }
  return sums;
}

async function readEnding(ledger: Ledger, account: Account, target: Target): Promise<void> {
  const url = `${target.reservationUrl}/api/v1/reservations/${account.reservationId}`;
  compareEnding(ledger, account, await get<answers.Whole>(target, url));
}

/**
 * Penalty and refund sum to what was paid before. A no-show owes the first night, or all of a non-refundable rate, as
 * far as paid.
 */
export function compareEnding(ledger: Ledger, account: Account, whole: answers.Whole): void {
  const { findings } = ledger;
  const row = `row ${account.row}`;
  const { cancellation, financial, stayDetails } = whole;
  const [first] = financial.breakdown;
  const { ending } = account;
  if (!cancellation || !first || !ending) {
    findings.found(`${row}: ${account.status} by the client's account, ${whole.status} by the service`);
    return;
  }
  const { penaltyAmount } = cancellation.cancellationPolicy;
  findings.amount(`${row} original total`, financial.originalTotal ?? 0, ending.total);
  if (account.status === 'NO_SHOW') {
    const rates = financial.breakdown.reduce(
      (sum, { roomRate, taxes }) => sum + centsOf(roomRate) + centsOf(taxes),
      0,
    );
    const fees = (ending.total - rates) / stayDetails.nights;
    const night = account.rateCode === 'NRF' ? ending.total : centsOf(first.roomRate) + centsOf(first.taxes) + fees;
    const penalty = Math.min(ending.paidBefore, night);
    findings.amount(`${row} penalty`, penaltyAmount, penalty);
    ledger.fees(account, ending, penalty);
  }
  const { refundAmount } = cancellation.refund;
  findings.amount(`${row} refund`, refundAmount, ending.refund ?? 0);
  if (ending.refundRequested)
    findings.amount(
      `${row} penalty and refund`,
      (centsOf(penaltyAmount) + centsOf(refundAmount)) / 100,
      ending.paidBefore,
    );
}

async function compareInvoice({ findings }: Ledger, account: Account, target: Target): Promise<void> {
  const url = `${target.reservationUrl}/api/v1/reservations/${account.reservationId}/invoice`;
  const { status, items, totalAmount, paidAmount, balanceDue } = await get<answers.Invoice>(target, url);
  const row = `row ${account.row} invoice`;
  const lines = items.reduce((sum, { amount, taxes }) => sum + centsOf(amount) + centsOf(taxes), 0);
  findings.same(`${row} status`, status, 'ISSUED');
  findings.amount(`${row} total`, totalAmount, account.total);
  findings.amount(`${row} lines`, lines / 100, account.total);
  findings.amount(`${row} paid`, paidAmount, account.paid);
  findings.amount(`${row} balance`, balanceDue, account.total - account.paid);
}

function sumsOf({ accounts, taken, givenBack }: Ledger): {
  total: Minor;
  paid: Minor;
  taken: Minor;
  givenBack: Minor;
} {
  const sums = { total: 0, paid: 0, taken, givenBack };
  for (const { total, paid } of accounts.values()) {
    sums.total += total;
    sums.paid += paid;
  }
  return sums;
}
