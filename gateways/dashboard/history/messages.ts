/** Texts about time travel and pauses. */

const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', hourCycle: 'h23' });

/** `Tue, 3 Mar, 14:05`, in the browser's time zone; with the year where it differs from that of `now`. */
export function momentOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return `${(isThisYear ? day : dayOfYear).format(at)}, ${clock.format(at)}`;
}

export const travel = {
  open: 'Time travel',
  title: 'Time travel',
  hint: 'Drag, or pick a time: everything shows what was on the books then.',
  slider: 'Instant shown',
  input: 'Date and time',
  back: 'Back to live',
  play: 'Play',
  stop: 'Stop',
  speed: 'Speed',
  close: 'Close',
  waits: (why: string, seconds: number): string => `${why} Again in ${seconds} s.`,
  going: (moment: string): string => `Going to ${moment}`,
  viewing: (moment: string): string => `Viewing ${moment} – not live`,
  pastOf: (moment: string): string => `Viewing ${moment}`,
  gridHint: 'As it was known then',
  announced: 'Viewing the past, not live',
  /** For panels that only show the present. */
  onlyNow: 'Not available for past dates.',
  now: 'Now',
};

/** Steps of time travel, with their texts. */
export const STEPS = [
  { ms: -86_400_000, text: '−1 d', label: 'a day back' },
  { ms: -3_600_000, text: '−1 h', label: 'an hour back' },
  { ms: -60_000, text: '−1 min', label: 'a minute back' },
  { ms: 60_000, text: '+1 min', label: 'a minute on' },
  { ms: 3_600_000, text: '+1 h', label: 'an hour on' },
  { ms: 86_400_000, text: '+1 d', label: 'a day on' },
] as const;

/** Simulated time per second of playing. */
export const SPEEDS = [
  { ms: 60_000, text: '1 minute a second' },
  { ms: 600_000, text: '10 minutes a second' },
  { ms: 3_600_000, text: '1 hour a second' },
  { ms: 86_400_000, text: '1 day a second' },
] as const;

export const pausing = {
  pause: 'Pause',
  resume: 'Resume',
  paused: (held: number): string => (held === 0 ? 'Paused, nothing held' : `Paused, ${held} held`),
  announced: 'Paused: changes are held back',
};
