import type { WireAmount } from '../../src/kernel/contracts/wire-money.ts';
import type { FeedItem, GridItem } from '../../src/live/contracts/live.ts';
import { dayRange, longDay, mediumDay, shortTime, timeOfDay } from './grid/days.ts';
import { momentOf, pausing, travel } from './history/messages.ts';
import { locale, textsOf } from './language/texts.ts';
import type { ConnectionState } from './live/connection.ts';

const say = textsOf('pages');

/** Shown status: that of the connection, unless the page is paused. */
export type ShownStanding = ConnectionState | { kind: 'paused'; held: number };

/** The connection in words; `dataFrom` is when the shown data was last known to be current. */
export function describeConnection(state: ShownStanding, now: number, dataFrom: number | undefined): string {
  switch (state.kind) {
    case 'connecting':
      return say('Connecting');
    case 'catching-up':
      return say('Catching up');
    case 'live':
      return state.lagMs === undefined ? say('Live') : say('Live, {lagMs} behind', { lagMs: duration(state.lagMs) });
    case 'paused':
      return pausing.paused(state.held);
    case 'past':
      return travel.pastOf(momentOf(state.asOf, now));
    case 'reconnecting': {
      const seconds = Math.ceil((state.retryAt - now) / 1000);
      const next = seconds > 0 ? say(', next in {seconds} s', { seconds }) : '';
      return say('Reconnecting, attempt {attempt}{next}', { attempt: state.attempt, next });
    }
    case 'offline':
      return dataFrom === undefined
        ? say('Offline')
        : say('Offline, showing data from {dataFrom}', { dataFrom: timeOfDay(dataFrom) });
    case 'signed-out':
      return dataFrom === undefined
        ? say('Signed out')
        : say('Signed out, showing data from {dataFrom}', { dataFrom: timeOfDay(dataFrom) });
  }
}

/** The same without changing seconds: screen readers read every change aloud. */
export function announceConnection(state: ShownStanding, now: number, dataFrom: number | undefined): string {
  if (state.kind === 'live') return say('Live');
  if (state.kind === 'paused') return pausing.announced;
  if (state.kind === 'past') return travel.announced;
  if (state.kind === 'reconnecting') return say('Reconnecting, attempt {attempt}', { attempt: state.attempt });
  return describeConnection(state, now, dataFrom);
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${inTenths(ms / 1000)} s`;
}

/** State of a cell beside its occupancy. */
type CellMood = 'open' | 'few' | 'full' | 'closed';

/** "Few" means a tenth of the rooms, five at most. */
export function moodOf(item: GridItem): CellMood {
  // Rooms held by unpaid bookings may come back.
  if (item.availableRooms > 0 || item.heldRooms > 0) {
    const few = Math.min(5, Math.max(1, Math.ceil(item.totalRooms / 10)));
    return item.availableRooms <= few ? 'few' : 'open';
  }
  return item.blockedRooms > item.bookedRooms + item.heldRooms ? 'closed' : 'full';
}

/** Sold rooms in percent of all rooms, as the occupancy row counts them; held ones are not sold. */
export function percentSold({ totalRooms, bookedRooms }: GridItem): number {
  return totalRooms === 0 ? 0 : (bookedRooms / totalRooms) * 100;
}

/** Sold rooms in tenths of all rooms: the step of the tint. */
export function tenthsSold(item: GridItem): number {
  return item.totalRooms === 0 ? 10 : Math.min(10, Math.round(percentSold(item) / 10));
}

/** One cell in a sentence. */
export function describeCell(item: GridItem): string {
  const day = `${item.roomType}, ${longDay(item.date)}`;
  const mood = moodOf(item);
  const left =
    mood === 'full'
      ? say('sold out')
      : mood === 'closed'
        ? say('closed')
        : say('{availableRooms} of {totalRooms} left', {
            availableRooms: item.availableRooms,
            totalRooms: item.totalRooms,
          });
  return `${day}: ${left}, ${item.rate === null ? say('no rate') : moneyText(item.rate, item.currency)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** `€199.00`. Empty while the currency is unknown: formatters refuse an empty code. */
export function moneyText(amount: WireAmount, currency: string): string {
  if (currency === '') return NOT_KNOWN;
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat(locale, { style: 'currency', currency })));
  return format.format(amount);
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

/** `1,250`: cells have no room for cents; the line below the table has them. */
export function wholeAmount(amount: WireAmount): string {
  return whole.format(amount);
}

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** `61.7`, as the language writes it. */
export const inTenths = (value: number): string => tenths.format(value);

type Happening = { verb: string; kind: 'good' | 'bad' | 'change' | 'waiting' };

const HAPPENINGS: Record<string, Happening> = {
  HELD: { verb: say('Paying'), kind: 'waiting' },
  CREATED: { verb: say('Booked'), kind: 'good' },
  CONFIRMED: { verb: say('Confirmed'), kind: 'good' },
  RELEASED: { verb: say('Released'), kind: 'bad' },
  MODIFIED: { verb: say('Changed'), kind: 'change' },
  CANCELLED: { verb: say('Cancelled'), kind: 'bad' },
  EXPIRED: { verb: say('Expired'), kind: 'bad' },
  IMPORTED: { verb: say('Imported'), kind: 'change' },
  REINSTATED: { verb: say('Reinstated'), kind: 'good' },
  CHECK_IN_UNDONE: { verb: say('Check-in undone'), kind: 'change' },
  PAYMENT_FAILED: { verb: say('Payment failed'), kind: 'bad' },
  ROOM_ASSIGNED: { verb: say('Room assigned'), kind: 'change' },
  CHECKED_IN: { verb: say('Checked in'), kind: 'change' },
  CHECKED_OUT: { verb: say('Checked out'), kind: 'change' },
  NO_SHOW: { verb: say('No-show'), kind: 'bad' },
  PAID: { verb: say('Paid'), kind: 'change' },
  REFUNDED: { verb: say('Refunded'), kind: 'change' },
};

/** Text of a feed entry. Unconfirmed reservations are called held, for the given time, never booked. */
export function happeningOf(item: FeedItem): Happening {
  const isOpen = ['CREATED', 'MODIFIED', 'REINSTATED'].includes(item.type);
  if (isOpen && item.status === 'PENDING') return { verb: heldUntil(item.heldUntil), kind: 'waiting' };
  return HAPPENINGS[item.type] ?? { verb: sentenceCase(item.type), kind: 'change' };
}

const heldUntil = (at: number | undefined): string =>
  at === undefined ? say('Held, not confirmed') : say('Held until {at}', { at: shortTime(at) });

export function sentenceCase(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** Placeholder for an unknown number, never for zero. */
export const NOT_KNOWN = '–';
export const NO_DATA = say('Not known yet.');
/** The code of a part of the page did not come. */
export const PART_FAILED = say('This part could not be loaded. Reload the page.');
export const UNREACHABLE = say('The service cannot be reached.');
/** Instead of what could not be read. */
export const OFFLINE = say('Offline. It is shown once the connection is back.');
export const answeredWith = (status: number): string => say('The answer was {status}.', { status });

// ---- Numbers with their direction ----

const MINUS = '\u2212';

/** `+3`, `−2`, `0`. */
export function signed(value: number): string {
  const text = whole.format(Math.abs(value));
  return text === '0' ? text : `${value > 0 ? '+' : MINUS}${text}`;
}

/** `+4 %`. */
export const signedPercent = (percent: number): string => `${signed(percent)}\u00a0%`;

/** `−1.3`, with one decimal. */
function signedDecimal(value: number): string {
  const size = Math.round(Math.abs(value) * 10) / 10;
  return size === 0 ? '0' : `${value > 0 ? '+' : MINUS}${inTenths(size)}`;
}

export const pointsChange = (now: number, before: number): string =>
  say('{now} pt', { now: signedDecimal(now - before) });
export const countChange = (now: number, before: number): string => signed(now - before);
/** There is no percentage of zero. */
export const percentChange = (now: number, before: number): string | undefined =>
  before === 0 ? undefined : `${signedDecimal(((now - before) / before) * 100)}\u00a0%`;

/** `€1,250`, or with cents below a hundred. */
export function shortMoney(amount: WireAmount, currency: string): string {
  if (currency === '') return NOT_KNOWN;
  const digits = Math.abs(amount) < 100 ? 2 : 0;
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions).format(amount);
}

// ---- Key figures ----

export const tiles = {
  occupancy: say('Occupancy'),
  adr: 'ADR',
  revpar: say('RevPAR'),
  pickup: (nights: number): string => say('Pickup, {nights} nights', { nights }),
  cancellations: say('Cancellations'),
  market: say('Market position'),
};
export const comparedWith = [say('yesterday'), say('last year')] as const;
export const roomNights = say('nights');
export const today = say('today');
export const NO_ROOM_SOLD = say('No room is sold for this night, so there is no average.');
export const NO_MARKET = say('Nothing is known of competitors for the coming thirty nights.');
export const tileGroup = (night: string): string => say('Key figures, {night}', { night });
export const nightOf = (start: string, businessDate: string): string =>
  start === '' || start === businessDate ? say('tonight') : mediumDay(start);
export const soldOf = (sold: number, available: number): string =>
  say('{sold} rooms sold of {available} that there are to sell.', { sold, available });
export const revenueOver = (revenue: number, rooms: number, which: 'sold' | 'available', currency: string): string =>
  which === 'sold'
    ? say('{revenue} room revenue over {rooms} rooms sold.', { revenue: moneyText(revenue, currency), rooms })
    : say('{revenue} room revenue over {rooms} rooms available.', { revenue: moneyText(revenue, currency), rooms });
/** Pickup has one definition on every page: net room nights sold since the roll, for the shown nights. */
export const pickedUpSince = (roomNights: number, at: number, nights: ShownNights): string =>
  say('{roomNights} room nights sold less cancelled since the business day began at {at}, for the nights {nights}.', {
    roomNights: signed(roomNights),
    at: timeOfDay(at),
    nights: nightsShown(nights),
  });
export type ShownNights = { start: string; end: string };
export const nightsShown = ({ start, end }: ShownNights): string => (start === '' ? NOT_KNOWN : dayRange(start, end));
export const cancelledSince = (count: number, at: number): string =>
  say(
    '{count} {count, plural, one {reservation} other {reservations}} cancelled since the business day began at {at}.',
    { count, at: timeOfDay(at) },
  );
/** When a source of rates is queried next, or should have been. */
export const syncDue = (at: number, isOver: boolean): string =>
  isOver
    ? say('The next rates were due at {at}.', { at: shortTime(at) })
    : say('The next rates are due at {at}.', { at: shortTime(at) });
export const marketIndex = (index: number, average: number, currency: string): string =>
  say("Our rates are {index} % of the market's average, {average}, over thirty nights.", {
    index: inTenths(index),
    average: moneyText(average, currency),
  });

const POSITIONS: Record<string, string> = {
  ABOVE_MARKET: say('above market'),
  AT_MARKET: say('at market'),
  BELOW_MARKET: say('below market'),
};
export const ofMarket = (position: string | null | undefined): string =>
  [say('of market'), POSITIONS[position ?? '']].filter(Boolean).join(', ');

/** `as of just now`, `12 min old`, `3 h old`. */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return say('as of just now');
  return minutes < 120
    ? say('{minutes} min old', { minutes })
    : say('{minutes} h old', { minutes: Math.floor(minutes / 60) });
}

/** For data that should be current. */
export function oldData(from: number, ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const age = seconds < 60 ? say('{seconds} s old', { seconds: Math.max(0, seconds) }) : ageOf(ms);
  return say('Data from {from}, not live, {age}', { from: timeOfDay(from), age });
}

// ---- The grid ----

export const fullWord = say('Full');
export const closedWord = say('Closed');
export const minutesLeftOf = (rooms: number): string => say('{rooms} left', { rooms });
export const heldOf = (rooms: number): string => say('{rooms} held', { rooms });

export const modeNames = {
  occupancy: say('Occupancy'),
  rate: say('Rate'),
  recommended: say('vs recommended'),
  market: say('vs market'),
};
export const modesLegend = say('Cells show');
const MODE_HINTS = {
  occupancy: say('Rooms sold in percent, and rooms left'),
  rate: say('The price of the night, and rooms left'),
  recommended: say('The price against the recommended one, which stands below'),
  market: say("The price against the competitors' median, which stands below"),
};
export const modeHint = (mode: keyof typeof MODE_HINTS): string => MODE_HINTS[mode];

export const grid = {
  region: say('Nights, scrollable'),
  roomType: say('Room type'),
  today: say('Today'),
  weekend: say('weekend'),
  property: say('Property'),
  sold: say('sold, %'),
  choose: say('Choose a night to see all its numbers.'),
};

/** Legend of the cell colours by mode, from the palest to the strongest, with other marks. */
export const legends: Record<keyof typeof MODE_HINTS, { from: string; to: string; marks: readonly LegendMark[] }> = {
  occupancy: {
    from: say('0 % sold'),
    to: '100 %',
    marks: [
      { mark: 'held', says: say('held') },
      { mark: 'few', says: say('few left') },
      { mark: 'closed', says: say('closed') },
    ],
  },
  rate: { from: say('0 % sold'), to: '100 %', marks: [] },
  recommended: { from: say('Below recommended'), to: say('above'), marks: [] },
  market: { from: say('Below market'), to: say('above'), marks: [] },
};
type LegendMark = { mark: 'held' | 'few' | 'closed'; says: string };
export const pricesIn = (currency: string): string =>
  currency === '' ? '' : say('Prices in {currency}', { currency });

/** All numbers of a cell. */
export const cellFacts = (item: GridItem): string[] => [
  say('{availableRooms} left of {totalRooms}', { availableRooms: item.availableRooms, totalRooms: item.totalRooms }),
  say('{bookedRooms} booked', { bookedRooms: item.bookedRooms }),
  say('{heldRooms} held', { heldRooms: item.heldRooms }),
  say('{blockedRooms} blocked', { blockedRooms: item.blockedRooms }),
  item.rate === null ? say('no rate') : moneyText(item.rate, item.currency),
];

/** What a mode adds to the description of a cell. */
export function compared(what: 'recommended' | 'market', percent: number | undefined): string {
  const name = what === 'recommended' ? say('the recommended rate') : say("the market's median");
  if (percent === undefined) return what === 'recommended' ? say(', nothing recommended') : say(', market not known');
  const rounded = Math.round(percent);
  if (rounded === 0) return say(', as {name}', { name });
  return rounded > 0
    ? say(', {percent} % above {name}', { percent: rounded, name })
    : say(', {percent} % below {name}', { percent: -rounded, name });
}

export const gridCaption = (hint: string, nights: number): string =>
  say('{hint}: each room type, {nights} nights. Arrow keys move from cell to cell, Enter shows a night in detail.', {
    hint,
    nights,
  });

// ---- The night ----

export const night = {
  title: say('The night in detail'),
  none: say('Choose a night in the table: Enter, or a click.'),
  price: say('Price breakdown'),
  priceNone: say('Closed to arrival, or no rate is set.'),
  pickup: say('Pickup'),
  days: (days: number): string => say('{days, plural, one {# day} other {# days}}', { days }),
  pickupCaption: say('Rooms that came on the books of this night and room type within the last days'),
  market: say('Competitors'),
  marketNone: say('Nothing is known of competitors for this night.'),
  history: say('History'),
  historyNone: say('Nothing has happened to this night yet.'),
  historyPast: say('Nothing of late had happened to this night by then.'),
  loading: say('Loading…'),
  failed: say('Could not be loaded.'),
};
export const marketRange = (low: string, high: string, count: number): string =>
  say('{low} – {high}, {count} {count, plural, one {competitor} other {competitors}}', { low, high, count });

const RULES: Record<string, string> = {
  base: say('Base rate'),
  season: say('Season'),
  ratePlan: say('Rate plan'),
  demand: say('Demand'),
  competitor: say('Competitors'),
  bidPrice: say('Bid price'),
  liveRate: say('Live rate'),
  bounds: say('Bounds'),
  weekend: say('Weekend'),
  lastMinute: say('Last minute'),
  earlyBird: say('Early bird'),
  occupancy: say('Guests'),
  lengthOfStay: say('Length of stay'),
  advance: say('Booked ahead'),
  promotion: say('Promotion'),
};
export const ruleWord = (rule: string): string => RULES[rule] ?? sentenceCase(rule.replaceAll(/(?=[A-Z])/g, '_'));
export const totalWord = say('Price');

const FIELDS: Record<string, string> = {
  bookedRooms: say('booked'),
  heldRooms: say('held'),
  blockedRooms: say('blocked'),
  availableRooms: say('left'),
  totalRooms: say('rooms'),
  rate: say('rate'),
};
/** `booked 3 → 4, rate €98.00 → €99.50`, for the most significant changes. */
export function changesText(
  changes: Record<string, { from: number | null; to: number | null }>,
  currency: string,
): string {
  const text = (field: string, value: number | null): string | number =>
    field === 'rate' && value !== null ? moneyText(value, currency) : (value ?? NOT_KNOWN);
  return Object.entries(changes)
    .filter(([field]) => field !== 'availableRooms' || Object.keys(changes).length === 1)
    .map(([field, { from, to }]) => `${FIELDS[field] ?? field} ${text(field, from)} → ${text(field, to)}`)
    .join(', ');
}

// ---- Recommendations ----

export const advice = {
  title: say('Recommended'),
  none: say('No recommendations have been requested yet.'),
  nothing: say('No other rates are expected to bring more.'),
  ask: say('Recommend for 30 nights'),
  again: say('Refresh'),
  running: (progress: number): string => say('Being worked out, {progress} %', { progress }),
  failed: say('The last optimization failed. Retry.'),
  reject: say('Reject'),
  rejectAll: say('Reject all'),
  take: say('Accept'),
  acceptOne: (what: string): string => say('Accept {what}', { what }),
  rejectOne: (what: string): string => say('Reject {what}', { what }),
  lock: say('Lock'),
  lockOne: (what: string): string => say('Lock the rate of {what}', { what }),
  unlock: say('Unlock'),
  unlockOne: (what: string): string => say('Unlock the rate of {what}', { what }),
  locked: say('rate locked'),
  pending: say('another rate is recommended'),
  lockRate: say('Lock the rate'),
  lockHint: say('No optimization moves a rate that is locked.'),
  rejected: (nights: number): string =>
    say('{nights, plural, one {# night} other {# nights}} rejected, on this screen only.', { nights }),
  undo: say('Show again'),
  accept: (nights: number): string => say('Accept {nights, plural, one {# night} other {# nights}}', { nights }),
  confirm: say('Yes, set these rates'),
  keep: say('Not now'),
  question: (nights: number): string =>
    say('Set the recommended rates of {nights, plural, one {# night} other {# nights}}?', { nights }),
  accepted: (nights: number): string =>
    say('{nights, plural, one {# night has} other {# nights have}} the recommended rate.', { nights }),
  done: say('Applied'),
  moved: say('rate moved since'),
  from: (time: string): string => say('from {time}', { time }),
  more: (percent: number): string => say('{percent} % revenue expected', { percent: signedDecimal(percent) }),
};
export const nightsWord = (nights: number): string =>
  say('{nights, plural, one {# night} other {# nights}}', { nights });

// ---- Bookings ----

export const feed = {
  title: say('Bookings'),
  scope: say('for these nights'),
  none: say('Nothing yet. New bookings appear here by themselves.'),
  label: say('Bookings as they come in'),
  list: say('Newest bookings'),
  guest: say('Guest'),
  imported: (count: number): string =>
    say('{count, plural, one {# imported booking is} other {# imported bookings are}} not listed here.', { count }),
};
