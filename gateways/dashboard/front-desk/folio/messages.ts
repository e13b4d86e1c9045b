import type { ChargeKind } from '../../../../src/money/rules/folio-window.ts';
import { ApiError } from '../../api.ts';
import { mediumDay, shortDay } from '../../grid/days.ts';
import { locale, textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import { errorText } from '../problem-messages.ts';
import { moneyWords } from './section-messages.ts';
import type {
  ExchangeRateView,
  PaymentPlan,
  PaymentTaken,
  PaymentView,
  PostingView,
  RefundGiven,
  StayRead,
  WindowName,
} from './shapes.ts';

const say = textsOf('front-desk-folio');

export const formWords = {
  loading: moneyWords.loading,
  close: say('Close'),
  back: say('Not now'),
  underWay: say('Sent, and under way: what becomes of it is said here.'),
  reason: say('Reason'),
  amount: say('Amount'),
  window: say('Who pays'),
};

export const folioWords = {
  date: say('Date'),
  what: say('Charge'),
  amount: say('Amount'),
  none: say('Nothing yet.'),
  total: say('Total'),
  within: (name: string): string => say('Included in the total: {name}', { name }),
  paid: say('Paid'),
  balance: say('Balance'),
  totalSoFar: say('Total so far'),
  balanceSoFar: say('Balance so far'),
  expected: say('With the nights to come'),
  open: say('Still open with them'),
  voided: say('Voided'),
  takesBack: say('Takes back a charge'),
  void: say('Void'),
  voidLong: ({ description, amount }: PostingView, currency: string): string =>
    say('Void {description}, {amount}', { description, amount: moneyText(amount, currency) }),
  voidNow: say('Void the charge'),
  voids: ({ amount, description }: PostingView, window: string, currency: string): string =>
    say('Takes {amount} for {description} off the bill of {window}. Both lines stay visible.', {
      amount: moneyText(Math.abs(amount), currency),
      description,
      window,
    }),
  voidedNow: ({ description }: PostingView): string => say('{description} is voided.', { description }),
  managerVoids: say('A manager can void a charge.'),
  deposits: say('Deposits'),
  deposit: (amount: string, due: string): string => `${amount} ${due}`,
  dueAtBooking: say('due at booking'),
  dueOn: (date: string): string => say('due on {date}', { date: mediumDay(date) }),
};

export const chargeWords = {
  extras: say('Extras of the property'),
  other: say('Something else'),
  description: say('Description'),
  quantity: say('Quantity'),
  onlyExtras: say('Before the check-in only extras are posted.'),
  noExtras: say('The property has no extras in its price list.'),
  choose: say('Choose what to post.'),
  post: (amount: string): string => say('Post {amount}', { amount }),
  postNow: say('Post to the folio'),
  will: ({ quantity, description, unitAmount, amount }: PostingView, window: string, currency: string): string =>
    say('{quantity} × {description} at {unitAmount}: {amount} on the bill of {window}.', {
      quantity,
      description,
      unitAmount: moneyText(unitAmount, currency),
      amount: moneyText(amount, currency),
      window,
    }),
  posted: ({ description, amount }: PostingView, currency: string): string =>
    say('{description}, {amount}, is on the folio.', { description, amount: moneyText(amount, currency) }),
  over: say('Nothing is posted to a stay that is over.'),
};

export const paymentWords = {
  how: say('How'),
  currency: say('Currency'),
  card: say('Card'),
  keepCard: say('Keep the card as a guarantee and charge nothing'),
  nothingDue: say('Nothing is open for this payer.'),
  take: (amount: string): string => say('Take {amount}', { amount }),
  keepNow: say('Keep the card'),
  keeps: say('Keeps the card as a guarantee: nothing is charged now, and the stay is confirmed.'),
  will: (amount: string, how: string, window: string, left: string): string =>
    say('Takes {amount} {how} from {window}; {left} stays open.', { amount, how, window, left }),
  willAll: (amount: string, how: string, window: string): string =>
    say('Takes {amount} {how} from {window}; then nothing is open.', { amount, how, window }),
  more: (open: string): string => say('Only {open} is open for this payer. Take that, or less.', { open }),
  change: (amount: string): string => say('Give back {amount}.', { amount }),
  noToken: say('Type the card token, or choose another way to pay.'),
  noSlip: say('Type the number of the slip, or choose another way to pay.'),
};

export const PAY_BY: Record<PaymentPlan['method'], string> = {
  CREDIT_CARD: say('Card'),
  CARD_ON_FILE: say('Card on file'),
  CASH: say('Cash'),
  TERMINAL: say('Card terminal'),
  BANK_TRANSFER: say('Bank transfer'),
  INVOICE: say('Invoice to the account'),
};
const TAKEN_BY: Record<PaymentPlan['method'], string> = {
  CREDIT_CARD: say('by card'),
  CARD_ON_FILE: say('by the card on file'),
  CASH: say('in cash'),
  TERMINAL: say('by card at the terminal'),
  BANK_TRANSFER: say('by bank transfer'),
  INVOICE: say('on the account'),
};
export const takenBy = (method: PaymentPlan['method']): string => TAKEN_BY[method];

export const refundWords = {
  from: say('Payment'),
  newest: say('The newest payments first'),
  goodwill: say('Good will: the stay costs less by it'),
  now: (amount: string): string => say('Refund {amount}', { amount }),
  more: (paid: string): string => say('Only {paid} is paid. Refund that, or less.', { paid }),
  noReason: say('Say why: the guest and the books read it.'),
};

export const splitWords = {
  company: say('Company'),
  find: say('Find a company'),
  none: say('No company has this name. A manager can add it under companies.'),
  kinds: say('The company pays'),
  now: say('Split the bill'),
  undo: say('All on the guest'),
  total: say('with the nights to come'),
  pays: (name: string, amount: string): string => say('{name} pays {amount}', { name, amount }),
  done: (name: string): string => say('The bill is split with {name}.', { name }),
  undone: say('The guest pays everything again.'),
  current: (name: string): string => say('Now split with {name}.', { name }),
};

export const CHARGE_NAMES: Record<ChargeKind, string> = {
  ROOM: say('Room'),
  TAX: say('Taxes'),
  FEE: say('Fees'),
  EXTRA: say('Extras'),
  PENALTY: say('Penalties'),
  CREDIT: say('Credits'),
};

export const invoiceWords = {
  title: say('Invoice'),
  proForma: say('Pro forma'),
  isOffer: say('Not issued yet: the invoice gets its number at the check-out.'),
  print: say('Print'),
  receipt: say('Open the receipt'),
  to: say('To'),
  guest: say('Guest'),
  of: say('Invoice of'),
  rest: say('Who has booked'),
  confirmation: say('Confirmation'),
  issued: say('Issued'),
  subtotal: say('Subtotal'),
  taxes: say('Taxes'),
  total: say('Total'),
  within: (name: string): string => say('Included in the total: {name}', { name }),
  paid: say('Paid'),
  balance: say('Balance'),
  creditNote: (number: string): string => say('Credit note {number}', { number }),
  vat: (id: string): string => `VAT ${id}`,
};

/** Who pays a window, by name where there is one. */
export function payerName(window: WindowName, { guestInfo, sharer, source }: StayRead, company?: string): string {
  switch (window) {
    case 'GUEST':
      return `${guestInfo.firstName} ${guestInfo.lastName}`;
    case 'SHARER':
      return sharer ? `${sharer.firstName} ${sharer.lastName}` : say('the sharer');
    case 'COMPANY':
      return company ?? say('the company');
    case 'CHANNEL':
      return source.channel ? say('the channel {channel}', { channel: source.channel }) : say('the channel');
  }
}

/** Way and card of a payment: `card ending 4242`. */
export function paymentName({ method, cardLast4 }: Pick<PaymentView, 'method' | 'cardLast4'>): string {
  const ending = cardLast4 === undefined ? '' : say(' ending {cardLast4}', { cardLast4 });
  switch (method) {
    case 'CREDIT_CARD':
    case 'DEBIT_CARD':
      return say('card{ending}', { ending });
    case 'CARD_ON_FILE':
      return say('card on file{ending}', { ending });
    case 'TERMINAL':
      return say('card{ending} at the terminal', { ending });
    case 'CASH':
      return say('cash');
    case 'BANK_TRANSFER':
      return say('bank transfer');
    case 'INVOICE':
      return say('the account');
    case null:
      return say('the payment');
  }
}

const METHODS: Record<string, string> = {
  CREDIT_CARD: say('Card'),
  DEBIT_CARD: say('Card'),
  CARD_ON_FILE: say('Card on file'),
  CASH: say('Cash'),
  TERMINAL: say('Card terminal'),
  BANK_TRANSFER: say('Bank transfer'),
  INVOICE: say('Account'),
};

/** A payment or a refund in the folio, whose text is its method. */
export const paidLine = ({ kind, description }: PostingView): string =>
  `${kind === 'PAYMENT' ? say('Paid') : say('Refunded')}: ${METHODS[description] ?? description}`;

export const paymentChoice = (paid: PaymentView, currency: string): string =>
  `${moneyText(paid.amount, currency)}, ${paymentName(paid)}${paid.processedAt === null ? '' : `, ${shortDay(paid.processedAt.slice(0, 10))}`}`;

/** What a refund would do: `Refund €129.20 to card ending 4242; nothing is open then.` */
export function refundLine(given: RefundGiven, currency: string): string {
  const { refunds, financial } = given;
  const parts = refunds.map((one) =>
    say('{amount} to {one}', { amount: moneyText(one.amount, currency), one: paymentName(one) }),
  );
  const owes =
    financial.balanceDue > 0
      ? say('; the guest then owes {balanceDue}', { balanceDue: moneyText(financial.balanceDue, currency) })
      : say('; nothing is open then');
  const { cheaper, byHand, atTerminal } = besides(given, currency);
  return say('Refund {parts}{cheaper}{owes}.{byHand}{atTerminal}', {
    parts: all.format(parts),
    cheaper,
    owes,
    byHand,
    atTerminal,
  });
}

/** What a refund has done: `€129.20 is refunded to card ending 4242; nothing is open.` */
export function refundedText(given: RefundGiven, currency: string): string {
  const { refunds, financial } = given;
  const owes =
    financial.balanceDue > 0
      ? say('; the guest owes {balanceDue}', { balanceDue: moneyText(financial.balanceDue, currency) })
      : say('; nothing is open');
  const { cheaper, byHand, atTerminal } = besides(given, currency);
  const parts = refunds.map((one) => refundedPart(one, moneyText(one.amount, currency)));
  return `${all.format(parts)}${cheaper}${owes}.${byHand}${atTerminal}`;
}

const all = new Intl.ListFormat(locale);

function refundedPart(one: RefundGiven['refunds'][number], amount: string): string {
  if (one.method === 'CASH') return say('{amount} is refunded in cash', { amount });
  if (one.method === 'BANK_TRANSFER') return say('{amount} is refunded by bank transfer', { amount });
  return say('{amount} is refunded to {one}', { amount, one: paymentName(one) });
}

/** What somebody has to do by hand for a refund, and what the stay costs less. */
function besides(
  { refunds, credit }: RefundGiven,
  currency: string,
): Record<'cheaper' | 'byHand' | 'atTerminal', string> {
  const isByHand = refunds.some(({ method }) => method === 'CASH' || method === 'BANK_TRANSFER');
  const isAtTerminal = refunds.some(({ method }) => method === 'TERMINAL');
  return {
    cheaper: credit > 0 ? say('; the stay costs {credit} less', { credit: moneyText(credit, currency) }) : '',
    byHand: isByHand ? say(' Hand it over, or send it to the bank.') : '',
    atTerminal: isAtTerminal ? say(' Give it back at the terminal.') : '',
  };
}

export function paidText({ amount, method, financial, tendered }: PaymentTaken, currency: string): string {
  const how = takenBy((method ?? 'CASH') as PaymentPlan['method']) ?? '';
  const left =
    financial.balanceDue > 0
      ? say('{balanceDue} is open.', { balanceDue: moneyText(financial.balanceDue, currency) })
      : say('Nothing is open.');
  const back = tendered?.change ? ` ${paymentWords.change(moneyText(tendered.change, currency))}` : '';
  return say('{amount} is taken {how}. {left}{back}', { amount: moneyText(amount, currency), how, left, back });
}

export const convertedText = (amount: number, { currency, rate, baseCurrency }: ExchangeRateView): string =>
  say('{amount} at {rate} is {amount2}', {
    amount: moneyText(amount, currency),
    rate,
    amount2: moneyText(Math.round(amount * rate * 100) / 100, baseCurrency),
  });

/** Messages for errors that concern money, with the next step; what was typed stays. */
const MONEY_ERRORS: Record<string, string> = {
  PAYMENT_DECLINED: say(
    'The card was declined and nothing was charged. Ask for another card, or take cash or a bank transfer. What you typed is still here.',
  ),
  PAYMENT_METHOD_REQUIRED: say('There is no card on file for this. Choose another way to pay.'),
  PARTNER_UNAVAILABLE: say(
    'The payment provider did not answer, so it is not known whether the card was charged. Try again: nothing is charged twice.',
  ),
  TERMINAL_REFERENCE_TAKEN: say(
    'This slip is on record already. Look whether the payment is taken; otherwise read the number of the slip again.',
  ),
  RAW_CARD_NUMBER: say('That is a card number. Type the number of the slip; card numbers are never stored.'),
  REFUND_EXCEEDS_PAID: say('That is more than is paid. Refund less, or choose another payment.'),
  FOLIO_FULL: say('The folio has no room for another charge.'),
  EXTRA_NOT_AVAILABLE: say('There are not enough of these left on one of the nights. Post fewer, or something else.'),
  ROLE_TOO_LOW: say('Your role may not do this. Ask a manager.'),
};

export function errorLine(error: unknown): string {
  if (error instanceof ApiError && MONEY_ERRORS[error.code] !== undefined) return MONEY_ERRORS[error.code]!;
  return errorText(error);
}
