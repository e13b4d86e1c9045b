import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import { MAX_NOTE_CHARACTERS } from '../../../src/stay/rules/desk-note.ts';
import { ServiceButton } from '../service-button.tsx';
import { whoText } from '../who.ts';
import type { GuestsStore } from './guests.ts';
import { timeOf, guests as words } from './messages.ts';

type Props = { guests: GuestsStore };

/** Texts that are typed and not saved yet, by guest, until the page is left. */
const drafts = new Map<string, string>();

/** Notes of staff about the guest, of merged profiles too, with a field for one more. */
export function GuestNotesView({ guests }: Props) {
  const notes = guests.notes.value!;
  return (
    <section class="guest-notes" aria-labelledby="guest-notes-title">
      <h2 id="guest-notes-title">{words.notes}</h2>
      {notes.length === 0 && <p class="muted">{words.noNotes}</p>}
      <ul>
        {notes.map((note) => (
          <li key={note.noteId}>
            <p>{note.text}</p>
            <small>
              {whoText(note.by, note.byName)}, {timeOf(note.at)}
            </small>
            {note.mayDelete && (
              <ServiceButton
                desk={guests}
                aria-label={words.deleteNote(whoText(note.by, note.byName))}
                disabled={guests.busy.value}
                onClick={() => void guests.removeNote(note.noteId)}
              >
                {words.remove}
              </ServiceButton>
            )}
          </li>
        ))}
      </ul>
      <NoteField guests={guests} />
    </section>
  );
}

/** With an empty field the button leads to it. A repeat after a lost answer has the same key. */
function NoteField({ guests }: Props) {
  const id = guests.guestId.value!;
  const text = useSignal(drafts.get(id) ?? '');
  const key = useRef(randomKey());
  const field = useRef<HTMLTextAreaElement>(null);
  const type = (typed: string): void => {
    text.value = typed;
    key.current = randomKey();
    drafts.set(id, typed);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (text.peek().trim() === '') return field.current?.focus();
    if (await guests.addNote(text.peek(), key.current)) type('');
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        {words.noteLabel}
        <textarea
          ref={field}
          rows={2}
          maxLength={MAX_NOTE_CHARACTERS}
          value={text.value}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <ServiceButton desk={guests} type="submit" disabled={guests.busy.value}>
        {words.addNote}
      </ServiceButton>
    </form>
  );
}
