import type { KeyLine } from '../../keys-messages.ts';
import { textsOf } from '../../language/texts.ts';
import type { ShownLanes, Span } from './chart-filter.ts';

const say = textsOf('front-desk-shown');

const STEPS: Record<Span, string> = { 1: say('A day'), 7: say('A week'), 14: say('A week'), 30: say('Two weeks') };
const stepped = (span: Span): string => STEPS[span];

/** Texts of the days and filters of the tape chart. */
export const shown = {
  zoom: say('Days shown'),
  span: (days: Span): string => say('{days, plural, one {# day} other {# days}}', { days }),
  earlier: (span: Span): string => say('{span} earlier', { span: stepped(span) }),
  later: (span: Span): string => say('{span} later', { span: stepped(span) }),
  goTo: say('Go to date'),
  filters: say('Filters of the chart'),
  floor: say('Floor'),
  roomType: say('Room type'),
  status: say('Room status'),
  task: say('Task today'),
  all: say('All'),
  floorName: (floor: number): string => (floor === 0 ? say('Ground floor') : say('Floor {floor}', { floor })),
  clear: say('Clear filters'),
  hidden: ({ hiddenRooms, hiddenStays }: ShownLanes): string =>
    say('Hidden: {hiddenRooms}, {hiddenStays}', {
      hiddenRooms: say('{rooms, plural, one {# room} other {# rooms}}', { rooms: hiddenRooms }),
      hiddenStays: say('{stays, plural, one {# stay} other {# stays}}', { stays: hiddenStays }),
    }),
  nothingLeft: say('No room and no stay fits these filters.'),
};

export const CHART_KEYS: { title: string; lines: readonly KeyLine[] } = {
  title: say('Days of the chart'),
  lines: [
    { keys: ['1', '2', '3', '4'], does: say('1, 7, 14 or 30 days at once') },
    { keys: ['[', ']'], does: say('Earlier and later') },
    { keys: ['t'], does: say('Back to today') },
    { keys: ['/'], does: say('Find a guest, room or number') },
  ],
};
