import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { momentText } from '../../grid/days.ts';
import { returns } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import { whoText } from '../../who.ts';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { sectionWords as words } from './messages.ts';
import { useNewest } from './newest.ts';
import { StaffNoteForm } from './note-form.tsx';
import type { Note } from './shapes.ts';

/** Notes of staff about a stay; other desks see a new one at once. */
export function Notes({ desk, reservationId }: { desk: FrontDesk; reservationId: string }) {
  const notes = useSignal<readonly Note[] | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  /** The note that goes with a second press. */
  const going = useSignal<string | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const path = `/api/v1/reservations/${reservationId}/notes`;
  const newest = useNewest();
  const load = async (): Promise<void> => {
    const isNewest = newest.begin();
    try {
      const { items } = (await desk.api.call(path)).body as { items: Note[] };
      if (!isNewest()) return;
      notes.value = items;
      error.value = undefined;
    } catch (failure) {
      if (isNewest()) error.value = errorText(failure);
    }
  };
  const changes = desk.noteChanges.value;
  useEffect(() => void load(), [changes, returns.value]);
  const remove = async ({ noteId }: Note): Promise<void> => {
    try {
      await desk.api.call(`${path}/${noteId}`, { method: 'DELETE', body: {} });
      going.value = undefined;
      // The button that has the focus goes with the note.
      heading.current?.focus();
      desk.say(words.noteDeleted);
      await load();
    } catch (failure) {
      error.value = errorText(failure);
    }
  };
  return (
    <section class="stay-section" aria-labelledby="stay-notes">
      <h3 id="stay-notes" ref={heading} tabIndex={-1}>
        {words.notes}
      </h3>
      {notes.value?.length === 0 && <p class="muted">{words.noNotes}</p>}
      <ul class="note-list">
        {notes.value?.map((note) => (
          <NoteItem key={note.noteId} desk={desk} note={note} going={going} onDelete={() => void remove(note)} />
        ))}
      </ul>
      {error.value && <p class="form-error">{error.value}</p>}
      <StaffNoteForm
        desk={desk}
        id={`note ${reservationId}`}
        label={words.noteLabel}
        button={words.addNote}
        save={async (text, key) => {
          await desk.api.call(path, { method: 'POST', body: { text }, key });
          desk.say(words.noteSaved);
          await load();
        }}
      />
    </section>
  );
}

type ItemProps = { desk: FrontDesk; note: Note; going: Signal<string | undefined>; onDelete: () => void };

/** A note; what a delete does is said before it is done, since nothing brings a note back. */
function NoteItem({ desk, note: { noteId, text, by, byName, at, mayDelete }, going, onDelete }: ItemProps) {
  const who = whoText(by, byName);
  const isGoing = mayDelete && going.value === noteId;
  return (
    <li>
      <p class="note-text">{text}</p>
      <small>
        {who}, {momentText(at)}
      </small>
      {mayDelete && (
        <ServiceButton
          desk={desk}
          class="quiet"
          aria-label={words.deleteNote(who)}
          aria-expanded={isGoing}
          onClick={() => (going.value = isGoing ? undefined : noteId)}
        >
          ×
        </ServiceButton>
      )}
      {isGoing && (
        <div class="actions">
          <small role="status">{words.deletesNote}</small>
          <ServiceButton desk={desk} class="grave" onClick={onDelete}>
            {words.deleteNow}
          </ServiceButton>
          <button type="button" onClick={() => (going.value = undefined)}>
            {words.keepNote}
          </button>
        </div>
      )}
    </li>
  );
}
