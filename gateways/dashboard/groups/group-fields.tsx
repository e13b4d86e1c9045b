import { amountProblem, readAmount } from '../amounts.ts';
import { newGroup as words } from './messages.ts';

/** Fields of the forms of a group, new or there. */

type Contact = { firstName: string; lastName: string; email: string };

export function NameField({ value, on }: { value: string; on: (name: string) => void }) {
  return (
    <label class="field">
      {words.name}
      <input
        type="text"
        name="name"
        required
        maxLength={100}
        autocomplete="off"
        value={value}
        onInput={(event) => on(event.currentTarget.value)}
      />
    </label>
  );
}

type DateProps = { label: string; value: string; min: string; max?: string; on: (date: string) => void };

export function DateField({ label, value, min, max, on }: DateProps) {
  return (
    <label class="field">
      {label}
      <input
        type="date"
        required
        min={min}
        max={max}
        value={value}
        onChange={(event) => event.currentTarget.value !== '' && on(event.currentTarget.value)}
      />
    </label>
  );
}

type FieldProps = { label: string; value: string; on: (text: string) => void };

export function NumberField({ label, value, min = '1', on }: FieldProps & { min?: string }) {
  return (
    <input
      type="number"
      inputMode="numeric"
      aria-label={label}
      min={min}
      max="10000"
      value={value}
      onInput={(event) => on(event.currentTarget.value)}
    />
  );
}

/** A number field would take 120,50 for 12050. */
export function RateField({ label, value, required, on }: FieldProps & { required: boolean }) {
  const problem = value.trim() === '' ? undefined : amountProblem(value, readAmount(value));
  return (
    <>
      <input
        ref={(field) => field?.setCustomValidity(problem ?? '')}
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        required={required}
        value={value}
        onInput={(event) => on(event.currentTarget.value)}
      />
      {problem !== undefined && <small class="form-error">{problem}</small>}
    </>
  );
}

export function ContactFields({ contact, on }: { contact: Contact; on: (contact: Contact) => void }) {
  const isNeeded = Object.values(contact).some((text) => text !== '');
  const field = (name: keyof Contact, label: string) => {
    const input = {
      required: isNeeded,
      maxLength: name === 'email' ? 254 : 100,
      autocomplete: 'off',
      value: contact[name],
      onInput: (event: { currentTarget: HTMLInputElement }) => on({ ...contact, [name]: event.currentTarget.value }),
    };
    return (
      <label class="field">
        {label}
        {name === 'email' ? <input type="email" {...input} /> : <input type="text" {...input} />}
      </label>
    );
  };
  return (
    <>
      <div class="fields">
        {field('firstName', words.contactFirst)}
        {field('lastName', words.contactLast)}
      </div>
      {field('email', words.contactEmail)}
      <small>{words.contactHint}</small>
    </>
  );
}
