import t from 'tap';

import { refundedText, refundLine } from './messages.ts';

const given = (method: string, balanceDue: number) =>
  ({ refunds: [{ amount: 5.5, method }], credit: 0, financial: { balanceDue } }) as unknown as Parameters<
    typeof refundLine
  >[0];

t.test('a refund says beforehand what it would do, and afterwards what it has done', async (t) => {
  const byHand = 'Hand it over, or send it to the bank.';
  t.equal(refundLine(given('CASH', 5.5), 'EUR'), `Refund €5.50 to cash; the guest then owes €5.50. ${byHand}`);
  t.equal(refundedText(given('CASH', 5.5), 'EUR'), `€5.50 is refunded in cash; the guest owes €5.50. ${byHand}`);
  t.equal(refundedText(given('CREDIT_CARD', 0), 'EUR'), '€5.50 is refunded to card; nothing is open.');
});
