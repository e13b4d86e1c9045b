import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import { addressOf } from '../../../src/kernel/operations/reservation-address.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { NoteId, ReservationId } from '../../../src/kernel/rules/ids.ts';
import { stayMessageAnswer, stayMessageListAnswer } from '../../../src/notifications/contracts/stay-messages.ts';
import { messagesOfStay, sendMessageAgain } from '../../../src/notifications/operations/stay-messages.ts';
import { noteAnswer, type NoteBody, noteBody, noteListAnswer } from '../../../src/stay/contracts/desk-notes.ts';
import { type UndoCheckInBody, undoCheckInBody } from '../../../src/stay/contracts/reservations.ts';
import { checkInUndoneAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { noteNames, notesOfStay, removeNote, writeNote } from '../../../src/stay/operations/desk-notes.ts';
import { undoCheckIn } from '../../../src/stay/operations/undo-check-in.ts';
import { may } from '../../auth/permissions.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { renderNote } from './render/desk-note.ts';
import { renderMessage } from './render/stay-message.ts';

/** What the desk does with a stay beside its states and money (docs/reference/desk.md#desk). */
@Controller('api/v1/reservations/:reservationId')
export class StayDesk {
  @Inject(SERVICES) protected readonly services!: Services;

  /**
   * Takes a check-in back until its business date ends: the stay is CONFIRMED and keeps its room; `?dryRun=true` only
   * says which state the room would have.
   */
  @Post('undo-checkin')
  @Answers(checkInUndoneAnswer)
  @Needs('reservation.undo-check-in', 'Undo a check-in')
  async undoCheckIn(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: undoCheckInBody }) body: UndoCheckInBody,
  ) {
    const { reservation, room } = (await send(undoCheckIn(this.services, caller, id, body, options))).result;
    const { id: reservationId, status, roomNumber = null } = reservation;
    return { reservationId, status, roomNumber, roomStatus: room?.status ?? null };
  }

  /** Notes of staff about the stay, oldest first; no guest sees them. */
  @Get('notes')
  @Answers(noteListAnswer)
  @Needs('desk.read', 'List the notes about a stay')
  async notes(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const notes = await response.db(notesOfStay(this.services, caller, id));
    const names = await noteNames(this.services, caller, notes);
    return response.list(
      notes.map((note) => renderNote(note, { caller, names })),
      undefined,
    );
  }

  /** Writes a note about the stay; its version stays as it is. */
  @Post('notes')
  @Answers(noteAnswer, 201)
  @Needs('note.write', 'Write a note about a stay')
  async writeNote(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Body({ schema: noteBody }) { text }: NoteBody,
  ) {
    const to = await addressOf(this.services, caller, reservationId);
    const { note } = await response.actor(writeNote(this.services, caller, { to, reservationId }, text, key));
    return renderNote(note, { caller, names: await noteNames(this.services, caller, [note]) });
  }

  /** Deletes an own note; a MANAGER any. */
  @Delete('notes/:noteId')
  @Answers(removed)
  @Needs('note.write', 'Delete a note about a stay')
  async removeNote(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') reservationId: ReservationId,
    @Param('noteId') noteId: NoteId,
  ) {
    const about = { to: await addressOf(this.services, caller, reservationId), reservationId, noteId };
    const mayRemoveAny = may(caller, 'note.remove-any');
    await response.actor(removeNote(this.services, caller, about, { key, mayRemoveAny }));
    return { id: noteId, status: 'REMOVED' as const };
  }

  /** Mails and texts about the stay, oldest first, with what became of them. */
  @Get('messages')
  @Answers(stayMessageListAnswer)
  @Needs('desk.read', 'List the messages about a stay')
  async messages(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const messages = await response.db(messagesOfStay(this.services, caller, id));
    return response.list(messages.map(renderMessage), undefined);
  }

  /** Sends a message once more that has not arrived. */
  @Post('messages/:messageId/send-again')
  @Answers(stayMessageAnswer)
  @Needs('message.send-again', 'Send a message again')
  async sendAgain(
    @TheWrite() { caller, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Param('messageId') messageId: string,
  ) {
    return renderMessage(await response.db(sendMessageAgain(this.services, caller, id, messageId)));
  }
}
