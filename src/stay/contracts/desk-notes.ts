import { z } from 'zod';

import { at, dayField, idField, listOf } from '../../kernel/contracts/answers.ts';
import { date, notes } from '../../kernel/contracts/fields.ts';
import { MAX_NOTE_CHARACTERS } from '../rules/desk-note.ts';

/** Bodies, queries and answers of notes (docs/reference/desk.md#notes). */

export const noteBody = z.strictObject({ text: notes(MAX_NOTE_CHARACTERS) });
export type NoteBody = z.infer<typeof noteBody>;

export const noteDoneBody = z.strictObject({ done: z.boolean() });
export type NoteDoneBody = z.infer<typeof noteDoneBody>;

export const shiftNotesQuery = z.object({
  date: date.optional().describe('A business date; the current one where absent.'),
});
export type ShiftNotesQuery = z.infer<typeof shiftNotesQuery>;

const noteFields = {
  noteId: idField,
  text: z.string(),
  by: z.string().describe('The user who wrote it.'),
  at,
};

/** A note in the export of a guest. */
export const exportedNote = z.object(noteFields);

const byName = z.string().nullable().describe('The name of that user, where one is known.');
const mayDelete = z.boolean().describe('Whether the caller may delete it.');

export const noteAnswer = z.object({ ...noteFields, byName, mayDelete });
export const noteListAnswer = listOf(noteAnswer);

export const shiftNoteAnswer = z.object({
  ...noteFields,
  businessDate: dayField,
  doneBy: z.string().nullable(),
  doneByName: z.string().nullable(),
  doneAt: at.nullable(),
  byName,
  mayDelete,
});
export const shiftNoteListAnswer = listOf(shiftNoteAnswer);
