import type { NoteId, ReservationId } from '../ids.ts';

/**
 * Commands of notes (docs/reference/desk.md#notes). The texts are personal data and stand in a table of their own, so
 * that an erasure reaches them; the journal, and with it dashboards and audit trail, has who did what with which note.
 */
export type NoteCommands = {
  RECORD_NOTE: {
    command: {
      noteId: NoteId;
      /** The stay that it is about, which does not change; absent for a shift note. */
      ofStay?: ReservationId;
      what: NoteDeed;
    };
    result: { noteId: NoteId };
  };
};

/** A check-in online is none of the notes of staff; it stands beside them, and its stay is its id. */
export type NoteDeed = 'WRITTEN' | 'DONE' | 'REOPENED' | 'REMOVED' | 'CHECKED_IN_ONLINE';
