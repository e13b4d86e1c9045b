import type { TargetedInputEvent } from 'preact';

import { type FormField, isYes, listIn } from './fields.ts';
import { form as words } from './messages.ts';
import type { SectionForm } from './section-form.ts';

/** What fields are typed into. */
export type TypedForm = Pick<SectionForm, 'values' | 'problems' | 'row' | 'change' | 'fields'>;

type Props = { form: TypedForm; field: FormField };
/** What a screen reader reads with an input. */
type Described = { 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };
type InputProps = Props & { id: string; value: string; said: Described };

const INPUT_MODES: Partial<Record<FormField['type'], 'numeric' | 'decimal'>> = {
  whole: 'numeric',
  decimal: 'decimal',
  amount: 'decimal',
};

/** One field with its hint, and what is wrong with it. */
export function FormFieldInput({ form, field }: Props) {
  const id = `admin-${field.name.replaceAll('/', '-')}`;
  const value = form.values.value[field.name] ?? '';
  const problem = form.problems.value.get(field.name);
  const hint = typeof field.hint === 'function' ? field.hint(value, form.values.value) : field.hint;
  const described = [hint && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean).join(' ');
  const said: Described = {
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': described === '' ? undefined : described,
  };
  return (
    <div class="admin-field" data-type={field.type}>
      {field.type === 'choices' ? (
        <Choices form={form} field={field} id={id} value={value} said={said} />
      ) : (
        <>
          <label for={id}>{field.label}</label>
          <Input form={form} field={field} id={id} value={value} said={said} />
        </>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="admin-problem">
          {problem}
        </p>
      )}
      {hint !== undefined && hint !== '' && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

function Input({ form, field, id, value, said }: InputProps) {
  const { name, type, required, options = [], maxLength, isFixed } = field;
  const isLocked = isFixed === true && form.row !== undefined;
  const change = (text: string): void => form.change(name, text);
  if (type === 'flag')
    return (
      <input
        {...said}
        id={id}
        type="checkbox"
        checked={isYes(value)}
        disabled={isLocked}
        onChange={(event) => change(event.currentTarget.checked ? 'yes' : '')}
      />
    );
  if (type === 'choice')
    return (
      <select
        {...said}
        id={id}
        value={value}
        disabled={isLocked}
        onChange={(event) => change(event.currentTarget.value)}
      >
        {(required !== true || value === '') && <option value="">{required ? words.choose : words.none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    );
  const text = {
    ...said,
    id,
    value,
    maxLength,
    required,
    disabled: isLocked,
    autocomplete: 'off',
    spellcheck: false,
  };
  if (type === 'lines') return <textarea {...text} rows={3} onInput={(event) => change(event.currentTarget.value)} />;
  const typed = {
    ...text,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => change(event.currentTarget.value),
  };
  if (type === 'date' || type === 'time') return <input {...typed} type={type} />;
  if (type === 'email') return <input {...typed} type="email" />;
  return <input {...typed} type="text" inputMode={INPUT_MODES[type]} />;
}

/** Several of some options, as boxes to tick. */
function Choices({ form, field, id, value, said }: InputProps) {
  const chosen = listIn(value);
  const toggle = (code: string): void =>
    form.change(
      field.name,
      (field.options ?? [])
        .map((option) => option.value)
        .filter((one) => (one === code ? !chosen.includes(one) : chosen.includes(one)))
        .join(', '),
    );
  return (
    <div role="group" aria-labelledby={`${id}-label`} {...said} class="admin-choices">
      <span id={`${id}-label`}>{field.label}</span>
      {(field.options ?? []).map((option) => (
        <label key={option.value}>
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.text}
        </label>
      ))}
    </div>
  );
}
