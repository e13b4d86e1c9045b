import { test } from 'tap';

import { dayOf } from '../../src/kernel/rules/dates.ts';
import type { Created, Listed, Whole } from './answers.ts';
import { type Account, Ledger, type Status } from './ledger.ts';
import { compareEnding, compareListed } from './money-audit.ts';

const ARRIVAL = dayOf('2026-12-01');

const created = (status: Status = 'CONFIRMED', more: Partial<Created['financial']> = {}): Created => ({
  reservationId: 'one',
  status,
  stayDetails: { roomType: 'A', rateCode: 'BAR', checkIn: '2026-12-01', checkOut: '2026-12-03' },
  financial: {
    baseAmount: 200,
    taxes: 12,
    fees: 6,
    totalAmount: 218,
    ...(status === 'PENDING' ? { paidAmount: 0, balanceDue: 218 } : { paidAmount: 218, balanceDue: 0 }),
    ...more,
  },
});

/** A ledger with one booking of 218.00. */
function opened(status: Status = 'CONFIRMED'): { ledger: Ledger; account: Account } {
  const ledger = new Ledger();
  ledger.created(7, created(status));
  return { ledger, account: ledger.accounts.get(7)! };
}

const listed = (
  account: Account,
  paid: number,
  payments: Listed['financial']['paymentDetails'],
  changed: Partial<Listed['financial']> = {},
): Listed => ({
  reservationId: 'one',
  status: account.status,
  stayDetails: { ...created().stayDetails, nights: 2 },
  financial: {
    ...created().financial,
    paidAmount: paid,
    balanceDue: 218 - paid,
    paymentDetails: payments,
    ...changed,
  },
});
/** Shown amounts of a no-show of 218.00: the retained night. */
const retained = { totalAmount: 109, baseAmount: 102.83, taxes: 6.17, fees: 0, balanceDue: 0 };

const charge = (amount: number) => ({ type: 'CHARGE' as const, status: 'COMPLETED', amount });
const refund = (amount: number, status = 'COMPLETED') => ({ type: 'REFUND' as const, status, amount });

const ended = (status: Status, penaltyAmount: number, refundAmount: number) => {
  return { status, cancellationPolicy: { penaltyAmount }, refund: { refundAmount } };
};

const left = (totalAmount: number, balanceDue: number, amount = 218, back = 0) => ({
  status: 'CHECKED_OUT' as const,
  finalBill: { roomCharges: 200, additionalCharges: totalAmount - 212, taxes: 12, totalAmount, balanceDue },
  payment: { amount },
  refund: { amount: back },
});

void test('a total that its parts do not add up to is found, to the cent', async (t) => {
  const ledger = new Ledger();
  ledger.created(7, created('CONFIRMED', { totalAmount: 218.01 }));
  t.match(ledger.findings, { cents: 1, count: 1, first: ['row 7 total: 218.01, own account 218.00'] });
});

void test('an amendment moves the total, and what was paid too much goes back', async (t) => {
  const { ledger, account } = opened();
  ledger.amended(account, {
    status: 'CONFIRMED',
    changes: { totalAmount: { from: 218, to: 200.5 } },
    additionalPayment: { amount: 0 },
    refund: { refundAmount: 17.5 },
  });
  t.match(account, { total: 20_050, paid: 20_050 });
  t.match(ledger, { taken: 21_800, givenBack: 1_750, findings: { cents: 0, count: 0 } });
});

void test('penalty and refund that are not what was paid are found', async (t) => {
  const retained = (penalty: number, back: number, freely?: boolean) => {
    const { ledger, account } = opened();
    ledger.ended(account, ended('CANCELLED', penalty, back), { refundRequested: true, freely });
    return ledger.findings;
  };
  t.match(retained(109, 109), { cents: 0, count: 0 });
  t.match(retained(109, 108.98), { cents: 2, count: 1 });
  t.match(retained(109, 109, true), { count: 1 }, 'a penalty where cancelling is free');
  t.match(retained(0, 218, false), { count: 1 }, 'no penalty where there is one');
});

void test('a departing guest pays what is due, except in a forced check-out', async (t) => {
  const desk = (forced: boolean, charges: number, answer: Parameters<Ledger['left']>[2]) => {
    const { ledger, account } = opened();
    ledger.left(account, { forced, charges }, answer);
    return { account, ledger };
  };
  const paid = desk(false, 1_250, left(230.5, 12.5, 12.5));
  t.match(paid, { account: { total: 23_050, paid: 23_050 }, ledger: { taken: 23_050, findings: { count: 0 } } });
  const owed = desk(true, 1_250, left(230.5, 12.5));
  t.match(owed, { account: { total: 23_050, paid: 21_800 }, ledger: { findings: { count: 0 } } });
  const credit = desk(false, -300, left(215, 0, 218, 3));
  t.match(credit, { account: { paid: 21_500 }, ledger: { givenBack: 300, findings: { count: 0 } } });
  t.match(desk(false, 1_250, left(218, 0, 0)).ledger.findings, { cents: 1_250 * 3 }, 'a charge that was forgotten');
});

void test('a new day ends unclaimed and unpaid reservations', async (t) => {
  const missed = opened();
  t.same(missed.ledger.rolled(ARRIVAL), { noShows: 0, expired: 0 }, 'he may still come');
  t.same(missed.ledger.rolled(ARRIVAL + 1), { noShows: 1, expired: 0 });
  const unpaid = opened('PENDING');
  t.same(unpaid.ledger.rolled(ARRIVAL - 10), { noShows: 0, expired: 1 });
  t.equal(unpaid.account.status, 'CANCELLED');
  const there = opened();
  there.ledger.checkedIn(there.account, { status: 'CHECKED_IN', roomDetails: { roomType: 'B', roomNumber: 'B001' } });
  t.same(there.ledger.rolled(ARRIVAL + 5), { noShows: 0, expired: 0 });
  t.equal(there.ledger.cells().rooms('booked', 'B', ARRIVAL), 1, 'where he is, not where he had booked');
});

void test('the first night of a no-show is retained', async (t) => {
  const { ledger, account } = opened();
  ledger.rolled(ARRIVAL + 1);
  const breakdown = [100, 100].map((roomRate, night) => ({ date: `2026-12-0${night + 1}`, roomRate, taxes: 6 }));
  const base = listed(account, 109, [charge(218), refund(109)], retained);
  const whole = (penalty: number, back: number): Whole => ({
    ...base,
    financial: { ...base.financial, originalTotal: 218, breakdown },
    cancellation: ended('NO_SHOW', penalty, back),
  });
  compareEnding(ledger, account, whole(109, 109));
  t.match(ledger, { findings: { cents: 0, count: 0 }, givenBack: 10_900 });
  compareListed(ledger, account, base);
  t.match(ledger.findings, { cents: 0, count: 0 });
  compareEnding(ledger, account, whole(218, 0));
  t.match(ledger.findings, { cents: 2 * 10_900 }, 'penalty and refund are both wrong');
});

void test('the paid amount equals the payments, failed refunds aside', async (t) => {
  const { ledger, account } = opened();
  compareListed(ledger, account, listed(account, 218, [charge(218), refund(50, 'FAILED')]));
  t.match(ledger.findings, { cents: 0, count: 0 });
  compareListed(ledger, account, listed(account, 218, [charge(218), refund(50)]));
  t.match(ledger.findings, { cents: 5_000, count: 1 });
  compareListed(ledger, { ...account, status: 'CHECKED_OUT' }, listed(account, 218, [charge(218)]));
  t.match(ledger.findings, { cents: 5_000, count: 2 }, 'another status');
});
