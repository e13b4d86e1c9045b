import type { FeedItem, GridItem } from '../../src/contracts/live.ts';
import type { ConnectionState } from './connection.ts';
import { longDay, timeOfDay } from './days.ts';

/** The connection in words; `dataFrom` is when what is shown was last known to be true. */
export function describeConnection(state: ConnectionState, now: number, dataFrom: number | undefined): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting';
    case 'catching-up':
      return 'Catching up';
    case 'live':
      return state.lagMs === undefined ? 'Live' : `Live, ${duration(state.lagMs)} behind`;
    case 'reconnecting': {
      const seconds = Math.ceil((state.retryAt - now) / 1000);
      const next = seconds > 0 ? `, next in ${seconds} s` : '';
      return `Reconnecting, attempt ${state.attempt}${next}`;
    }
    case 'offline':
      return dataFrom === undefined ? 'Offline' : `Offline, showing data from ${timeOfDay(dataFrom)}`;
    case 'signed-out':
      return 'Signed out';
  }
}

/** The same without what changes all the time: for screen readers, which read every change aloud. */
export function announceConnection(state: ConnectionState, now: number, dataFrom: number | undefined): string {
  if (state.kind === 'live') return 'Live';
  if (state.kind === 'reconnecting') return `Reconnecting, attempt ${state.attempt}`;
  return describeConnection(state, now, dataFrom);
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** How a cell stands, apart from how full it is. */
export type CellMood = 'open' | 'few' | 'full' | 'closed';

/** A tenth of the rooms, five at most: what a desk would call "the last ones". */
export function moodOf(item: GridItem): CellMood {
  if (item.availableRooms > 0) {
    const few = Math.min(5, Math.max(1, Math.ceil(item.totalRooms / 10)));
    return item.availableRooms <= few ? 'few' : 'open';
  }
  return item.blockedRooms > item.bookedRooms + item.heldRooms ? 'closed' : 'full';
}

/** Rooms taken, in tenths of all rooms: the step of the tint. */
export function tenthsTaken(item: GridItem): number {
  if (item.totalRooms === 0) return 10;
  return Math.min(10, Math.round(((item.bookedRooms + item.heldRooms) / item.totalRooms) * 10));
}

/** One cell in a sentence. */
export function describeCell(item: GridItem): string {
  const day = `${item.roomType}, ${longDay(item.date)}`;
  const mood = moodOf(item);
  const left =
    mood === 'full' ? 'sold out' : mood === 'closed' ? 'closed' : `${item.availableRooms} of ${item.totalRooms} left`;
  return `${day}: ${left}, ${item.rate === null ? 'no rate' : money(item.rate, item.currency)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** `€199.00`. */
export function money(amount: number, currency: string): string {
  let format = formats.get(currency);
  if (!format) formats.set(currency, (format = new Intl.NumberFormat(undefined, { style: 'currency', currency })));
  return format.format(amount);
}

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** `1,250`: a cell has no room for more; the line below the table has the cents. */
export function wholeAmount(amount: number): string {
  return whole.format(amount);
}

export type Happening = { verb: string; kind: 'good' | 'bad' | 'change' | 'waiting' };

const HAPPENINGS: Record<string, Happening> = {
  HELD: { verb: 'Paying', kind: 'waiting' },
  CREATED: { verb: 'Booked', kind: 'good' },
  CONFIRMED: { verb: 'Confirmed', kind: 'good' },
  RELEASED: { verb: 'Let go', kind: 'bad' },
  MODIFIED: { verb: 'Changed', kind: 'change' },
  CANCELLED: { verb: 'Cancelled', kind: 'bad' },
  EXPIRED: { verb: 'Expired', kind: 'bad' },
};

/** What an entry of the feed tells. */
export function happeningOf(item: FeedItem): Happening {
  return HAPPENINGS[item.type] ?? { verb: sentenceCase(item.type), kind: 'change' };
}

function sentenceCase(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase().replaceAll('_', ' ');
}
