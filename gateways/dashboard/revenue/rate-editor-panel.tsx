import type { ComponentChildren } from 'preact';

import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { chosenText, editor as words } from './editor-messages.ts';
import type { Flag } from './rate-editor.ts';
import type { RevenueStore } from './store.ts';

const FLAGS: readonly (readonly [Flag, string])[] = [
  ['closedToArrival', words.closedToArrival],
  ['closedToDeparture', words.closedToDeparture],
  ['stopSell', words.stopSell],
];
/** Monday comes first. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** Rates and restrictions of the chosen nights. */
export function RateEditorPanel({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  const chosen = editor.chosen.value;
  return (
    <section class="sheet rate-editor" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p class="chosen">{chosen ? chosenText(chosen, editor.cells.value.length) : words.none}</p>
        {chosen && chosen.start !== chosen.end ? <Weekdays desk={desk} /> : <small>{words.choose}</small>}
      </div>
      <Rates desk={desk} />
      <Restrictions desk={desk} />
      <Outcome desk={desk} />
    </section>
  );
}

function Weekdays({ desk: { editor } }: { desk: RevenueStore }) {
  return (
    <fieldset class="weekdays">
      <legend>{words.weekdays}</legend>
      {WEEK.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            aria-label={words.weekdayNames[day]}
            checked={editor.weekdays.value.has(day)}
            onChange={() => editor.toggleWeekday(day)}
          />
          <span aria-hidden="true">{words.weekdayNames[day]!.slice(0, 2)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Rates({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  return (
    <div>
      <Field
        label={words.rate(desk.currency.value)}
        value={editor.rateText.value}
        onText={(text) => editor.typeRate(text)}
        onEnter={() => void editor.setRates()}
      >
        <ServiceButton desk={desk} disabled={editor.busy.value} onClick={() => void editor.setRates()}>
          {words.setRate}
        </ServiceButton>
      </Field>
      <Field
        label={words.percent}
        value={editor.percentText.value}
        onText={(text) => editor.typePercent(text)}
        onEnter={() => void editor.setRates()}
      >
        <ServiceButton desk={desk} disabled={editor.busy.value} onClick={() => void editor.setRates()}>
          {words.changePercent}
        </ServiceButton>
      </Field>
    </div>
  );
}

function Restrictions({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  return (
    <div>
      <p class="flags">
        {FLAGS.map(([flag, name]) => {
          const state = editor.stateOf(flag);
          return (
            <ServiceButton
              key={flag}
              desk={desk}
              aria-pressed={state === 'some' ? 'mixed' : state === 'all'}
              disabled={editor.busy.value}
              onClick={() => void editor.toggle(flag, name)}
            >
              {name}
            </ServiceButton>
          );
        })}
      </p>
      <Field
        label={words.minimum}
        value={editor.minimumText.value}
        onText={(text) => (editor.minimumText.value = text)}
        onEnter={() => void editor.setMinimum()}
      >
        <ServiceButton desk={desk} disabled={editor.busy.value} onClick={() => void editor.setMinimum()}>
          {words.minimumStay}
        </ServiceButton>
      </Field>
    </div>
  );
}

type FieldProps = {
  label: string;
  value: string;
  onText: (text: string) => void;
  onEnter: () => void;
  children: ComponentChildren;
};

/** A short text with the button that uses it. */
function Field({ label, value, onText, onEnter, children }: FieldProps) {
  return (
    <p class="field">
      <label>
        <span>{label}</span>
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          maxLength={12}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && onEnter()}
        />
      </label>
      {children}
    </p>
  );
}

/** What would happen, what has happened, or what is wrong: one place, so that nothing moves. */
function Outcome({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  const { preview, error, done } = editor;
  return (
    <div class="outcome">
      {error.value !== undefined && <p role="alert">{error.value}</p>}
      {preview.value && (
        <p role="status">
          {preview.value.moves}
          {preview.value.revenue && (
            <>
              <br />
              {preview.value.revenue}
            </>
          )}
        </p>
      )}
      {done.value && (
        <p role="status">
          {done.value.text}{' '}
          {done.value.undo && (
            <ServiceButton
              desk={desk}
              disabled={editor.busy.value}
              aria-keyshortcuts={words.undoHint}
              onClick={() => void editor.undo()}
            >
              {words.undo}
            </ServiceButton>
          )}
        </p>
      )}
      <WhyDisabled desk={desk} />
    </div>
  );
}
