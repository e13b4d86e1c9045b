import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { moneyText } from '../../messages.ts';
import { MoneyAttempt } from './attempt.ts';
import { AmountField, amountOf, Choice, MoneyForm, typedAmount } from './form-parts.tsx';
import { formWords, paymentChoice, refundedText, refundWords as words, refundLine } from './messages.ts';
import { moneyLevels } from './section-messages.ts';
import type { PaymentView, RefundGiven, RefundPlan } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';

const NEWEST = '';
const OPEN: ReadonlySet<string> = new Set(['PENDING', 'CONFIRMED', 'CHECKED_IN']);

/** Payments that money can go back to. */
const refundable = ({ financial }: StayMoney['stay']): PaymentView[] =>
  financial.paymentDetails.filter(
    ({ type, status, amount }) => type === 'CHARGE' && status === 'COMPLETED' && amount > 0,
  );

/** Money that somebody is about to give back. */
class Refund {
  readonly from = signal(NEWEST);
  readonly typed = signal<string | undefined>(undefined);
  readonly reason = signal('');
  readonly goodwill = signal(false);
  readonly attempt: MoneyAttempt<RefundGiven>;
  readonly #money: StayMoney;

  constructor(stayMoney: StayMoney) {
    this.#money = stayMoney;
    this.attempt = new MoneyAttempt(stayMoney.again);
    const { from, typed, reason, goodwill } = this;
    stayMoney.keep('refund', { from, typed, reason, goodwill });
  }

  /** What is paid too much; without that, all that is paid. */
  get text(): string {
    const { financial } = this.#money.stay;
    const { paidAmount, balanceDue, currency } = financial;
    if (this.typed.value !== undefined) return this.typed.value;
    const payment = financial.paymentDetails.find(({ paymentId }) => paymentId === this.from.value);
    const most = Math.min(paidAmount, payment?.amount ?? paidAmount);
    return typedAmount(balanceDue < 0 ? Math.min(0 - balanceDue, most) : most, currency);
  }

  plan(): Omit<RefundPlan, 'reason'> | undefined {
    const read = amountOf(this.text, this.#money.currency);
    const { paidAmount } = this.#money.stay.financial;
    if (!('amount' in read) || read.amount === 0 || read.amount > paidAmount) return undefined;
    const paymentId = this.from.value;
    return { amount: read.amount, goodwill: this.goodwill.value, ...(paymentId !== NEWEST && { paymentId }) };
  }

  change(set: () => void): void {
    batch(set);
    this.attempt.error.value = undefined;
    this.renew();
  }

  /** Repeats the dry run: something was typed, or the stay has changed. */
  renew(): void {
    const { api, etag } = this.#money;
    const plan = this.plan();
    // The reason changes nothing about the amounts, and may still be missing.
    const dryRun = plan && { ...plan, reason: 'Tried out' };
    this.attempt.tryOut(dryRun && (() => api.refund(dryRun, { etag, dryRun: true })));
  }

  async send(onDone: () => void): Promise<void> {
    const { api, etag, currency } = this.#money;
    const plan = this.plan();
    const reason = this.reason.value.trim();
    if (!plan || reason === '') return;
    const body = { ...plan, reason };
    const given = await this.attempt.carryOut(body, (key) => api.refund(body, { etag, key }));
    if (!given) return;
    onDone();
    await this.#money.did(refundedText(given, currency));
  }
}

/** "Refund": what goes back, to which payment, and why. */
export function RefundForm({ stayMoney, onBack, onDone }: LevelProps) {
  const form = stayMoney.form('refund', () => new Refund(stayMoney));
  const { currency, stay } = stayMoney;
  useEffect(() => form.renew(), [stayMoney.read.value.etag]);
  const payments = refundable(stay);
  const preview = form.attempt.preview.value;
  const read = amountOf(form.text, currency);
  const { paidAmount } = stay.financial;
  const isTooMuch = 'amount' in read && read.amount > paidAmount;
  const hasReason = form.reason.value.trim() !== '';
  const line = isTooMuch
    ? words.more(moneyText(paidAmount, currency))
    : preview && refundLine(preview, currency) + (hasReason ? '' : ` ${words.noReason}`);
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={moneyLevels.refund}
      attempt={form.attempt}
      line={line}
      button={'amount' in read && !isTooMuch ? words.now(moneyText(read.amount, currency)) : moneyLevels.refund}
      isReady={preview !== undefined && hasReason}
      isGrave
      onSend={() => void form.send(onDone)}
      onBack={onBack}
    >
      <AmountField
        value={form.text}
        currency={currency}
        onType={(typed) => form.change(() => (form.typed.value = typed))}
      />
      {payments.length > 1 && (
        <Choice
          legend={words.from}
          name="payment"
          value={form.from.value}
          options={[
            { value: NEWEST, text: words.newest },
            ...payments.map((paid) => ({ value: paid.paymentId, text: paymentChoice(paid, currency) })),
          ]}
          onChoose={(from) => form.change(() => (form.from.value = from))}
        />
      )}
      <label>
        {formWords.reason}
        <input
          type="text"
          maxLength={500}
          value={form.reason.value}
          onInput={({ currentTarget: at }) => (form.reason.value = at.value)}
        />
      </label>
      {OPEN.has(stay.status) && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.goodwill.value}
            onChange={({ currentTarget: at }) => form.change(() => (form.goodwill.value = at.checked))}
          />
          {words.goodwill}
        </label>
      )}
    </MoneyForm>
  );
}
