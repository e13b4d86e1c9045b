import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { incrementOf } from '../../../../src/kernel/rules/money.ts';
import { amountProblem, readAmount, type TypedAmount } from '../../amounts.ts';
import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { MoneyAttempt } from './attempt.ts';
import { formWords as words, payerName } from './messages.ts';
import type { WindowName } from './shapes.ts';
import type { StayMoney } from './stay-money.ts';

/** An amount as it was typed, in the currency of the stay. */
export const amountOf = (typed: string, currency: string): TypedAmount =>
  readAmount(typed, incrementOf(currency) === 1 ? 2 : 0);

/** An amount for a field, as it can be read again. */
export const typedAmount = (amount: number, currency: string): string =>
  amount > 0 ? amount.toFixed(incrementOf(currency) === 1 ? 2 : 0) : '';

type AmountProps = { label?: string; value: string; currency: string; onType: (typed: string) => void };

/** A field for an amount, which says at once when it cannot be read for certain. */
export function AmountField({ label = words.amount, value, currency, onType }: AmountProps) {
  const id = useId();
  const problem = value.trim() === '' ? undefined : amountProblem(value, amountOf(value, currency));
  return (
    <label>
      {label}
      <span class="amount-field">
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          value={value}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : id}
          onInput={(event) => onType(event.currentTarget.value)}
        />
        <span aria-hidden="true">{currency}</span>
      </span>
      {problem !== undefined && (
        <small id={id} class="field-problem">
          {problem}
        </small>
      )}
    </label>
  );
}

/** Who pays; nothing to choose where only the guest does. */
export function WindowChoice({
  stayMoney,
  value,
  onChoose,
}: {
  stayMoney: StayMoney;
  value: WindowName;
  onChoose: (window: WindowName) => void;
}) {
  const windows = stayMoney.windows();
  if (windows.length < 2) return null;
  return (
    <Choice
      legend={words.window}
      name="window"
      options={windows.map((window) => ({ value: window, text: windowPayer(stayMoney, window) }))}
      value={value}
      onChoose={onChoose}
    />
  );
}

export const windowPayer = ({ stay, company }: StayMoney, window: WindowName): string =>
  payerName(window, stay, company.value?.name);

type Option<T extends string> = { value: T; text: string; note?: string };
type ChoiceProps<T extends string> = {
  legend: string;
  name: string;
  options: readonly Option<T>[];
  value: T | undefined;
  onChoose: (value: T) => void;
};

/** One of a few: a click each, and arrow keys. */
export function Choice<T extends string>({ legend, name, options, value, onChoose }: ChoiceProps<T>) {
  const group = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={`${name} ${group}`}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.text}</span>
          {option.note !== undefined && <span class="note">{option.note}</span>}
        </label>
      ))}
    </fieldset>
  );
}

type MoneyFormProps = {
  stayMoney: StayMoney;
  label: string;
  attempt: MoneyAttempt<unknown>;
  /** What it will do, in one line. */
  line: string | undefined;
  button: string;
  isReady: boolean;
  isGrave?: boolean;
  onSend: () => void;
  onBack: () => void;
  children: ComponentChildren;
};

/** A form about money: fields, the line that says what it will do, and the button that does it. */
export function MoneyForm({ stayMoney, label, attempt, line, button, isReady, ...props }: MoneyFormProps) {
  const { desk } = stayMoney;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true });
  }, []);
  const mayDo = isReady && !attempt.busy.value;
  return (
    <form
      data-own-draft
      ref={form}
      class="confirm-form money-form"
      aria-label={label}
      aria-busy={attempt.busy.value}
      onSubmit={(event) => {
        event.preventDefault();
        if (mayDo) props.onSend();
      }}
    >
      {props.children}
      <p class="will" aria-live="polite">
        {line ?? '\u00a0'}
      </p>
      {attempt.busy.value && (
        <p class="muted" role="status">
          {words.underWay}
        </p>
      )}
      {attempt.error.value !== undefined && (
        <p class="form-error" role="alert">
          {attempt.error.value}
        </p>
      )}
      <div class="actions">
        <ServiceButton
          desk={desk}
          type="submit"
          class={props.isGrave ? 'primary grave' : 'primary'}
          disabled={!mayDo}
        >
          {button}
        </ServiceButton>
        <button type="button" onClick={props.onBack}>
          {words.back}
        </button>
        <WhyDisabled desk={desk} />
      </div>
    </form>
  );
}
