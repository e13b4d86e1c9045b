import { setTimeout as pause } from 'node:timers/promises';

import type { FollowFrom, LiveFeed, LiveView, PropertyActors } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Position } from '../../src/live/contracts/live.ts';
import { type MarketNight, WATCHED_NIGHTS } from '../../src/rates/rules/competitor-rate.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import type { GatewayLimits } from './limits.ts';
import type { LiveLog } from './log.ts';

/** Receives what a follower reads, in order and without gaps. */
export interface FollowerListener {
  /** Starts anew: everything known before is void. */
  begin(feed: LiveFeed, market: readonly MarketNight[]): void;
  /** The next entries. Returns false when they must wait for those up to `view`; they come again together. */
  advance(entries: readonly JournalEntry[], view: LiveView): boolean;
  /** The property can no longer be followed. */
  gone(error: DomainError): void;
}

/** Reads competitors' rates for the nights from `start` to `end`, both inclusive: actors do not have them. */
export type ReadMarket = (of: Address, start: Day, end: Day) => Promise<readonly MarketNight[]>;

export type FollowerParts = {
  properties: PropertyActors;
  market: ReadMarket;
  limits: GatewayLimits;
  log: LiveLog;
  /** Changes were sent to sockets. @param since commit time of the first of them */
  sent?: (since: Instant) => void;
};

/**
 * Follows one property while it has subscribers, wherever its actor moves: after `lost()` it calls `follow` again from
 * the current position, which continues without a gap or starts anew.
 */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #address: Address;
  readonly #listener: FollowerListener;
  readonly #closing = new AbortController();
  /** Resolves when the property is followed (again); rejects only for the very first attempt. */
  #ready: Promise<void> = Promise.resolve();
  #feed: LiveFeed | undefined;
  /** Distinguishes calls of the current feed from those of earlier ones. */
  #round = 0;
  #followedAt = 0;
  #attempts = 0;
  #position: Position | undefined;
  #view: LiveView | undefined;
  #gathered: JournalEntry[] = [];
  #flushing = false;

  constructor(parts: FollowerParts, address: Address, listener: FollowerListener) {
    this.#parts = parts;
    this.#address = address;
    this.#listener = listener;
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** @throws DomainError PROPERTY_NOT_FOUND, or why the property cannot be reached now */
  start(from: Position | undefined): Promise<void> {
    return (this.#ready = this.#follow(from));
  }

  /** Delivers the entries of this tick. */
  flush(): void {
    if (this.#gathered.length === 0 || !this.#view) return;
    const entries = this.#gathered;
    this.#gathered = [];
    if (!this.#listener.advance(entries, this.#view)) this.#gathered = entries;
  }

  close(): void {
    this.#round += 1;
    this.#closing.abort();
    this.#gathered = [];
    this.#feed?.close();
    this.#feed = undefined;
  }

  async #follow(from: FollowFrom | undefined): Promise<void> {
    const round = ++this.#round;
    const early: [JournalEntry, LiveView][] = [];
    let hear = (entry: JournalEntry, view: LiveView): void => void early.push([entry, view]);
    const feed = await this.#parts.properties.follow(this.#address, from, {
      entry: (entry, view) => {
        if (round === this.#round) hear(entry, view);
      },
      lost: () => {
        if (round === this.#round) this.#lost();
      },
    });
    if (round !== this.#round) {
      return this.#overtaken(feed);
    }
    this.#feed = feed;
    this.#followedAt = performance.now();
    try {
      if (!this.#goesOn(feed)) await this.#begin(feed, round);
    } catch (thrown) {
      this.#feed = undefined;
      feed.close();
      throw thrown;
    }
    if (round !== this.#round) return this.#overtaken(feed);
    hear = (entry, view) => this.#take(entry, view);
    for (const [entry, view] of early) if (round === this.#round) this.#take(entry, view);
  }

  /** Another attempt has replaced the one that got this feed. */
  async #overtaken(feed: LiveFeed): Promise<void> {
    feed.close();
    if (!this.#closing.signal.aborted) await this.#ready;
  }

  /** Continues from the current position if the feed has everything since. @returns whether it does */
  #goesOn({ view, missed }: LiveFeed): boolean {
    const at = this.#position;
    const unbroken = at && missed?.every(({ seq }, index) => seq === at.seq + 1 + index);
    if (at && unbroken && at.generation === view.generation && at.seq + missed!.length === view.seq) {
      for (const entry of missed!) this.#take(entry, view);
      // Before those that came since: only this view has the cells that a changed shape needs.
      this.#flushSafely();
      return true;
    }
    return false;
  }

  /** The market is read after the feed has started: later changes come as entries. */
  async #begin(feed: LiveFeed, round: number): Promise<void> {
    const { view } = feed;
    const market = await this.#market(view);
    if (round !== this.#round) return;
    this.#gathered = [];
    this.#view = view;
    this.#position = { generation: view.generation, seq: view.seq };
    this.#listener.begin(feed, market);
  }

  /** A property whose market cannot be read is shown without one. */
  async #market({ businessDate }: LiveView): Promise<readonly MarketNight[]> {
    try {
      return await this.#parts.market(this.#address, businessDate, businessDate + WATCHED_NIGHTS - 1);
    } catch (thrown) {
      this.#parts.log.warn({ err: thrown, property: this.#address.propertyId }, 'the market cannot be read');
      return [];
    }
  }

  #take(entry: JournalEntry, view: LiveView): void {
    const at = this.#position;
    if (!at || entry.seq <= at.seq) return;
    if (entry.seq !== at.seq + 1 || view.generation !== at.generation || view.seq < entry.seq) {
      this.#parts.log.warn({ property: this.#address.propertyId, at, got: entry.seq }, 'entries do not continue');
      this.#lost();
      return;
    }
    this.#position = { generation: at.generation, seq: entry.seq };
    this.#view = view;
    this.#gathered.push(entry);
    if (this.#flushing) return;
    // Entries of one batch arrive in one tick, and are processed together at its end.
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      this.#flushSafely();
    });
  }

  /** If an entry cannot be processed, a new snapshot follows. */
  #flushSafely(): void {
    if (this.#closing.signal.aborted) return;
    try {
      this.flush();
    } catch (thrown) {
      this.#parts.log.error({ err: thrown, property: this.#address.propertyId }, 'live entries could not be shown');
      this.#position = undefined;
      this.#lost();
    }
  }

  #lost(): void {
    this.#round += 1;
    this.#feed?.close();
    this.#feed = undefined;
    if (performance.now() - this.#followedAt > this.#parts.limits.retryMostMs) this.#attempts = 0;
    this.#ready = this.#again();
  }

  async #again(): Promise<void> {
    const { limits, log } = this.#parts;
    while (!this.#closing.signal.aborted) {
      const delay =
        this.#attempts === 0 ? 0 : Math.min(limits.retryMostMs, limits.retryFirstMs * 2 ** this.#attempts);
      this.#attempts = Math.min(this.#attempts + 1, 20);
      try {
        await pause(delay, undefined, { signal: this.#closing.signal });
        return await this.#follow(this.#position && { ...this.#position, continues: true });
      } catch (thrown) {
        if (this.#closing.signal.aborted) return;
        const error = domainErrorOf(thrown);
        if (error.kind === 'missing') {
          this.#listener.gone(error);
          return;
        }
        log.warn({ property: this.#address.propertyId, code: error.code }, 'property cannot be followed again yet');
      }
    }
  }
}
