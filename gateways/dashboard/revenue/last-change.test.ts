import t from 'tap';

import { changesText } from '../messages.ts';
import { LastChange } from './last-change.ts';

t.test('an undo that fails can be tried again, and nothing older is undone instead', async (t) => {
  const changes = new LastChange('Nothing was changed.');
  t.teardown(() => changes.forget());
  let isCut = true;
  const undo = (): Promise<void> => (isCut ? Promise.reject(new Error('cut')) : Promise.resolve());
  await changes.run('night', () => Promise.resolve({ text: 'Added.', undo }));
  t.equal(await changes.undo('Undone.'), true, 'there was one to take back');
  t.equal(changes.error.value?.text, 'Nothing was changed.');
  t.equal(changes.done.value?.text, 'Added.');
  isCut = false;
  t.equal(await changes.undo('Undone.'), true);
  t.equal(changes.done.value?.text, 'Undone.');
  t.equal(changes.error.value, undefined);
  t.equal(await changes.undo('Undone.'), false, 'once only');
});

t.test('rates in the history of a night are amounts', async (t) => {
  const changes = { bookedRooms: { from: 21, to: 22 }, rate: { from: null, to: 759.7 } };
  t.match(changesText(changes, 'EUR'), /^booked 21 → 22, rate \S+ → €759\.70$/);
});
