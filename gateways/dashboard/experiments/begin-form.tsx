import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { noServiceReason } from '../access/messages.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { changeText, experiments as words, treatmentNames } from './messages.ts';
import { type NewExperiment, TREATMENTS } from './new-experiment.ts';

type Props = { form: NewExperiment };
type FieldName = keyof NewExperiment['typed']['value'];

/** The form of a new experiment. */
export function BeginForm({ form }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const { desk } = form;
  const days = form.days.value;
  const last = form.lastDay;
  useEffect(() => element.current?.querySelector<HTMLElement>('input')?.focus(), []);
  return (
    <form
      ref={element}
      class="sheet experiment-form"
      aria-label={words.new}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (noServiceReason(desk.connection.value) === undefined) void form.send();
      }}
    >
      <h2>{words.new}</h2>
      <Text form={form} name="name" label={words.name} maxLength={100} />
      <PlanFields form={form} />
      <DayFields form={form} />
      <p role="status">
        {days !== undefined && words.line(days)} {last !== undefined && words.until(last)}
      </p>
      <div role="alert">{form.error.value !== undefined && <p class="form-error">{form.error.value}</p>}</div>
      <p class="actions">
        <ServiceButton desk={desk} type="submit" class="primary" disabled={form.busy.value}>
          {words.begin}
        </ServiceButton>
        <button type="button" onClick={() => (desk.form.value = undefined)}>
          {words.cancel}
        </button>
        <WhyDisabled desk={desk} />
      </p>
    </form>
  );
}

/** The plan, and what is another on the days on which it is tried. */
function PlanFields({ form }: Props) {
  const { desk } = form;
  const typed = form.typed.value;
  const plan = desk.plans.value.find(({ code }) => code === typed.rateCode);
  return (
    <div class="fields">
      <Field form={form} name="rateCode" label={words.plan}>
        {(said) => (
          <select
            {...said}
            value={typed.rateCode}
            onChange={(event) => form.change({ rateCode: event.currentTarget.value })}
          >
            {desk.plans.value.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field form={form} name="treatment" label={words.treatment}>
        {(said) => (
          <select
            {...said}
            value={typed.treatment}
            onChange={(event) => {
              const chosen = TREATMENTS.find((one) => one === event.currentTarget.value);
              form.change({ treatment: chosen ?? 'PERCENT' });
            }}
          >
            {TREATMENTS.map((one) => (
              <option key={one} value={one}>
                {treatmentNames[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {typed.treatment === 'PERCENT' && (
        <Text
          form={form}
          name="percent"
          label={words.percent}
          inputMode="text"
          hint={plan && words.percentHint(plan.name, changeText(plan.adjustmentPercent))}
        />
      )}
    </div>
  );
}

/** When, and for how long. */
function DayFields({ form }: Props) {
  const typed = form.typed.value;
  return (
    <div class="fields">
      <Field form={form} name="startDate" label={words.startDate} hint={words.startHint}>
        {(said) => (
          <input
            {...said}
            type="date"
            value={typed.startDate}
            onChange={(event) => form.change({ startDate: event.currentTarget.value })}
          />
        )}
      </Field>
      <Text form={form} name="pairs" label={words.pairs} inputMode="numeric" hint={words.pairsHint} />
      <Text form={form} name="blockDays" label={words.blockDays} inputMode="numeric" />
      <Text form={form} name="settleDays" label={words.settleDays} inputMode="numeric" hint={words.settleHint} />
    </div>
  );
}

type FieldProps = Props & { name: FieldName; label: string; hint?: string | undefined };
type Said = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

/** A field with its hint, and what is wrong with it. */
function Field({ form, name, label, hint, children }: FieldProps & { children: (said: Said) => ComponentChildren }) {
  const id = `experiment-${name}`;
  const problem = form.problems.value.get(name);
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div class="experiment-field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="form-error">
          {problem}
        </p>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

type TextProps = FieldProps & { inputMode?: 'numeric' | 'text'; maxLength?: number };

function Text({ form, name, label, hint, inputMode = 'text', maxLength = 12 }: TextProps) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(said) => (
        <input
          {...said}
          type="text"
          inputMode={inputMode}
          maxLength={maxLength}
          autocomplete="off"
          value={form.typed.value[name]}
          onInput={(event) => form.change({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
