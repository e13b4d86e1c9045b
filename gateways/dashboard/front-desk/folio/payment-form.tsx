import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { moneyText } from '../../messages.ts';
import { MoneyAttempt } from './attempt.ts';
import { CardTokenFields, firstCardToken } from './card-fields.tsx';
import { Deposits } from './deposits.tsx';
import { AmountField, amountOf, Choice, MoneyForm, windowPayer, typedAmount, WindowChoice } from './form-parts.tsx';
import { convertedText, PAY_BY, paidText, paymentWords as words, takenBy } from './messages.ts';
import { moneyLevels } from './section-messages.ts';
import type { ExchangeRateView, PaymentPlan, PaymentTaken, WindowName } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';
import { NO_SLIP, slipOf, TerminalFields } from './terminal-fields.tsx';
import { waysToPay } from './ways-to-pay.ts';

const round = (amount: number): number => Math.round(amount * 100) / 100;

/** A payment that somebody is about to take. */
class Payment {
  readonly method = signal<PaymentPlan['method']>('CREDIT_CARD');
  readonly token = signal('');
  /** In the memory of the page only, as all that belongs to a card. */
  readonly slip = signal(NO_SLIP);
  readonly window = signal<WindowName>('GUEST');
  /** As typed; until then it is what is open. */
  readonly typed = signal<string | undefined>(undefined);
  readonly currency = signal<string | undefined>(undefined);
  readonly keepOnly = signal(false);
  readonly rates = signal<readonly ExchangeRateView[]>([]);
  readonly attempt: MoneyAttempt<PaymentTaken>;
  readonly #money: StayMoney;

  constructor(stayMoney: StayMoney) {
    this.#money = stayMoney;
    this.attempt = new MoneyAttempt(stayMoney.again);
    const { method, window, typed, currency, keepOnly } = this;
    stayMoney.keep('pay', { method, window, typed, currency, keepOnly });
    this.token.value = firstCardToken(stayMoney.desk.access.config.development);
    void stayMoney.api.exchangeRates().then(
      (rates) => (this.rates.value = rates),
      // Without rates the desk takes its own currency.
      () => undefined,
    );
  }

  get rate(): ExchangeRateView | undefined {
    const isMoney = this.method.value === 'CASH' || this.method.value === 'BANK_TRANSFER';
    return isMoney ? this.rates.value.find(({ currency }) => currency === this.currency.value) : undefined;
  }

  get paidIn(): string {
    return this.rate?.currency ?? this.#money.currency;
  }

  get open(): number {
    return this.#money.open(this.window.value);
  }

  get text(): string {
    const { rate } = this;
    if (this.typed.value !== undefined) return this.typed.value;
    if (!rate) return typedAmount(this.open, this.#money.currency);
    return typedAmount(Math.ceil((this.open / rate.rate) * 100) / 100, rate.currency);
  }

  /** A card that only guarantees the stay: possible while the stay waits for one. */
  get mayKeep(): boolean {
    const { status, guarantee } = this.#money.stay;
    return status === 'PENDING' && guarantee === 'CARD' && this.method.value === 'CREDIT_CARD';
  }

  get isGuarantee(): boolean {
    return this.mayKeep && this.keepOnly.value;
  }

  /** What the typed amount comes to in the currency of the stay. */
  get amount(): number | undefined {
    const read = amountOf(this.text, this.paidIn);
    if (!('amount' in read) || read.amount === 0) return undefined;
    return this.rate ? round(read.amount * this.rate.rate) : read.amount;
  }

  /** Cash in another currency may be more: the change is given back. */
  get isTooMuch(): boolean {
    const { amount } = this;
    return amount !== undefined && amount > this.open && !(this.rate && this.method.value === 'CASH');
  }

  get plan(): PaymentPlan | undefined {
    const method = this.method.value;
    const cardToken = this.token.value.trim();
    const isCard = method === 'CREDIT_CARD';
    if (isCard && cardToken === '') return undefined;
    const terminal = method === 'TERMINAL' ? slipOf(this.slip.value) : undefined;
    if (method === 'TERMINAL' && !terminal) return undefined;
    const card = isCard ? { cardToken } : terminal ? { terminal } : {};
    if (this.isGuarantee) return { method, ...card };
    const read = amountOf(this.text, this.paidIn);
    if (!('amount' in read) || read.amount === 0 || this.isTooMuch) return undefined;
    const { rate } = this;
    const window = this.window.value;
    const amount = { amount: read.amount, ...(rate && { currency: rate.currency }) };
    return { method, ...card, ...amount, ...(window !== 'GUEST' && { window }) };
  }

  async send(onDone: () => void): Promise<void> {
    const { api, etag, currency } = this.#money;
    const { plan } = this;
    if (!plan) return;
    const taken = await this.attempt.carryOut(plan, (key) => api.pay(plan, { etag, key }));
    if (!taken) return;
    onDone();
    await this.#money.did(paidText(taken, currency));
  }
}

/** "Take payment": what is open, or a part of it, by any way that the service takes. */
export function PaymentForm({ stayMoney, onBack, onDone }: LevelProps) {
  const form = stayMoney.form('pay', () => new Payment(stayMoney));
  const method = form.method.value;
  const windows = stayMoney.windows();
  useEffect(() => {
    // The payer who owes comes first.
    const owing = windows.find((window) => stayMoney.open(window) > 0);
    if (form.typed.peek() === undefined && form.open === 0 && owing) form.window.value = owing;
  }, [stayMoney.folio.value]);
  const change = (set: () => void): void => {
    batch(set);
    form.attempt.error.value = undefined;
  };
  const isLoaded = stayMoney.folio.value !== undefined;
  const ways = (window: WindowName) => waysToPay(stayMoney.stay, stayMoney.folio.value, window);
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={moneyLevels.pay}
      attempt={form.attempt}
      line={isLoaded ? lineOf(form, stayMoney) : undefined}
      button={
        form.isGuarantee ? words.keepNow : form.amount === undefined ? moneyLevels.pay : words.take(shownAmount(form))
      }
      isReady={isLoaded && form.plan !== undefined}
      onSend={() => void form.send(onDone)}
      onBack={onBack}
    >
      <Deposits stay={stayMoney.stay} />
      <WindowChoice
        stayMoney={stayMoney}
        value={form.window.value}
        onChoose={(window) =>
          change(() => {
            form.window.value = window;
            form.typed.value = undefined;
            if (!ways(window).includes(form.method.peek())) form.method.value = 'CREDIT_CARD';
          })
        }
      />
      <Choice
        legend={words.how}
        name="method"
        value={method}
        options={ways(form.window.value).map((one) => ({ value: one, text: PAY_BY[one] }))}
        onChoose={(chosen) => change(() => (form.method.value = chosen))}
      />
      {method === 'CREDIT_CARD' && <CardFields form={form} stayMoney={stayMoney} onChange={change} />}
      {method === 'TERMINAL' && (
        <TerminalFields slip={form.slip.value} onType={(slip) => change(() => (form.slip.value = slip))} />
      )}
      {(method === 'CASH' || method === 'BANK_TRANSFER') && (
        <CurrencyField form={form} stayMoney={stayMoney} onChange={change} />
      )}
      {!form.isGuarantee && (
        <AmountField
          value={form.text}
          currency={form.paidIn}
          onType={(typed) => change(() => (form.typed.value = typed))}
        />
      )}
    </MoneyForm>
  );
}

type FieldProps = { form: Payment; stayMoney: StayMoney; onChange: (set: () => void) => void };

function CardFields({ form, stayMoney, onChange }: FieldProps) {
  return (
    <>
      <CardTokenFields
        isDevelopment={stayMoney.desk.access.config.development}
        token={form.token.value}
        onToken={(token) => onChange(() => (form.token.value = token))}
      />
      {form.mayKeep && (
        <label class="check">
          <input
            type="checkbox"
            checked={form.keepOnly.value}
            onChange={({ currentTarget: at }) => onChange(() => (form.keepOnly.value = at.checked))}
          />
          {words.keepCard}
        </label>
      )}
    </>
  );
}

/** Another currency, where the property takes one today. */
function CurrencyField({ form, stayMoney, onChange }: FieldProps) {
  if (form.rates.value.length === 0) return null;
  const currencies = [stayMoney.currency, ...form.rates.value.map(({ currency }) => currency)];
  return (
    <label class="short">
      {words.currency}
      <select
        value={form.paidIn}
        onChange={({ currentTarget: at }) =>
          onChange(() => {
            form.currency.value = at.value;
            form.typed.value = undefined;
          })
        }
      >
        {currencies.map((currency) => (
          <option key={currency} value={currency}>
            {currency}
          </option>
        ))}
      </select>
    </label>
  );
}

const shownAmount = (form: Payment): string => {
  const read = amountOf(form.text, form.paidIn);
  return 'amount' in read ? moneyText(read.amount, form.paidIn) : '';
};

function lineOf(form: Payment, stayMoney: StayMoney): string | undefined {
  const { currency } = stayMoney;
  if (form.isGuarantee) return words.keeps;
  if (form.method.value === 'CREDIT_CARD' && form.token.value.trim() === '') return words.noToken;
  if (form.open <= 0) return words.nothingDue;
  if (form.method.value === 'TERMINAL' && !slipOf(form.slip.value)) return words.noSlip;
  const { amount, open, rate } = form;
  if (amount === undefined) return undefined;
  if (form.isTooMuch) return words.more(moneyText(open, currency));
  const how = takenBy(form.method.value);
  const who = windowPayer(stayMoney, form.window.value);
  const read = amountOf(form.text, form.paidIn);
  const counted = rate && 'amount' in read ? `${convertedText(read.amount, rate)}. ` : '';
  const taken = Math.min(amount, open);
  const change = amount > open ? ` ${words.change(moneyText(round(amount - open), currency))}` : '';
  const left = round(open - taken);
  const said = moneyText(taken, currency);
  return (
    counted +
    (left > 0 ? words.will(said, how, who, moneyText(left, currency)) : words.willAll(said, how, who)) +
    change
  );
}
