import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { moneyText } from '../../messages.ts';
import { errorText } from '../problem-messages.ts';
import { MoneyAttempt } from './attempt.ts';
import { AmountField, amountOf, Choice, MoneyForm, windowPayer, WindowChoice } from './form-parts.tsx';
import { chargeWords as words } from './messages.ts';
import { moneyLevels } from './section-messages.ts';
import type { ChargePlan, ExtraView, PostingView, WindowName } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';

/** The choice of something that is not in the price list. */
const OTHER = 'OTHER';

/** What somebody is about to post. */
class Charge {
  readonly extras = signal<readonly ExtraView[] | undefined>(undefined);
  readonly failed = signal<string | undefined>(undefined);
  readonly code = signal<string | undefined>(undefined);
  readonly description = signal('');
  readonly amount = signal('');
  readonly quantity = signal(1);
  /** Absent: as the folio is routed. */
  readonly window = signal<WindowName | undefined>(undefined);
  readonly attempt: MoneyAttempt<PostingView>;
  readonly #money: StayMoney;

  constructor(stayMoney: StayMoney) {
    this.#money = stayMoney;
    this.attempt = new MoneyAttempt(stayMoney.again);
    const { code, description, amount, quantity, window } = this;
    stayMoney.keep('charge', { code, description, amount, quantity, window });
    void this.#list();
  }

  /** What would be sent; absent while something is missing. */
  get plan(): ChargePlan | undefined {
    const code = this.code.value;
    const window = this.window.value;
    const rest = { quantity: this.quantity.value, ...(window && { window }) };
    if (code === undefined) return undefined;
    if (code !== OTHER) return { ...rest, extraCode: code };
    const read = amountOf(this.amount.value, this.#money.currency);
    const description = this.description.value.trim();
    if (description === '' || !('amount' in read) || read.amount === 0) return undefined;
    return { ...rest, description, unitAmount: read.amount };
  }

  change(set: () => void): void {
    batch(set);
    this.attempt.error.value = undefined;
    this.renew();
  }

  /** Repeats the dry run: something was typed, or the stay has changed. */
  renew(): void {
    const { api, etag } = this.#money;
    const { plan } = this;
    this.attempt.tryOut(plan && (() => api.post(plan, { etag, dryRun: true })), this.code.peek() === OTHER ? 250 : 0);
  }

  async send(onDone: () => void): Promise<void> {
    const { api, etag, currency } = this.#money;
    const { plan } = this;
    if (!plan) return;
    const posted = await this.attempt.carryOut(plan, (key) => api.post(plan, { etag, key }));
    if (!posted) return;
    onDone();
    await this.#money.did(words.posted(posted, currency));
  }

  async #list(): Promise<void> {
    try {
      this.extras.value = await this.#money.api.extras();
    } catch (error) {
      this.failed.value = errorText(error);
    }
  }
}

/** "Post charge": an extra of the price list with two clicks, or anything else with a price. */
export function ChargeForm({ stayMoney, onBack, onDone }: LevelProps) {
  const form = stayMoney.form('charge', () => new Charge(stayMoney));
  const isIn = stayMoney.stay.status === 'CHECKED_IN';
  const extras = form.extras.value ?? [];
  const { currency } = stayMoney;
  const preview = form.attempt.preview.value;
  useEffect(() => form.renew(), [stayMoney.read.value.etag]);
  useEffect(() => {
    // The price list of a property without extras is empty: what else there is can be typed at once.
    if (isIn && form.extras.value?.length === 0 && form.code.peek() === undefined) form.code.value = OTHER;
  }, [isIn, form.extras.value]);
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={moneyLevels.charge}
      attempt={form.attempt}
      line={preview ? words.will(preview, windowPayer(stayMoney, preview.window), currency) : words.choose}
      button={preview ? words.post(moneyText(preview.amount, currency)) : words.postNow}
      isReady={preview !== undefined}
      onSend={() => void form.send(onDone)}
      onBack={onBack}
    >
      {form.failed.value !== undefined && <p class="form-error">{form.failed.value}</p>}
      {form.extras.value?.length === 0 && <p class="muted">{words.noExtras}</p>}
      {!isIn && <p class="muted">{words.onlyExtras}</p>}
      <Choice
        legend={words.extras}
        name="extra"
        value={form.code.value}
        options={[
          ...extras.map(({ code, name, grossPrice }) => ({
            value: code,
            text: name,
            note: moneyText(grossPrice, currency),
          })),
          ...(isIn ? [{ value: OTHER, text: words.other }] : []),
        ]}
        onChoose={(code) => form.change(() => (form.code.value = code))}
      />
      {form.code.value === OTHER && <OtherFields form={form} currency={currency} />}
      <label class="short">
        {words.quantity}
        <input
          type="number"
          min={1}
          max={99}
          step={1}
          required
          value={form.quantity.value}
          onInput={({ currentTarget: at }) => {
            if (at.checkValidity() && at.value !== '') form.change(() => (form.quantity.value = Number(at.value)));
          }}
        />
      </label>
      <WindowChoice
        stayMoney={stayMoney}
        value={form.window.value ?? 'GUEST'}
        onChoose={(window) => form.change(() => (form.window.value = window))}
      />
    </MoneyForm>
  );
}

function OtherFields({ form, currency }: { form: Charge; currency: string }) {
  return (
    <>
      <label>
        {words.description}
        <input
          type="text"
          maxLength={200}
          value={form.description.value}
          onInput={({ currentTarget: at }) => form.change(() => (form.description.value = at.value))}
        />
      </label>
      <AmountField
        value={form.amount.value}
        currency={currency}
        onType={(typed) => form.change(() => (form.amount.value = typed))}
      />
    </>
  );
}
