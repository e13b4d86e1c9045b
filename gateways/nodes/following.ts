import { Observable } from 'rxjs';

import type { FollowFrom, LiveFeed, LiveListener, LiveView } from '../../src/kernel/property-actors.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Room } from '../../src/properties/rules/property.ts';
import type { GridCell } from '../../src/rates/rules/queries.ts';
import type { OtbEntry } from '../../src/stay/rules/otb-entry.ts';
import { reshapes } from '../live/texts.ts';
import { type CallAnswer, MAX_CHARACTERS } from './node-call.ts';

type Head = { seq: number; generation: number; at: Instant };

/** A view without methods. Cells are sent as columns: a large property has some thousand. */
type WireView = Head & {
  businessDate: Day;
  currency: string;
  books: readonly OtbEntry[];
  rooms: Room[];
  /** Absent from nodes of earlier releases. */
  extraStays?: LiveView['extraStays'];
  cells: WireCells;
};
type WireCells = { [K in keyof GridCell]: GridCell[K][] };

/** Packets of the owner: first the state, then committed entries, until `lost`. */
export type FeedPacket =
  | { view: WireView; missed?: JournalEntry[]; history: readonly JournalEntry[]; recent: JournalEntry[] }
  | { entry: JournalEntry; head: Head }
  | { lost: true };

/** Characters of earlier entries: changes of a whole horizon, repeated, would exceed the longest message. */
const MAX_CHARACTERS_SENT = MAX_CHARACTERS / 8;

/** Bytes that may wait for a slow follower; beyond them it gets `lost`. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Owner's side: a property as a stream of packets. It ends with `lost` when the actor leaves, when the property's
 * shape changes (following again sends all of it), and when the reader is too slow.
 *
 * @param isSlow whether too many bytes wait for the reader
 */
export function feedPackets(
  follow: (listener: LiveListener) => Promise<LiveFeed>,
  from: FollowFrom | undefined,
  isSlow: () => boolean,
): Observable<CallAnswer<FeedPacket>> {
  return new Observable((subscriber) => {
    let feed: LiveFeed | undefined;
    let over = false;
    const early: FeedPacket[] = [];
    const say = (packet: FeedPacket): void => {
      if (over) return;
      if (!feed) early.push(packet);
      else if ('lost' in packet || isSlow()) {
        over = true;
        feed.close();
        subscriber.next({ ok: { lost: true } });
        subscriber.complete();
      } else subscriber.next({ ok: packet });
    };
    const listener: LiveListener = {
      entry: (entry, { seq, generation, at }) => {
        const isNewShape = entry.facts.businessDate !== undefined || reshapes(entry);
        say(isNewShape ? { lost: true } : { entry, head: { seq, generation, at } });
      },
      lost: () => say({ lost: true }),
    };
    const begin = async (): Promise<void> => {
      const opened = await follow(listener);
      if (over) return opened.close();
      feed = opened;
      subscriber.next({ ok: firstPacket(opened, from) });
      for (const packet of early.splice(0)) say(packet);
    };
    begin().catch((error: unknown) => subscriber.error(error));
    return () => {
      over = true;
      feed?.close();
    };
  });
}

/**
 * A follower with the state gets only what it missed, if that is complete and not too long; a new follower can do
 * without the oldest entries.
 */
function firstPacket(feed: LiveFeed, from: FollowFrom | undefined): FeedPacket {
  const { view, recent } = feed;
  const missed = feed.missed && newest(feed.missed).length === feed.missed.length ? feed.missed : undefined;
  const history = newest(feed.history);
  const isEnough =
    from?.continues && missed?.every((entry) => entry.facts.businessDate === undefined && !reshapes(entry));
  if (isEnough) return { view: wireView(view, false), missed, history: [], recent: [] };
  return { view: wireView(view, true), ...(missed && { missed }), history, recent };
}

/** The newest entries that fit into a message beside the state, oldest first. */
function newest(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  let left = MAX_CHARACTERS_SENT;
  let from = entries.length;
  while (from > 0 && (left -= JSON.stringify(entries[from - 1]).length) >= 0) from -= 1;
  return entries.slice(from);
}

function wireView(view: LiveView, withCells: boolean): WireView {
  const { seq, generation, at, businessDate, currency, books, setup, extraStays } = view;
  const cells = columns(withCells ? view.grid(0, LAST_DAY) : []);
  const ofCells = withCells ? { rooms: setup.rooms, ...(extraStays && { extraStays }) } : { rooms: [] };
  return { seq, generation, at, businessDate, currency, books, ...ofCells, cells };
}

/** A day that no window reaches. */
const LAST_DAY: Day = 100_000;

function columns(cells: readonly GridCell[]): WireCells {
  return {
    roomType: cells.map(({ roomType }) => roomType),
    day: cells.map(({ day }) => day),
    total: cells.map(({ total }) => total),
    booked: cells.map(({ booked }) => booked),
    held: cells.map(({ held }) => held),
    blocked: cells.map(({ blocked }) => blocked),
    available: cells.map(({ available }) => available),
    rate: cells.map(({ rate }) => rate),
  };
}

/** A committed state received from another node. */
function remoteView({ rooms, cells, ...rest }: WireView): LiveView {
  return { ...rest, setup: { rooms }, grid: (...of) => rows(cells, ...of) };
}

function noCells(): never {
  throw new Error('the state of an entry from another node has no cells: it is followed again');
}

function rows(cells: WireCells, start: Day, end: Day, ofType?: string): GridCell[] {
  const { roomType, day, total, booked, held, blocked, available, rate } = cells;
  const found: GridCell[] = [];
  for (let at = 0; at < day.length; at++) {
    if (day[at]! < start || day[at]! > end || (ofType !== undefined && roomType[at] !== ofType)) continue;
    const counts = { total: total[at]!, booked: booked[at]!, held: held[at]!, blocked: blocked[at]! };
    found.push({ roomType: roomType[at]!, day: day[at]!, ...counts, available: available[at]!, rate: rate[at]! });
  }
  return found;
}

/**
 * Follower's side: packets as the port's feed.
 *
 * @param packets ends, or fails, when the owner or the link is gone
 * @param close notifies the owner of the end
 * @throws what the packets fail with before the first of them
 */
export function feedFrom(
  packets: Observable<FeedPacket>,
  listener: LiveListener,
  close: () => void,
): Promise<LiveFeed> {
  return new Promise((resolve, reject) => {
    let view: LiveView | undefined;
    let over = false;
    const lost = (): void => {
      if (over) return;
      over = true;
      listener.lost();
    };
    const subscription = packets.subscribe({
      next(packet) {
        if ('lost' in packet) return lost();
        if ('entry' in packet) {
          // For followers that advance by entries, only the head changes; the cells stay those of the first state.
          if (!over && view) listener.entry(packet.entry, { ...view, ...packet.head, grid: noCells });
          return;
        }
        view = remoteView(packet.view);
        resolve({
          view,
          missed: packet.missed,
          history: packet.history,
          recent: packet.recent,
          close() {
            over = true;
            subscription.unsubscribe();
            close();
          },
        });
      },
      error(error: unknown) {
        if (view) lost();
        else reject(error);
      },
      complete() {
        if (view) lost();
        else reject(new Error('the owner ended the feed before it began'));
      },
    });
  });
}
