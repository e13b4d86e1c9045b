import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { ServiceButton } from '../../service-button.tsx';
import { JumpCheck } from '../jump-check.tsx';
import type { PriceJump } from '../price-jump.ts';
import type { RevenueStore } from '../store.ts';

type FormProps = {
  desk: RevenueStore;
  label: string;
  words: { save: string; cancel: string };
  /** What saving would do, or what is wrong. */
  line: { text: string; isWrong: boolean };
  isReady?: boolean;
  /** A price moves by so much that saving needs a yes. */
  jump?: PriceJump | undefined;
  onSave: () => void;
  onClose: () => void;
  children: ComponentChildren;
};

/** A short form in the panel of a night: Enter saves, Escape closes. */
export function NoteForm({ desk, label, words, line, isReady = true, jump, onSave, onClose, children }: FormProps) {
  const agreedTo = useSignal<string | undefined>(undefined);
  const isAgreed = jump === undefined || jump.text === agreedTo.value;
  return (
    <form
      class="note-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (isAgreed) onSave();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {children}
      {jump && (
        <JumpCheck
          jump={jump}
          isAgreed={isAgreed}
          onAgree={(yes) => (agreedTo.value = yes ? jump.text : undefined)}
        />
      )}
      <p class="actions">
        <ServiceButton
          desk={desk}
          type="submit"
          class="primary"
          disabled={desk.changes.busy.value || !isReady || !isAgreed}
        >
          {words.save}
        </ServiceButton>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </p>
      <p class="preview" role={line.isWrong ? 'alert' : 'status'}>
        {line.text}
      </p>
    </form>
  );
}

type FieldProps = {
  label: string;
  value: string;
  onText: (text: string) => void;
  kind?: 'text' | 'decimal' | 'date';
  maxLength?: number;
  /** Earliest day of a date. */
  min?: string;
  isFirst?: boolean;
  isWide?: boolean;
};

/** A text, an amount or a day; the first of a form has the focus when it opens. */
export function NoteField({ label, value, onText, kind = 'text', maxLength = 12, min, isFirst, isWide }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.focus();
  }, []);
  const shared = { ref: input, autocomplete: 'off', value } as const;
  const hear = (event: TargetedInputEvent<HTMLInputElement>): void => onText(event.currentTarget.value);
  return (
    <label class={isWide ? 'wide' : undefined}>
      {label}
      {kind === 'date' ? (
        <input {...shared} type="date" min={min} onInput={hear} />
      ) : (
        <input {...shared} type="text" inputMode={kind} maxLength={maxLength} onInput={hear} />
      )}
    </label>
  );
}
