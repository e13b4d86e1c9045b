import { textsOf } from '../../language/texts.ts';
import type { CheckOutAnswer } from '../api.ts';
import type { ReservationView } from '../shapes.ts';

const say = textsOf('front-desk');

type Line = [name: string, text: string];
type AmountText = (value: number) => string;

/** Effects of a check-out: first who pays what is open, the card on file or an account. */
export function checkOutLines(answer: CheckOutAnswer, amount: AmountText, reservation: ReservationView): Line[] {
  const { refund, account } = answer;
  const { roomCharges, additionalCharges, taxes, totalAmount, balanceDue } = answer.finalBill;
  const paid: Line[] = [
    ...(balanceDue > 0 ? [[say('Charged to the card on file'), amount(balanceDue)] as Line] : []),
    ...(account ? [[say('Account'), accountText(account, amount)] as Line] : []),
  ];
  return [
    ...(paid.length > 0 ? paid : [[say('Nothing is due'), ''] as Line]),
    [say('Nights'), amount(roomCharges)],
    [say('Extras and fees'), amount(additionalCharges)],
    [say('Taxes'), amount(taxes)],
    [say('Total'), amount(totalAmount)],
    ...(refund.amount > 0 ? [[say('Goes back to the guest'), amount(refund.amount)] as Line] : []),
    [say('Room'), say('{roomNumber} becomes dirty', { roomNumber: reservation.stayDetails.roomNumber })],
  ];
}

/** What was done by a check-out. */
export function checkedOutText({ account }: CheckOutAnswer, name: string, amount: AmountText): string {
  const left = say('{name} is checked out. The room has to be cleaned.', { name });
  return account ? `${left} ${accountText(account, amount)}.` : left;
}

function accountText({ amount: value, name }: NonNullable<CheckOutAnswer['account']>, amount: AmountText): string {
  return name === null
    ? say('{amount} goes to the account', { amount: amount(value) })
    : say('{amount} goes to the account of {name}', { amount: amount(value), name });
}
