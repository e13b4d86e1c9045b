import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { exportedNote, shiftNoteAnswer, noteAnswer } from '../../../../src/stay/contracts/desk-notes.ts';
import type { DeskNote } from '../../../../src/stay/rules/desk-note.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** Who reads, and the names of users. */
type Reader = { caller: Pick<Caller, 'subject' | 'role'>; names: ReadonlyMap<string, string> };

/** What every note has, whatever it is about. */
type AnyNote = Pick<DeskNote, 'noteId' | 'text' | 'by' | 'at'>;

/** A note in the export of a guest. */
export function renderExportedNote({ noteId, text, by, at }: AnyNote): AnswerOf<typeof exportedNote> {
  return { noteId, text, by, at };
}

/** A note about a stay or a guest. */
export function renderNote(note: AnyNote, { caller, names }: Reader): AnswerOf<typeof noteAnswer> {
  const mayDelete = note.by === caller.subject || may(caller, 'note.remove-any');
  return { ...renderExportedNote(note), byName: names.get(note.by) ?? null, mayDelete };
}

/** A note to the next shift. */
export function renderShiftNote(note: DeskNote, reader: Reader): AnswerOf<typeof shiftNoteAnswer> {
  const { businessDate, done } = note;
  const { by: doneBy = null, at: doneAt = null } = done ?? {};
  const doneByName = reader.names.get(doneBy ?? '') ?? null;
  return { ...renderNote(note, reader), businessDate, doneBy, doneByName, doneAt };
}
