import t from 'tap';

import type { CheckOutAnswer } from '../api.ts';
import type { ReservationView } from '../shapes.ts';
import { checkedOutText, checkOutLines } from './messages.ts';

const BILL = { roomCharges: 0, additionalCharges: 5.5, taxes: 0, taxLines: [], totalAmount: 5.5, balanceDue: 0 };
const answer = (of: object): CheckOutAnswer =>
  ({ finalBill: BILL, refund: { amount: 0 }, ...of }) as unknown as CheckOutAnswer;
const stay = { stayDetails: { roomNumber: '101' } } as ReservationView;
const euros = (value: number): string => `€${value.toFixed(2)}`;

t.test('a check-out says first who pays what is open', async (t) => {
  const first = (of: object, lines = 1) => checkOutLines(answer(of), euros, stay).slice(0, lines);
  const account = { amount: 5.5, name: 'Harbor Trading Ltd' };
  t.same(first({}), [['Nothing is due', '']]);
  t.same(first({ account }), [['Account', '€5.50 goes to the account of Harbor Trading Ltd']]);
  t.same(first({ account: { ...account, name: null } }), [['Account', '€5.50 goes to the account']]);
  t.same(first({ account, finalBill: { ...BILL, balanceDue: 7 } }, 2), [
    ['Charged to the card on file', '€7.00'],
    ['Account', '€5.50 goes to the account of Harbor Trading Ltd'],
  ]);
});

t.test('a check-out that is done says what went to an account', async (t) => {
  const left = 'Ada Byron is checked out. The room has to be cleaned.';
  t.equal(checkedOutText(answer({}), 'Ada Byron', euros), left);
  const account = { amount: 5.5, name: 'Harbor Trading Ltd' };
  t.equal(
    checkedOutText(answer({ account }), 'Ada Byron', euros),
    `${left} €5.50 goes to the account of Harbor Trading Ltd.`,
  );
});
