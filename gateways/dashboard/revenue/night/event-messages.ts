import type { EventEffect } from '../../../../src/rates/rules/calendar-event.ts';
import { dayRange, mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { nightsWord } from '../../messages.ts';

const say = textsOf('revenue-night');

/** Words of calendar events in the grid and in the panel of a night. */
export const events = {
  title: say('Events'),
  none: say('No event on this night.'),
  add: say('Add event'),
  edit: say('Edit'),
  editOne: (name: string): string => say('Edit {name}', { name }),
  remove: say('Delete'),
  removeOne: (name: string): string => say('Delete {name}', { name }),
  addTitle: say('New event'),
  name: say('Name'),
  from: say('First night'),
  to: say('Last night'),
  effect: say('Expected demand'),
  effects: { LOW: say('Low'), MEDIUM: say('Medium'), HIGH: say('High') } satisfies Record<EventEffect, string>,
  note: say('Note'),
  save: say('Save event'),
  cancel: say('Cancel'),
  noName: say('Write a name, such as Boat show.'),
  reversed: say('The last night is before the first.'),
  noDay: say('Choose the first and the last night.'),
  added: (name: string): string => say('{name} is on the calendar.', { name }),
  changed: (name: string): string => say('{name} is changed.', { name }),
  now: ({ name, effect, ...nights }: Nights & { name: string; effect: EventEffect }): string =>
    say('On the calendar now: {name}, {nights}, {effect}.', {
      name,
      nights: eventDays(nights),
      effect: events.effects[effect].toLowerCase(),
    }),
  removed: (name: string): string => say('{name} is deleted.', { name }),
};

type Nights = { from: string; to: string };

const nightsOf = ({ from, to }: Nights): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
export const eventDays = ({ from, to }: Nights): string => (from === to ? mediumDay(from) : dayRange(from, to));

/** What saving would do, in one line. */
export function eventPreview(name: string, nights: Nights): string {
  return say('{name}: {nights}, {nights2} marked for all room types. No price changes.', {
    name: name.trim(),
    nights: eventDays(nights),
    nights2: nightsWord(nightsOf(nights)),
  });
}

/** Events of a night for the name of its cell, and of its head. */
export const eventWords = (list: readonly { name: string }[] | undefined): string =>
  list ? say(', event: {names}', { names: list.map(({ name }) => name).join(', ') }) : '';
