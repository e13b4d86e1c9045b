import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { NoteId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/stay/contracts/desk-notes.ts';
import {
  noteNames,
  removeNote,
  setNoteDone,
  shiftNotes,
  writeNote,
} from '../../../src/stay/operations/desk-notes.ts';
import { may } from '../../auth/permissions.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';
import { renderShiftNote } from './render/desk-note.ts';

/** Notes to the next shift of a property (docs/reference/desk.md#shift-notes). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/shift-notes')
export class ShiftNotes {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Notes of a business date, and earlier ones that are not done; oldest first. */
  @Get()
  @Answers(contract.shiftNoteListAnswer)
  @Needs('desk.read', 'List the shift notes')
  async list(
    @ThePropertyRead() { caller, to, response }: PropertyRead,
    @Query({ schema: contract.shiftNotesQuery }) { date }: contract.ShiftNotesQuery,
  ) {
    const notes = await response.db(shiftNotes(this.services, to, date));
    const names = await noteNames(this.services, caller, notes);
    return response.list(
      notes.map((note) => renderShiftNote(note, { caller, names })),
      undefined,
    );
  }

  /** Writes a note to the next shift. */
  @Post()
  @Answers(contract.shiftNoteAnswer, 201)
  @Needs('note.write', 'Write a shift note')
  async write(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: contract.noteBody }) { text }: contract.NoteBody,
  ) {
    const { note } = await response.actor(writeNote(this.services, caller, { to }, text, key));
    return renderShiftNote(note, { caller, names: await noteNames(this.services, caller, [note]) });
  }

  /** Marks a note done, or takes that back. */
  @Put(':noteId')
  @Answers(contract.shiftNoteAnswer)
  @Needs('note.write', 'Mark a shift note done')
  async done(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('noteId') noteId: NoteId,
    @Body({ schema: contract.noteDoneBody }) { done }: contract.NoteDoneBody,
  ) {
    const { note } = await response.actor(setNoteDone(this.services, caller, { to, noteId, done }, key));
    return renderShiftNote(note, { caller, names: await noteNames(this.services, caller, [note]) });
  }

  /** Deletes an own note; a MANAGER any. */
  @Delete(':noteId')
  @Answers(removed)
  @Needs('note.write', 'Delete a shift note')
  async remove(@ThePropertyWrite() { caller, to, key, response }: PropertyWrite, @Param('noteId') noteId: NoteId) {
    const mayRemoveAny = may(caller, 'note.remove-any');
    await response.actor(removeNote(this.services, caller, { to, noteId }, { key, mayRemoveAny }));
    return { id: noteId, status: 'REMOVED' as const };
  }
}
