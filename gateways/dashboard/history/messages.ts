/** Texts about time travel and pauses. */

import { shownDayOf, mediumDay, mediumDayOfYear, shortTime } from '../grid/days.ts';
import { textsOf } from '../language/texts.ts';

const say = textsOf('history');

/** `Tue, 3 Mar, 14:05` at the property; with the year where it differs from that of `now`. */
export function momentOf(at: number, now: number): string {
  const day = shownDayOf(at);
  const isThisYear = day.slice(0, 4) === shownDayOf(now).slice(0, 4);
  return `${isThisYear ? mediumDay(day) : mediumDayOfYear(day)}, ${shortTime(at)}`;
}

export const travel = {
  open: say('Time travel'),
  title: say('Time travel'),
  hint: say('Drag, or pick a time: everything shows what was on the books then.'),
  slider: say('Instant shown'),
  input: say('Date and time'),
  back: say('Back to live'),
  play: say('Play'),
  stop: say('Stop'),
  speed: say('Speed'),
  close: say('Close'),
  waits: (why: string, seconds: number): string => say('{why} Again in {seconds} s.', { why, seconds }),
  going: (moment: string): string => say('Going to {moment}', { moment }),
  viewing: (moment: string): string => say('Viewing {moment} – not live', { moment }),
  pastOf: (moment: string): string => say('Viewing {moment}', { moment }),
  gridHint: say('As it was known then'),
  announced: say('Viewing the past, not live'),
  /** For panels that only show the present. */
  onlyNow: say('Not available for past dates.'),
  now: say('Now'),
};

/** Steps of time travel, with their texts. */
export const STEPS = [
  { ms: -86_400_000, text: '−1 d', label: say('a day back') },
  { ms: -3_600_000, text: '−1 h', label: say('an hour back') },
  { ms: -60_000, text: say('−1 min'), label: say('a minute back') },
  { ms: 60_000, text: say('+1 min'), label: say('a minute on') },
  { ms: 3_600_000, text: '+1 h', label: say('an hour on') },
  { ms: 86_400_000, text: '+1 d', label: say('a day on') },
] as const;

/** Simulated time per second of playing. */
export const SPEEDS = [
  { ms: 60_000, text: say('1 minute a second') },
  { ms: 600_000, text: say('10 minutes a second') },
  { ms: 3_600_000, text: say('1 hour a second') },
  { ms: 86_400_000, text: say('1 day a second') },
] as const;

export const pausing = {
  pause: say('Pause'),
  resume: say('Resume'),
  paused: (held: number): string => (held === 0 ? say('Paused, nothing held') : say('Paused, {held} held', { held })),
  announced: say('Paused: changes are held back'),
};
