import { useId } from 'preact/hooks';

import { amountProblem, readAmount } from '../../amounts.ts';
import { mediumDay } from '../../grid/days.ts';
import { verbWords as words } from './messages.ts';
import type { WholeStay } from './shapes.ts';
import type { PricedType } from './upgrade-types.ts';
import type { Field } from './verbs.ts';

type InputProps = {
  field: Field;
  stay: WholeStay;
  /** Absent until they are read. */
  types: readonly PricedType[] | undefined;
  value: string;
  put: (value: string) => void;
};

/** A field of a verb. */
export function FieldInput({ field: { kind, label }, stay, types, value, put }: InputProps) {
  const id = useId();
  const isTyped = kind === 'amount' && value.trim() !== '';
  const problem = isTyped ? amountProblem(value, readAmount(value), true) : undefined;
  switch (kind) {
    case 'check':
      return (
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'yes'}
            onChange={(event) => put(event.currentTarget.checked ? 'yes' : '')}
          />
          {label}
        </label>
      );
    case 'type':
      return <TypeInput label={label} types={types} value={value} put={put} />;
    case 'night':
      return (
        <label>
          {label}
          <select value={value} onChange={(event) => put(event.currentTarget.value)}>
            <option value="">{words.allNights}</option>
            {stay.financial.breakdown
              .filter(({ compedRate }) => compedRate === undefined)
              .map(({ date }) => (
                <option key={date} value={date}>
                  {mediumDay(date)}
                </option>
              ))}
          </select>
        </label>
      );
    case 'amount':
    case 'text':
      return (
        <label>
          {label}
          <input
            {...(kind === 'amount' ? { inputMode: 'decimal', class: 'amount' } : { maxLength: 500 })}
            value={value}
            autocomplete="off"
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : id}
            onInput={(event) => put(event.currentTarget.value)}
          />
          {problem !== undefined && (
            <small id={id} class="form-error">
              {problem}
            </small>
          )}
        </label>
      );
  }
}

type TypeProps = { label: string } & Pick<InputProps, 'types' | 'value' | 'put'>;

function TypeInput({ label, types, value, put }: TypeProps) {
  if (types?.length === 0)
    return (
      <p class="muted" role="status">
        {words.noBetterType}
      </p>
    );
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => put(event.currentTarget.value)}>
        <option value="" disabled>
          {words.chooseType}
        </option>
        {types?.map(({ roomType, text }) => (
          <option key={roomType} value={roomType}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
