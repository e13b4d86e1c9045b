import { addDays, mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { nightsWord } from '../../messages.ts';
import type { AssignedAll } from '../api.ts';

const say = textsOf('front-desk-assigning');

type Unassigned = AssignedAll['unassigned'][number]['reason'];

/** Why an arrival gets no room, with the next step. */
export const unassignedReasons: Record<Unassigned, string> = {
  NO_ROOM_LEFT: say(
    'No room is free on all its nights. Move another stay, change the dates, or send the guest elsewhere.',
  ),
  NO_ACCESSIBLE_ROOM: say('No accessible room is free on all its nights. Move a stay out of one.'),
  CHANGED: say('Somebody changed the stay or the room meanwhile. Assign again.'),
};

/** Texts of the assignment of all arrivals. */
export const assigning = {
  button: say('Assign all'),
  title: say('Assign all'),
  until: say('Arrivals until'),
  day: (today: string, ahead: number): string => {
    const date = mediumDay(addDays(today, ahead));
    return ahead === 0 ? say('Today, {date}', { date }) : ahead === 1 ? say('Tomorrow, {date}', { date }) : date;
  },
  planning: say('Looking for rooms…'),
  assigning: say('Assigning…'),
  nobody: say('Every arrival of these days has a room.'),
  wouldGet: (count: number): string =>
    say('{count, plural, one {# stay gets a room} other {# stays get a room}}', { count }),
  wouldNot: (count: number): string =>
    say('{count, plural, one {# arrival gets none} other {# arrivals get none}}', { count }),
  assign: (count: number): string => say('{count, plural, one {Assign # room} other {Assign # rooms}}', { count }),
  notNow: say('Not now'),
  close: say('Close'),
  room: say('Room'),
  guest: say('Guest'),
  nights: say('Nights'),
  remark: say('Remark'),
  without: say('Without a room'),
  upgraded: (roomType: string): string => say('Upgrade to {roomType}', { roomType }),
  makesRoom: (from: string): string => say('Moves from {from} to make room', { from }),
  otherwise: say('Not as in the preview'),
  someone: say('Another stay'),
  stay: (checkIn: string, checkOut: string, nights: number): string =>
    say('{checkIn} to {checkOut}, {nights}', {
      checkIn: mediumDay(checkIn),
      checkOut: mediumDay(checkOut),
      nights: nightsWord(nights),
    }),
  open: (name: string): string => say('Open the stay of {name}', { name }),
  done: ({ assigned, unassigned }: AssignedAll): string => {
    const got = assigned.length;
    if (unassigned.length === 0)
      return say('{got, plural, one {# stay has a room now.} other {# stays have a room now.}}', { got });
    return say(
      '{got, plural, one {# stay has} other {# stays have}} a room now, {left, plural, one {# arrival still has none} other {# arrivals still have none}}.',
      { got, left: unassigned.length },
    );
  },
};
