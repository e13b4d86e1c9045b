import t from 'tap';

import { noShowText, penaltyLines, penaltyOf } from './penalty.ts';

const euros = (value: number): string => `€${value.toFixed(2)}`;
const ended = (penaltyAmount: number, owedByCard?: number, refundAmount = 0) =>
  ({
    cancellationPolicy: { penaltyAmount, ...(owedByCard !== undefined && { owedByCard }) },
    refund: { refundAmount },
  }) as Parameters<typeof penaltyOf>[0];

t.test('only what is paid can be kept: the rest is owed', async (t) => {
  const lines = (paidAmount: number, of: ReturnType<typeof ended>) => penaltyLines(of, { paidAmount }, euros);
  t.same(lines(0, ended(413.16)), [
    ['Owed', '€413.16'],
    ['Back to the guest', '€0.00'],
  ]);
  t.same(lines(300, ended(100, undefined, 200)), [
    ['Kept', '€100.00'],
    ['Back to the guest', '€200.00'],
  ]);
  t.same(lines(30, ended(100, 70)), [
    ['Kept', '€30.00'],
    ['Charged to the card on file', '€70.00'],
    ['Back to the guest', '€0.00'],
  ]);
  t.same(lines(0, ended(0))[0], ['Kept', '€0.00']);
});

t.test('a no-show that is done says the same', async (t) => {
  const said = (paidAmount: number, penalty: number) =>
    noShowText('Ada Byron', penaltyOf(ended(penalty), { paidAmount }), euros);
  t.equal(said(100, 100), 'Ada Byron is marked a no-show, €100.00 kept.');
  t.equal(said(0, 100), 'Ada Byron is marked a no-show, €100.00 owed.');
  t.equal(said(40, 100), 'Ada Byron is marked a no-show, €40.00 kept and €60.00 owed.');
});
