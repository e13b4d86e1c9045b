import { CompanyField } from '../properties/company-field.tsx';
import { ContactFields } from './group-fields.tsx';
import { cancelMessages, guaranteeMessages, newGroup as words } from './messages.ts';
import type { FormProps } from './new-group-panel.tsx';

const MAX_SHOULDER_NIGHTS = 7;

/** What the group has agreed on, and who speaks for it. */
export function TermsFields({ state }: FormProps) {
  const form = state.form.value;
  return (
    <details>
      <summary>{words.terms}</summary>
      <Choice
        label={words.guarantee}
        value={form.guarantee}
        options={guaranteeMessages}
        on={(guarantee) => state.change({ guarantee })}
      />
      {form.guarantee === 'COMPANY' && (
        <CompanyField
          companies={state.companies.value}
          companyId={form.companyId}
          onChoose={(companyId) => state.change({ companyId })}
        />
      )}
      <Choice
        label={words.cancellation}
        value={form.cancellation}
        options={cancelMessages}
        on={(cancellation) => state.change({ cancellation })}
      />
      <div class="fields">
        <Shoulder label={words.before} value={form.before} on={(before) => state.change({ before })} />
        <Shoulder label={words.after} value={form.after} on={(after) => state.change({ after })} />
      </div>
      <ContactFields contact={form.contact} on={(contact) => state.change({ contact })} />
    </details>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  options: Readonly<Record<T, string>>;
  on: (value: T) => void;
};

function Choice<T extends string>({ label, value, options, on }: ChoiceProps<T>) {
  const all = Object.entries(options) as [T, string][];
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={(event) => {
          const chosen = all.find(([one]) => one === event.currentTarget.value);
          if (chosen) on(chosen[0]);
        }}
      >
        {all.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Shoulder({ label, value, on }: { label: string; value: number; on: (nights: number) => void }) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => on(Number(event.currentTarget.value))}>
        {Array.from({ length: MAX_SHOULDER_NIGHTS + 1 }, (_, nights) => (
          <option key={nights} value={nights}>
            {nights}
          </option>
        ))}
      </select>
    </label>
  );
}
