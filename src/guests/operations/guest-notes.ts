import { v7 as uuidv7 } from 'uuid';

import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { GuestId, NoteId } from '../../kernel/rules/ids.ts';
import type { GuestNote } from '../ports.ts';
import { getGuest } from './find-guests.ts';

/** Notes about a guest, oldest first (docs/reference/guests.md#notes). @throws DomainError GUEST_NOT_FOUND */
export async function notesOfGuest(services: Services, caller: Caller, id: GuestId): Promise<GuestNote[]> {
  const { guestId } = (await getGuest(services, caller, id)).profile;
  return services.guestNotes.of(caller.tenantId, guestId);
}

/** Writes a note about a guest. @throws DomainError GUEST_NOT_FOUND, INVALID_STATE when there are too many */
export async function writeGuestNote(
  services: Services,
  caller: Caller,
  { id, text }: { id: GuestId; text: string },
  key?: ClientKey,
): Promise<{ note: GuestNote; replayed: boolean }> {
  const { guestId } = (await getGuest(services, caller, id)).profile;
  const written = { noteId: uuidv7(), guestId, text, by: caller.subject, at: services.clock.now() };
  const { result, replayed } = await services.guestNotes.add(caller, written, key);
  const note = await noteOf(services, caller, { guestId, noteId: result.noteId });
  if (!note) throw missing();
  return { note, replayed };
}

/**
 * Deletes a note about a guest; that of somebody else only where the role may.
 * @throws DomainError GUEST_NOT_FOUND, NOTE_NOT_FOUND, ROLE_TOO_LOW
 */
export async function removeGuestNote(
  services: Services,
  caller: Caller,
  { id, noteId }: { id: GuestId; noteId: NoteId },
  { key, mayRemoveAny }: { key?: ClientKey; mayRemoveAny: boolean },
): Promise<{ replayed: boolean }> {
  const { guestId } = (await getGuest(services, caller, id)).profile;
  const note = await noteOf(services, caller, { guestId, noteId });
  if (note && note.by !== caller.subject && !mayRemoveAny)
    throw new DomainError('ROLE_TOO_LOW', 'A note of somebody else is deleted by a MANAGER.');
  // Without a note, it may be a repeat under its key.
  const { replayed } = await services.guestNotes.remove(caller, { guestId: note?.guestId ?? guestId, noteId }, key);
  return { replayed };
}

async function noteOf(
  { guestNotes }: Services,
  { tenantId }: Caller,
  { guestId, noteId }: { guestId: GuestId; noteId: NoteId },
): Promise<GuestNote | undefined> {
  return (await guestNotes.of(tenantId, guestId)).find((note) => note.noteId === noteId);
}

const missing = (): DomainError => new DomainError('NOTE_NOT_FOUND', 'There is no such note, or it was deleted.');
