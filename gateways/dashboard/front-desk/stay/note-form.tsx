import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import { MAX_NOTE_CHARACTERS } from '../../../../src/stay/rules/desk-note.ts';
import { draftFor, type DraftOf, dropDraft, saveDraft } from '../../access/draft.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';

type Props = {
  desk: FrontDesk;
  /** Of what is typed, which stays while other panels are opened. */
  id: string;
  label: string;
  button: string;
  save: (text: string, key: string) => Promise<void>;
};

/**
 * A field for a note, and the button that saves it; with an empty field the button leads to it. A repeat after a lost
 * answer has the same key, so the note is written once.
 */
export function StaffNoteForm({ desk, id, label, button, save }: Props) {
  const draft: DraftOf = { name: id, user: desk.user, propertyId: desk.property.value?.propertyId ?? '' };
  const text = useSignal(useMemo(() => (draftFor(draft) as string | undefined) ?? '', []));
  const key = useRef(randomKey());
  const isSaving = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const type = (typed: string): void => {
    text.value = typed;
    // Another text is another note.
    key.current = randomKey();
    if (typed === '') dropDraft(draft.name);
    else saveDraft(draft, typed);
  };
  const submit = async (): Promise<void> => {
    if (text.peek().trim() === '') return field.current?.focus();
    if (isSaving.peek()) return;
    isSaving.value = true;
    error.value = undefined;
    try {
      await save(text.peek(), key.current);
      type('');
    } catch (failure) {
      error.value = errorText(failure);
    } finally {
      isSaving.value = false;
    }
  };
  return (
    <form
      data-own-draft
      class="staff-note"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        {label}
        <textarea
          ref={field}
          rows={2}
          maxLength={MAX_NOTE_CHARACTERS}
          value={text.value}
          readOnly={isSaving.value}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void submit();
          }}
        />
      </label>
      {error.value && <p class="form-error">{error.value}</p>}
      <ServiceButton desk={desk} type="submit" aria-busy={isSaving.value || undefined}>
        {button}
      </ServiceButton>
    </form>
  );
}
