import { mediumDay } from '../grid/days.ts';
import { textsOf } from '../language/texts.ts';
import type { BoardRoom, BoardState, Verb } from './board.ts';

const say = textsOf('housekeeping');

/** Texts of the housekeeping board. */
export const housekeepingBoard = {
  title: say('Housekeeping'),
  desk: say('Tape chart'),
  board: say('Rooms by floor'),
  loading: say('Loading rooms and tasks…'),
  noRooms: say('This property has no rooms yet. Add rooms in the administration.'),
  nothingLeft: say('No room fits these filters.'),
  filters: say('Filters of the board'),
  floor: say('Floor'),
  attendant: say('Attendant'),
  state: say('State'),
  all: say('All'),
  nobody: say('Nobody yet'),
  clear: say('Clear filters'),
  floorName: (floor: number): string => (floor === 0 ? say('Ground floor') : say('Floor {floor}', { floor })),
  counts: (toDo: number, toInspect: number, hidden: number): string =>
    say('{toDo} to clean · {toInspect} to inspect', { toDo, toInspect }) +
    (hidden > 0 ? say(' · {hidden} {hidden, plural, one {room} other {rooms}} hidden', { hidden }) : ''),
  verbs: { clean: say('Clean'), inspect: say('Inspect'), 'out-of-order': say('Out of order') } satisfies Record<
    Verb,
    string
  >,
  states: {
    TO_DO: say('To clean'),
    TO_INSPECT: say('To inspect'),
    AVAILABLE: say('Available'),
    OCCUPIED: say('Occupied'),
    DIRTY: say('Dirty'),
    CLEAN: say('Clean'),
    INSPECTED: say('Inspected'),
    OUT_OF_ORDER: say('Out of order'),
  } satisfies Record<BoardState, string>,
  room: (number: string): string => say('Room {number}', { number }),
  priority: ({ priority, arrival }: BoardRoom): string => {
    if (arrival === undefined) return say('No arrival soon');
    if (priority === 3) return say('Arrival {arrival}', { arrival: mediumDay(arrival) });
    return say('{priority, plural, one {Arrival today} other {Arrival tomorrow}}', { priority });
  },
  noTask: say('Nothing to do'),
  give: say('Give'),
  giveTo: (room: string): string => say('Attendant of room {room}', { room }),
  given: (room: string, attendant: string | null): string =>
    attendant === null
      ? say('Nobody has the task of room {room}.', { room })
      : say('{attendant} has the task of room {room}.', { attendant, room }),
  done: (room: string, verb: Verb): string =>
    verb === 'clean'
      ? say('Room {room} is clean.', { room })
      : verb === 'inspect'
        ? say('Room {room} is inspected.', { room })
        : say('Room {room} is out of order from today, without an end. It is not sold.', { room }),
  undo: say('Undo'),
  undone: (room: string): string => say('Room {room} is as it was.', { room }),
  notYours: say('You may look at rooms, and not change them.'),
};

export const HOUSEKEEPING_KEYS = {
  title: say('The board'),
  lines: [
    { keys: ['Tab', 'Enter'], does: say('From room to room, and one of its buttons') },
    { keys: ['u'], does: say('Takes the last tap back, for ten seconds') },
  ],
};
