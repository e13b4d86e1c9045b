import t from 'tap';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { DAY, freshId, NOW, PROPERTY_ID } from '../../testing/property-world.ts';
import { type DeskNote, MAX_NOTES_OF_STAY } from '../rules/desk-note.ts';
import { databaseDeskNotes } from './desk-notes.ts';

const { url } = await withTestDatabase(t);
const database = await openDatabase(url);
const notes = databaseDeskNotes(database);
t.teardown(() => database[Symbol.asyncDispose]());

const { tenantId, propertyId } = PROPERTY_ID;
const note = (changed: Partial<DeskNote> = {}): DeskNote => ({
  noteId: freshId(),
  propertyId,
  businessDate: DAY,
  text: 'The safe sticks',
  by: 'eve',
  at: NOW,
  ...changed,
});

void t.test('a note is added once, read within its tenant, and has its limit', async (t) => {
  const reservationId = freshId();
  const first = note({ reservationId });
  await notes.add(tenantId, first);
  await notes.add(tenantId, { ...first, text: 'A repeat' });
  t.same(await notes.ofStays(tenantId, [reservationId]), [first]);
  t.same(await notes.ofStays('another', [reservationId]), []);
  t.equal(await notes.get('another', first.noteId), undefined);
  t.equal(await notes.get(tenantId, 'no id'), undefined);
  for (let n = 1; n < MAX_NOTES_OF_STAY; n++) await notes.add(tenantId, note({ reservationId }));
  await t.rejects(notes.add(tenantId, note({ reservationId })), DomainError);
  await notes.removeOfStays(tenantId, [reservationId]);
  t.same(await notes.ofStays(tenantId, [reservationId]), []);
});

void t.test('a shift reads its own notes and those that are not done', async (t) => {
  const old = note({ businessDate: DAY - 2, text: 'Old, and open' });
  const today = note({ text: 'Today, and done', at: NOW + 1 });
  for (const one of [old, today]) await notes.add(tenantId, one);
  const done = { by: 'bob', at: NOW + 2 };
  await notes.setDone(tenantId, today.noteId, done);
  t.same(await notes.ofDay(PROPERTY_ID, DAY), [old, { ...today, done }]);
  t.same(await notes.ofDay(PROPERTY_ID, DAY + 1), [old]);
  await notes.setDone(tenantId, old.noteId, done);
  t.same(await notes.ofDay(PROPERTY_ID, DAY + 1), []);
  await notes.setDone(tenantId, old.noteId, undefined);
  await notes.replaceTexts(tenantId, ['OPEN', ''], () => 'guest');
  t.match(await notes.ofDay(PROPERTY_ID, DAY), [{ text: 'guest' }, { text: 'Today, and done' }]);
  await notes.remove(tenantId, old.noteId);
  t.same(await notes.ofDay(PROPERTY_ID, DAY + 1), []);
});
