import { mediumDay, shortDay } from '../../grid/days.ts';
import { locale, textsOf } from '../../language/texts.ts';
import { nightsWord } from '../../messages.ts';
import type { BoardStay, MaintenanceView } from '../shapes.ts';
import type { ClosingEffects, ClosedNights } from './what-follows.ts';

const say = textsOf('front-desk-closing');

type Kind = MaintenanceView['kind'];
const kinds: Record<Kind, string> = { OUT_OF_ORDER: say('Out of order'), OUT_OF_SERVICE: say('Out of service') };

/** Texts of taking a room out of order, and of changing and ending it. */
export const closing = {
  verb: say('Out of order'),
  title: (room: string): string => say('Room {room}: out of order', { room }),
  kinds: {
    OUT_OF_ORDER: say('Out of order: not sold'),
    OUT_OF_SERVICE: say('Out of service: still sold'),
  } satisfies Record<Kind, string>,
  kind: say('Kind'),
  until: say('Until'),
  noEnd: say('Open end'),
  day: shortWeekday,
  from: say('First night'),
  to: say('Last night'),
  toHint: say('Empty while nobody knows the end'),
  reason: say('Reason'),
  usual: say('Repair'),
  effect: (room: string, kind: Kind, { from, to }: ClosedNights, { nights, back }: ClosingEffects): string => {
    const sold = kind === 'OUT_OF_ORDER' ? say('is not sold') : say('is out of service and still sold');
    if (to === undefined || nights === undefined || back === undefined)
      return say('Room {room} {sold} from {from} on, until somebody ends it.', { room, sold, from: mediumDay(from) });
    return say('Room {room} {sold} for {nights} from {from}, and back on {back}.', {
      room,
      sold,
      nights: nightsWord(nights),
      from: mediumDay(from),
      back: mediumDay(back),
    });
  },
  inRoom: ({ name, checkIn, status }: BoardStay): string =>
    status === 'CHECKED_IN'
      ? say('{name} is in the room. Move the guest first.', { name })
      : say('{name} has the room from {checkIn}. Move the stay afterwards.', { name, checkIn: mediumDay(checkIn) }),
  short: (roomType: string, nights: ClosingEffects['short']): string => {
    const [first] = nights;
    const most = Math.max(...nights.map(({ rooms }) => rooms));
    return say('{roomType} falls short by {most, plural, one {# room} other {# rooms}} on {nights} from {from}.', {
      roomType,
      most,
      nights: nightsWord(nights.length),
      from: first ? mediumDay(first.date) : '',
    });
  },
  confirm: (kind: Kind, back: string | undefined): string =>
    back === undefined
      ? say('{kind}, open end', { kind: kinds[kind] })
      : say('{kind} until {back}', { kind: kinds[kind], back: mediumDay(back) }),
  change: say('Save changes'),
  end: (kind: Kind): string => say('End {kind}', { kind: kinds[kind].toLowerCase() }),
  endEffect: (room: string, hasBegun: boolean): string =>
    hasBegun
      ? say('Room {room} is on sale from tonight on, and has to be cleaned.', { room })
      : say('Room {room} stays on sale.', { room }),
  changedMeanwhile: (now: MaintenanceView): string =>
    say('Somebody else has just changed this: {from} to {to}, {reason}. Press again to overwrite it.', {
      from: shortDay(now.from),
      to: now.to === null ? say('an open end') : shortDay(now.to),
      reason: now.reason,
    }),
  gone: say('It has ended. Nothing is left to change.'),
  notNow: say('Not now'),
};

const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
/** `Fri 27`, in the words of the browser's language. */
function shortWeekday(date: string): string {
  return weekdays.format(Date.parse(`${date}T00:00:00Z`));
}
