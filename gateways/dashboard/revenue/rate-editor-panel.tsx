import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { weekOrder } from '../grid/week.ts';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { chosenText, editor as words, willText } from './editor-messages.ts';
import { JumpCheck } from './jump-check.tsx';
import type { Flag } from './rate-editor.ts';
import type { RevenueStore } from './store.ts';

const FLAGS: readonly (readonly [Flag, string])[] = [
  ['closedToArrival', words.closedToArrival],
  ['closedToDeparture', words.closedToDeparture],
  ['stopSell', words.stopSell],
];

/** Rates and restrictions of the chosen nights. */
export function RateEditorPanel({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  const chosen = editor.chosen.value;
  return (
    <section class="sheet rate-editor" aria-label={words.title} data-form>
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
      {weekOrder.value.map((day) => (
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
        <ServiceButton
          desk={desk}
          disabled={editor.busy.value || !editor.isAgreed.value}
          onClick={() => void editor.setRates()}
        >
          {words.setRate}
        </ServiceButton>
      </Field>
      <Field
        label={words.percent}
        value={editor.percentText.value}
        onText={(text) => editor.typePercent(text)}
        onEnter={() => void editor.setRates()}
      >
        <ServiceButton
          desk={desk}
          disabled={editor.busy.value || !editor.isAgreed.value}
          onClick={() => void editor.setRates()}
        >
          {words.changePercent}
        </ServiceButton>
      </Field>
    </div>
  );
}

function Restrictions({ desk }: { desk: RevenueStore }) {
  const { editor } = desk;
  const near = useSignal<Flag | undefined>(undefined);
  const nights = editor.cells.value.length;
  const hint = FLAGS.find(([flag]) => flag === near.value);
  return (
    <div>
      <p class="flags" onPointerLeave={() => (near.value = undefined)}>
        {FLAGS.map(([flag, name]) => {
          const state = editor.stateOf(flag);
          const come = (): void => void (near.value = flag);
          return (
            <ServiceButton
              key={flag}
              desk={desk}
              aria-pressed={state === 'some' ? 'mixed' : state === 'all'}
              disabled={editor.busy.value}
              aria-describedby={near.value === flag ? 'restriction-hint' : undefined}
              onPointerEnter={come}
              onFocus={come}
              onBlur={() => (near.value = undefined)}
              onClick={() => void editor.toggle(flag, name)}
            >
              {name}
            </ServiceButton>
          );
        })}
      </p>
      <small class="hint" id="restriction-hint">
        {hint && nights > 0 ? willText(hint[1], editor.stateOf(hint[0]) !== 'all', nights) : '\u00a0'}
      </small>
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
  const { preview, error, done, jump } = editor;
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
      {jump.value && (
        <JumpCheck
          jump={jump.value}
          isAgreed={editor.isAgreed.value}
          onAgree={(isAgreed) => (editor.agreedTo.value = isAgreed ? jump.peek()?.text : undefined)}
        />
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
