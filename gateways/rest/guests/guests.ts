import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/guests/contracts/guest-answers.ts';
import * as contract from '../../../src/guests/contracts/guests.ts';
import { changeGuest } from '../../../src/guests/operations/change-guest.ts';
import { type FoundGuest, getGuest, listGuests } from '../../../src/guests/operations/find-guests.ts';
import { notesOfGuest, removeGuestNote, writeGuestNote } from '../../../src/guests/operations/guest-notes.ts';
import { mergeGuests, planMerge } from '../../../src/guests/operations/merge-guests.ts';
import { removed } from '../../../src/kernel/contracts/answers.ts';
import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { GuestId, NoteId } from '../../../src/kernel/rules/ids.ts';
import * as guestExportAnswers from '../../../src/privacy/contracts/guest-export-answers.ts';
import { eraseGuest } from '../../../src/privacy/operations/erase-guest.ts';
import { exportGuest } from '../../../src/privacy/operations/export-guest.ts';
import { noteAnswer, type NoteBody, noteBody, noteListAnswer } from '../../../src/stay/contracts/desk-notes.ts';
import { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { noteNames } from '../../../src/stay/operations/desk-notes.ts';
import { listStays } from '../../../src/stay/operations/find-reservations.ts';
import { whoNames } from '../../../src/tenants/operations/who-names.ts';
import { may } from '../../auth/permissions.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Costly, Needs, StaysHere } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { TheVersion } from '../reservation-write.ts';
import { renderNote } from '../stay/render/desk-note.ts';
import { leftOutOf, renderListedReservation } from '../stay/render/reservation.ts';
import { exportedGuest, listedGuest, wholeGuest } from './render/guest.ts';
import { renderMerge, renderMergePlan } from './render/merge.ts';

/** Guest profiles of a tenant, over all its properties (docs/reference/guests.md#guests). */
@Controller('api/v1/guests')
export class Guests {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Guests by words of their name or e-mail address, by e-mail address, or by loyalty tier, newest first. */
  @Get()
  @Answers(answers.guestListAnswer)
  @Needs('guest.read', 'Search guests')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.guestsQuery }) query: contract.GuestsQuery,
  ) {
    const { items, nextCursor } = await response.db(listGuests(this.services, caller, query));
    const shown = items.map((profile) => listedGuest(profile, caller));
    return response.list(shown, nextCursor);
  }

  /** A profile with its loyalty and a summary of its stays; the id of a merged one reads that which survives. */
  @Get(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.read', 'Read a guest profile')
  async get(@TheRead() { caller, response }: Read, @Param('guestId') id: GuestId) {
    const found = await response.db(getGuest(this.services, caller, id));
    response.version(found.profile);
    return wholeGuest(found, caller, await this.#namesIn(caller, found));
  }

  /** Reservations of a guest, newest first. */
  @Get(':guestId/reservations')
  @Answers(reservationListAnswer)
  @Needs('guest.read', 'List the stays of a guest')
  async stays(
    @TheRead() { caller, response }: Read,
    @Param('guestId') id: GuestId,
    @Query({ schema: contract.guestPageQuery }) query: contract.GuestPageQuery,
  ) {
    const { items, unreadable, tierOf, nextCursor } = await response.db(listStays(this.services, caller, id, query));
    const shown = items.map((reservation) => renderListedReservation(reservation, caller, tierOf(reservation)));
    return { ...response.list(shown, nextCursor), leftOut: leftOutOf(unreadable) };
  }

  /** Corrects contact data, preferences and consent; unnamed fields stay, and so do the copies in reservations. */
  @Put(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.change', 'Change a guest profile')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('guestId') id: GuestId,
    @TheVersion() ifVersion: number | undefined,
    @Body({ schema: contract.guestBody }) body: contract.GuestBody,
  ) {
    const done = await response.db(changeGuest(this.services, caller, id, body, { key, ifVersion }));
    response.version(done.result.profile);
    return wholeGuest(done.result, caller, await this.#namesIn(caller, done.result));
  }

  /** Merges another profile of the same person into this one, which survives; `dryRun` only says what it takes. */
  @Post(':guestId/merge')
  @Answers(answers.mergeAnswer)
  @Needs('guest.merge', 'Merge two guest profiles')
  async merge(
    @TheWrite() { caller, key, response }: Write,
    @Param('guestId') id: GuestId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contract.mergeBody }) { from }: contract.MergeBody,
  ) {
    if (dryRun) return renderMergePlan(await response.db(planMerge(this.services, caller, id, from)));
    const { guest } = await response.db(mergeGuests(this.services, caller, { id, from }, key));
    response.version(guest.profile);
    return renderMerge(guest, from, caller);
  }

  /** Notes of staff about the guest, oldest first; no guest sees them before an export. */
  @Get(':guestId/notes')
  @Answers(noteListAnswer)
  @Needs('desk.read', 'List the notes about a guest')
  async notes(@TheRead() { caller, response }: Read, @Param('guestId') id: GuestId) {
    const notes = await response.db(notesOfGuest(this.services, caller, id));
    const names = await noteNames(this.services, caller, notes);
    return response.list(
      notes.map((note) => renderNote(note, { caller, names })),
      undefined,
    );
  }

  /** Writes a note about the guest; the profile keeps its version. */
  @Post(':guestId/notes')
  @Answers(noteAnswer, 201)
  @Needs('note.write', 'Write a note about a guest')
  async writeNote(
    @TheWrite() { caller, key, response }: Write,
    @Param('guestId') id: GuestId,
    @Body({ schema: noteBody }) { text }: NoteBody,
  ) {
    const { note } = await response.db(writeGuestNote(this.services, caller, { id, text }, key));
    return renderNote(note, { caller, names: await noteNames(this.services, caller, [note]) });
  }

  /** Deletes an own note; a MANAGER any. */
  @Delete(':guestId/notes/:noteId')
  @Answers(removed)
  @Needs('note.write', 'Delete a note about a guest')
  async removeNote(
    @TheWrite() { caller, key, response }: Write,
    @Param('guestId') id: GuestId,
    @Param('noteId') noteId: NoteId,
  ) {
    const mayRemoveAny = may(caller, 'note.remove-any');
    await response.db(removeGuestNote(this.services, caller, { id, noteId }, { key, mayRemoveAny }));
    return { id: noteId, status: 'REMOVED' as const };
  }

  /** Everything stored about a guest, as a document for the guest. */
  @Get(':guestId/export')
  @Answers(guestExportAnswers.guestExportAnswer)
  @Needs('guest.export', 'Export all data about a guest')
  @Costly()
  async export(@TheRead() { caller, response }: Read, @Param('guestId') id: GuestId) {
    const exported = await response.db(exportGuest(this.services, caller, id));
    response.header('content-disposition', `attachment; filename="guest-${exported.guest.profile.guestId}.json"`);
    return exportedGuest(exported);
  }

  /** Erases a guest whose stays are over; bookings remain without personal data. */
  @Delete(':guestId')
  @Answers(guestExportAnswers.erasureAnswer)
  @Needs('guest.erase', 'Erase a guest')
  @StaysHere()
  async erase(@TheWrite() { caller, key, response }: Write, @Param('guestId') id: GuestId) {
    const { erasedAt } = await response.actor(eraseGuest(this.services, caller, id, key));
    return { guestId: id, status: 'ERASED' as const, erasedAt };
  }

  /** Names of the users who recorded what the guest has agreed to. */
  #namesIn(caller: Caller, { profile }: FoundGuest): Promise<ReadonlyMap<string, string>> {
    const all = [profile, ...(profile.merged ?? [])];
    return whoNames(
      this.services,
      caller,
      all.map(({ consent }) => consent?.by),
    );
  }
}
