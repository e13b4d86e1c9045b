import type { WireAmount } from '../../src/kernel/contracts/wire-money.ts';
import type { FeedItem, GridItem } from '../../src/live/contracts/live.ts';
import { dayRange, longDay, mediumDay, shortTime, timeOfDay } from './grid/days.ts';
import { momentOf, pausing, travel } from './history/messages.ts';
import type { ConnectionState } from './live/connection.ts';

/** Shown status: that of the connection, unless the page is paused. */
export type ShownStanding = ConnectionState | { kind: 'paused'; held: number };

/** The connection in words; `dataFrom` is when the shown data was last known to be current. */
export function describeConnection(state: ShownStanding, now: number, dataFrom: number | undefined): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting';
    case 'catching-up':
      return 'Catching up';
    case 'live':
      return state.lagMs === undefined ? 'Live' : `Live, ${duration(state.lagMs)} behind`;
    case 'paused':
      return pausing.paused(state.held);
    case 'past':
      return travel.pastOf(momentOf(state.asOf, now));
    case 'reconnecting': {
      const seconds = Math.ceil((state.retryAt - now) / 1000);
      const next = seconds > 0 ? `, next in ${seconds} s` : '';
      return `Reconnecting, attempt ${state.attempt}${next}`;
    }
    case 'offline':
      return dataFrom === undefined ? 'Offline' : `Offline, showing data from ${timeOfDay(dataFrom)}`;
    case 'signed-out':
      return dataFrom === undefined ? 'Signed out' : `Signed out, showing data from ${timeOfDay(dataFrom)}`;
  }
}

/** The same without changing seconds: screen readers read every change aloud. */
export function announceConnection(state: ShownStanding, now: number, dataFrom: number | undefined): string {
  if (state.kind === 'live') return 'Live';
  if (state.kind === 'paused') return pausing.announced;
  if (state.kind === 'past') return travel.announced;
  if (state.kind === 'reconnecting') return `Reconnecting, attempt ${state.attempt}`;
  return describeConnection(state, now, dataFrom);
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
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
    mood === 'full' ? 'sold out' : mood === 'closed' ? 'closed' : `${item.availableRooms} of ${item.totalRooms} left`;
  return `${day}: ${left}, ${item.rate === null ? 'no rate' : moneyText(item.rate, item.currency)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** `€199.00`. Empty while the currency is unknown: formatters refuse an empty code. */
export function moneyText(amount: WireAmount, currency: string): string {
  if (currency === '') return NOT_KNOWN;
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat(undefined, { style: 'currency', currency })));
  return format.format(amount);
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** `1,250`: cells have no room for cents; the line below the table has them. */
export function wholeAmount(amount: WireAmount): string {
  return whole.format(amount);
}

type Happening = { verb: string; kind: 'good' | 'bad' | 'change' | 'waiting' };

const HAPPENINGS: Record<string, Happening> = {
  HELD: { verb: 'Paying', kind: 'waiting' },
  CREATED: { verb: 'Booked', kind: 'good' },
  CONFIRMED: { verb: 'Confirmed', kind: 'good' },
  RELEASED: { verb: 'Released', kind: 'bad' },
  MODIFIED: { verb: 'Changed', kind: 'change' },
  CANCELLED: { verb: 'Cancelled', kind: 'bad' },
  EXPIRED: { verb: 'Expired', kind: 'bad' },
  REINSTATED: { verb: 'Reinstated', kind: 'good' },
  PAYMENT_FAILED: { verb: 'Payment failed', kind: 'bad' },
};

/** Text of a feed entry. Unconfirmed reservations are called held, for the given time, never booked. */
export function happeningOf(item: FeedItem): Happening {
  const isOpen = ['CREATED', 'MODIFIED', 'REINSTATED'].includes(item.type);
  if (isOpen && item.status === 'PENDING') return { verb: heldUntil(item.heldUntil), kind: 'waiting' };
  return HAPPENINGS[item.type] ?? { verb: sentenceCase(item.type), kind: 'change' };
}

const heldUntil = (at: number | undefined): string =>
  at === undefined ? 'Held, not confirmed' : `Held until ${shortTime(at)}`;

function sentenceCase(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** Placeholder for an unknown number, never for zero. */
export const NOT_KNOWN = '–';
export const NO_DATA = 'Not known yet.';
export const UNREACHABLE = 'The service cannot be reached.';
export const answeredWith = (status: number): string => `The answer was ${status}.`;

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
  const text = Math.abs(value).toFixed(1);
  return text === '0.0' ? '0' : `${value > 0 ? '+' : MINUS}${text}`;
}

export const pointsChange = (now: number, before: number): string => `${signedDecimal(now - before)}\u00a0pt`;
export const countChange = (now: number, before: number): string => signed(now - before);
/** There is no percentage of zero. */
export const percentChange = (now: number, before: number): string | undefined =>
  before === 0 ? undefined : `${signedDecimal(((now - before) / before) * 100)}\u00a0%`;

/** `€1,250`, or with cents below a hundred. */
export function shortMoney(amount: WireAmount, currency: string): string {
  if (currency === '') return NOT_KNOWN;
  const digits = Math.abs(amount) < 100 ? 2 : 0;
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(undefined, options as Intl.NumberFormatOptions).format(amount);
}

// ---- Key figures ----

export const tiles = {
  occupancy: 'Occupancy',
  adr: 'ADR',
  revpar: 'RevPAR',
  pickup: (nights: number): string => `Pickup, ${nights} nights`,
  cancellations: 'Cancellations',
  market: 'Market position',
};
export const comparedWith = ['yesterday', 'last year'] as const;
export const nothingToCompare = 'nothing to compare with';
export const roomNights = 'nights';
export const today = 'today';
export const NO_ROOM_SOLD = 'No room is sold for this night, so there is no average.';
export const NO_MARKET = 'Nothing is known of competitors for the coming thirty nights.';
export const tileGroup = (night: string): string => `Key figures, ${night}`;
export const nightOf = (start: string, businessDate: string): string =>
  start === '' || start === businessDate ? 'tonight' : mediumDay(start);
export const soldOf = (sold: number, available: number): string =>
  `${sold} rooms sold of ${available} that there are to sell.`;
export const revenueOver = (revenue: number, rooms: number, which: 'sold' | 'available', currency: string): string =>
  `${moneyText(revenue, currency)} room revenue over ${rooms} rooms ${which}.`;
/** Pickup has one definition on every page: net room nights sold since the roll, for the shown nights. */
export const pickedUpSince = (roomNights: number, at: number, nights: ShownNights): string =>
  `${signed(roomNights)} room nights sold less cancelled since the business day began at ${timeOfDay(at)}, for the nights ${nightsShown(nights)}.`;
export type ShownNights = { start: string; end: string };
export const nightsShown = ({ start, end }: ShownNights): string => (start === '' ? NOT_KNOWN : dayRange(start, end));
export const cancelledSince = (count: number, at: number): string =>
  `${count} ${count === 1 ? 'reservation' : 'reservations'} cancelled since the business day began at ${timeOfDay(at)}.`;
/** When a source of rates is queried next, or should have been. */
export const syncDue = (at: number, isOver: boolean): string =>
  `The next rates ${isOver ? 'were' : 'are'} due at ${shortTime(at)}.`;
export const marketIndex = (index: number, average: number, currency: string): string =>
  `Our rates are ${index.toFixed(1)} % of the market's average, ${moneyText(average, currency)}, over thirty nights.`;

const POSITIONS: Record<string, string> = {
  ABOVE_MARKET: 'above market',
  AT_MARKET: 'at market',
  BELOW_MARKET: 'below market',
};
export const positionWord = (position: string | null | undefined): string => POSITIONS[position ?? ''] ?? '';

/** `as of just now`, `12 min old`, `3 h old`. */
export function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'as of just now';
  return minutes < 120 ? `${minutes} min old` : `${Math.floor(minutes / 60)} h old`;
}

/** For data that should be current. */
export function oldData(from: number, ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const age = seconds < 60 ? `${Math.max(0, seconds)} s old` : ageOf(ms);
  return `Data from ${timeOfDay(from)}, not live, ${age}`;
}

// ---- The grid ----

export const fullWord = 'Full';
export const closedWord = 'Closed';
export const minutesLeftOf = (rooms: number): string => `${rooms} left`;
export const heldOf = (rooms: number): string => `${rooms} held`;

export const modeNames = {
  occupancy: 'Occupancy',
  rate: 'Rate',
  recommended: 'vs recommended',
  market: 'vs market',
};
export const modesLegend = 'Cells show';
const MODE_HINTS = {
  occupancy: 'Rooms sold in percent, and rooms left',
  rate: 'The price of the night, and rooms left',
  recommended: 'The price against the recommended one, which stands below',
  market: "The price against the competitors' median, which stands below",
};
export const modeHint = (mode: keyof typeof MODE_HINTS): string => MODE_HINTS[mode];

export const grid = {
  region: 'Nights, scrollable',
  roomType: 'Room type',
  today: 'Today',
  weekend: 'weekend',
  property: 'Property',
  sold: 'sold, %',
  choose: 'Choose a night to see all its numbers.',
};

/** Legend of the cell colours by mode, from the palest to the strongest, with other marks. */
export const legends: Record<keyof typeof MODE_HINTS, { from: string; to: string; marks: readonly LegendMark[] }> = {
  occupancy: {
    from: '0 % sold',
    to: '100 %',
    marks: [
      { mark: 'held', says: 'held' },
      { mark: 'few', says: 'few left' },
      { mark: 'closed', says: 'closed' },
    ],
  },
  rate: { from: '0 % sold', to: '100 %', marks: [] },
  recommended: { from: 'Below recommended', to: 'above', marks: [] },
  market: { from: 'Below market', to: 'above', marks: [] },
};
type LegendMark = { mark: 'held' | 'few' | 'closed'; says: string };
export const pricesIn = (currency: string): string => (currency === '' ? '' : `Prices in ${currency}`);

/** All numbers of a cell. */
export const cellFacts = (item: GridItem): string[] => [
  `${item.availableRooms} left of ${item.totalRooms}`,
  `${item.bookedRooms} booked`,
  `${item.heldRooms} held`,
  `${item.blockedRooms} blocked`,
  item.rate === null ? 'no rate' : moneyText(item.rate, item.currency),
];

/** What a mode adds to the description of a cell. */
export function compared(what: 'recommended' | 'market', percent: number | undefined): string {
  const name = what === 'recommended' ? 'the recommended rate' : "the market's median";
  if (percent === undefined) return what === 'recommended' ? ', nothing recommended' : ', market not known';
  const rounded = Math.round(percent);
  if (rounded === 0) return `, as ${name}`;
  return `, ${Math.abs(rounded)} % ${rounded > 0 ? 'above' : 'below'} ${name}`;
}

export const gridCaption = (hint: string, nights: number): string =>
  `${hint}: each room type, ${nights} nights. Arrow keys move from cell to cell, Enter shows a night in detail.`;

// ---- The night ----

export const night = {
  title: 'The night in detail',
  none: 'Choose a night in the table: Enter, or a click.',
  price: 'Price breakdown',
  priceNone: 'Closed to arrival, or no rate is set.',
  pickup: 'Pickup',
  days: (days: number): string => (days === 1 ? '1 day' : `${days} days`),
  pickupCaption: 'Rooms that came on the books of this night and room type within the last days',
  market: 'Competitors',
  marketNone: 'Nothing is known of competitors for this night.',
  history: 'History',
  historyNone: 'Nothing has happened to this night yet.',
  historyPast: 'Nothing of late had happened to this night by then.',
  loading: 'Loading…',
  failed: 'Could not be loaded.',
};
export const marketRange = (low: string, high: string, count: number): string =>
  `${low} – ${high}, ${count} ${count === 1 ? 'competitor' : 'competitors'}`;

const RULES: Record<string, string> = {
  base: 'Base rate',
  season: 'Season',
  ratePlan: 'Rate plan',
  demand: 'Demand',
  competitor: 'Competitors',
  bidPrice: 'Bid price',
  bounds: 'Bounds',
  weekend: 'Weekend',
  lastMinute: 'Last minute',
  earlyBird: 'Early bird',
  occupancy: 'Guests',
  lengthOfStay: 'Length of stay',
  advance: 'Booked ahead',
  promotion: 'Promotion',
};
export const ruleWord = (rule: string): string => RULES[rule] ?? sentenceCase(rule.replaceAll(/(?=[A-Z])/g, '_'));
export const totalWord = 'Price';

const DEEDS: Record<string, string> = {
  BOOK: 'Booked',
  BOOK_ROOMS: 'Booked',
  CONFIRM_BOOKING: 'Booked',
  START_BOOKING: 'Held for a booking',
  START_ROOMS: 'Held for a booking',
  PLACE_HOLD: 'Held',
  RELEASE_HOLD: 'Hold released',
  EXPIRE: 'Hold expired',
  LAPSE: 'Hold expired',
  RELEASE_UNCLAIMED: 'Released',
  END_PAYMENT: 'Paid',
  TAKE_CARD: 'Guaranteed by card',
  TAKE_PAYMENT_RESULT: 'Paid',
  CHARGE_BACK: 'Charged back',
  WIN_CHARGEBACK: 'Chargeback won',
  CANCEL: 'Cancelled',
  MODIFY: 'Booking changed',
  ABANDON_BOOKING: 'Booking given up',
  SET_BASE_RATES: 'Base rates set',
  IMPLEMENT_RATES: 'Recommended rates applied',
  SET_INVENTORY: 'Rooms set',
  SET_SIGNALS: 'Demand or market moved',
  PUT_ROOM_TYPE: 'Room type set up',
  CREATE_GROUP: 'Blocked for a group',
  NO_SHOW: 'No-show',
  WALK: 'Sent to another hotel',
  OFFER_WAITLIST: 'Held for a waiting guest',
  REINSTATE: 'Reinstated',
  UPGRADE: 'Upgraded',
  COMP: 'Made complimentary',
  UNDO_COMP: 'Charged again',
  CHECK_OUT: 'Checked out',
  TICK: 'Time passed',
};
/** What a command did to a night. An unpaid booking only holds the room, so it is not called booked. */
export const deedWord = (type: string, { heldRooms: held }: CellChanges): string =>
  (type === 'BOOK' || type === 'BOOK_ROOMS') && held && (held.to ?? 0) > (held.from ?? 0)
    ? 'Held, unpaid'
    : (DEEDS[type] ?? sentenceCase(type));

type CellChanges = Record<string, { from: number | null; to: number | null } | undefined>;

const FIELDS: Record<string, string> = {
  bookedRooms: 'booked',
  heldRooms: 'held',
  blockedRooms: 'blocked',
  availableRooms: 'left',
  totalRooms: 'rooms',
  rate: 'rate',
};
/** `booked 3 → 4`, for the most significant changes. */
export function changesText(changes: Record<string, { from: number | null; to: number | null }>): string {
  return Object.entries(changes)
    .filter(([field]) => field !== 'availableRooms' || Object.keys(changes).length === 1)
    .map(([field, { from, to }]) => `${FIELDS[field] ?? field} ${from ?? NOT_KNOWN} → ${to ?? NOT_KNOWN}`)
    .join(', ');
}

// ---- Recommendations ----

export const advice = {
  title: 'Recommended',
  none: 'No recommendations have been requested yet.',
  nothing: 'No other rates are expected to bring more.',
  ask: 'Recommend for 30 nights',
  again: 'Refresh',
  running: (progress: number): string => `Being worked out, ${progress} %`,
  failed: 'The last optimization failed. Retry.',
  reject: 'Reject',
  rejectAll: 'Reject all',
  take: 'Accept',
  acceptOne: (what: string): string => `Accept ${what}`,
  rejectOne: (what: string): string => `Reject ${what}`,
  lock: 'Lock',
  lockOne: (what: string): string => `Lock the rate of ${what}`,
  unlock: 'Unlock',
  unlockOne: (what: string): string => `Unlock the rate of ${what}`,
  locked: 'rate locked',
  lockRate: 'Lock the rate',
  lockHint: 'No optimization moves a rate that is locked.',
  rejected: (nights: number): string =>
    `${nights === 1 ? '1 night' : `${nights} nights`} rejected, on this screen only.`,
  undo: 'Show again',
  accept: (nights: number): string => `Accept ${nights === 1 ? '1 night' : `${nights} nights`}`,
  confirm: 'Yes, set these rates',
  keep: 'Not now',
  question: (nights: number): string =>
    `Set the recommended rates of ${nights === 1 ? '1 night' : `${nights} nights`}?`,
  accepted: (nights: number): string =>
    `${nights === 1 ? '1 night has' : `${nights} nights have`} the recommended rate.`,
  done: 'Applied',
  moved: 'rate moved since',
  from: (time: string): string => `from ${time}`,
  more: (percent: number): string => `${signedDecimal(percent)}\u00a0% revenue expected`,
};
export const nightsWord = (nights: number): string => (nights === 1 ? '1 night' : `${nights} nights`);

// ---- Pace ----

export const pace = {
  title: 'Pace',
  caption: (nights: number): string => `Rooms on the books, ${nights} nights`,
  now: 'On the books',
  weekAgo: '7 days ago',
  lastYear: 'Last year, same weekday',
  expected: 'Forecast (80\u00a0% range)',
  capacity: 'Capacity',
  night: 'Night',
  numbers: 'Show the numbers',
  between: (expected: number, low: number, high: number): string =>
    `${Math.round(expected)} (${Math.round(low)} to ${Math.round(high)})`,
  noLastYear: 'Nothing is on record for last year.',
  noForecast: 'The forecast is not known yet.',
  noPastForecast: 'Forecasts are not available for past dates.',
};

// ---- Bookings ----

export const feed = {
  title: 'Bookings',
  scope: 'for these nights',
  none: 'Nothing yet. New bookings appear here by themselves.',
  label: 'Bookings as they come in',
  list: 'Newest bookings',
  guest: 'Guest',
};
