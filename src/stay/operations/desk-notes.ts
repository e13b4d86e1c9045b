import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, isAnswered, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { NoteDeed } from '../../kernel/rules/commands/notes.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { NoteId, ReservationId } from '../../kernel/rules/ids.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { clockOf } from '../../properties/rules/property.ts';
import { whoNames } from '../../tenants/operations/who-names.ts';
import type { DeskNote } from '../rules/desk-note.ts';

/** Namespace of ids that are derived from idempotency keys. */
const KEYS = 'a1c5f3f0-6f0b-5f7e-9a59-6d2f5f4b8c11';

/** A note, with the position of the change in the journal of the property, where something changed. */
type Written = { note: DeskNote; seq?: number; replayed: boolean };

/**
 * Writes a note about a stay, or without one to the next shift (docs/reference/desk.md#notes). Its text is stored first;
 * the command after it lets the other desks read it. A repeat under the same key derives the same id, so it completes a
 * write that was interrupted in between.
 * @throws DomainError PROPERTY_NOT_FOUND, INVALID_STATE when there are too many
 */
export async function writeNote(
  services: Services,
  caller: Caller,
  { to, reservationId }: { to: Address; reservationId?: ReservationId },
  text: string,
  key?: ClientKey,
): Promise<Written> {
  const { tenantId, subject: by } = caller;
  const { propertyId } = to;
  const noteId: NoteId = key ? uuidv5(`${tenantId}\n${by}\n${key.key}`, KEYS) : uuidv7();
  if (!(await isAnswered(services, caller, key))) {
    const about = { noteId, propertyId, ...(reservationId !== undefined && { reservationId }) };
    const today = await todayAt(services, to);
    await services.deskNotes.add(tenantId, { ...about, businessDate: today, text, by, at: services.clock.now() });
  }
  const { seq, replayed } = await recorded(services, caller, { to, noteId, reservationId, what: 'WRITTEN' }, key);
  return { note: await noteOf(services, caller, noteId), seq, replayed };
}

/** Notes of a stay, oldest first. @throws DomainError RESERVATION_NOT_FOUND */
export async function notesOfStay(services: Services, caller: Caller, id: ReservationId): Promise<DeskNote[]> {
  await addressOf(services, caller, id);
  return services.deskNotes.ofStays(caller.tenantId, [id]);
}

/**
 * Shift notes of a business date, today's where absent, and earlier ones that are not done.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function shiftNotes(services: Services, to: Address, day: Day | undefined): Promise<DeskNote[]> {
  const today = await todayAt(services, to);
  return services.deskNotes.ofDay(to, day ?? today);
}

/** Marks a shift note done, or takes that back. @throws DomainError NOTE_NOT_FOUND */
export async function setNoteDone(
  services: Services,
  caller: Caller,
  { to, noteId, done }: { to: Address; noteId: NoteId; done: boolean },
  key?: ClientKey,
): Promise<Written> {
  const { tenantId, subject: by } = caller;
  const before = await noteOf(services, caller, noteId);
  if (before.propertyId !== to.propertyId || before.reservationId !== undefined) throw missing();
  const isRepeat = await isAnswered(services, caller, key);
  if (!isRepeat && done === (before.done !== undefined)) return { note: before, replayed: false };
  if (!isRepeat)
    await services.deskNotes.setDone(tenantId, noteId, done ? { by, at: services.clock.now() } : undefined);
  const { seq, replayed } = await recorded(services, caller, { to, noteId, what: done ? 'DONE' : 'REOPENED' }, key);
  return { note: await noteOf(services, caller, noteId), seq, replayed };
}

/**
 * Deletes a note; that of somebody else only where the role may.
 * @throws DomainError NOTE_NOT_FOUND, ROLE_TOO_LOW
 */
export async function removeNote(
  services: Services,
  caller: Caller,
  { to, reservationId, noteId }: { to: Address; reservationId?: ReservationId; noteId: NoteId },
  { key, mayRemoveAny }: { key?: ClientKey; mayRemoveAny: boolean },
): Promise<{ seq: number; replayed: boolean }> {
  if (!(await isAnswered(services, caller, key))) {
    const note = await noteOf(services, caller, noteId);
    if (note.propertyId !== to.propertyId || note.reservationId !== reservationId) throw missing();
    if (note.by !== caller.subject && !mayRemoveAny)
      throw new DomainError('ROLE_TOO_LOW', 'A note of somebody else is deleted by a MANAGER.');
    await services.deskNotes.remove(caller.tenantId, noteId);
  }
  return recorded(services, caller, { to, noteId, reservationId, what: 'REMOVED' }, key);
}

/** Names of the users who wrote notes, or did what they say. */
export function noteNames(
  services: Services,
  caller: Caller,
  notes: readonly Pick<DeskNote, 'by' | 'done'>[],
): Promise<ReadonlyMap<string, string>> {
  return whoNames(
    services,
    caller,
    notes.flatMap(({ by, done }) => [by, done?.by]),
  );
}

type Deed = { to: Address; noteId: NoteId; reservationId?: ReservationId; what: NoteDeed };

async function recorded(
  services: Services,
  caller: Caller,
  { to, noteId, reservationId, what }: Deed,
  key: ClientKey | undefined,
): Promise<{ seq: number; replayed: boolean }> {
  const about = { noteId, ...(reservationId !== undefined && { ofStay: reservationId }) };
  return send(services, caller, to, { type: 'RECORD_NOTE', ...about, what }, claim(key));
}

async function noteOf({ deskNotes }: Services, { tenantId }: Caller, id: NoteId): Promise<DeskNote> {
  const note = await deskNotes.get(tenantId, id);
  if (!note) throw missing();
  return note;
}

async function todayAt({ properties, clock }: Services, to: Address): Promise<Day> {
  const { setup } = await properties.view(to);
  return businessDate(clock.now(), clockOf(setup.property));
}

const missing = (): DomainError => new DomainError('NOTE_NOT_FOUND', 'There is no such note, or it was deleted.');
