import type { EventRow } from '../events/rules/event-records.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { SubscriptionKind } from './rules/kinds.ts';

/** A cursor: the position of a subscription in the journal of a property. */
export type CursorAddress = Address & { subscriptionId: string };

/** The last commit that was sent whole, and how many events of the next one were sent too. */
export type CursorPosition = { seq: number; part: number };

/** A cursor that is leased to this node, under a fence. */
export type LeasedCursor = CursorPosition & {
  of: CursorAddress;
  epoch: number;
  /** The state of the property is to be sent first. */
  snapshot: boolean;
  /** Failures in a row. */
  attempts: number;
};

/** A journal row with the generation in which it was written. */
export type CursorRow = EventRow & { generation: number };

/** The next rows of a leased cursor, in order. */
export type CursorPage = {
  cursor: LeasedCursor;
  /** Newest row of the property at the time of the read; the rows may end before it. */
  newest: number;
  generation: number;
  rows: CursorRow[];
  /** Why the rows cannot be read, though the database is available. */
  unreadable?: string;
};

/** Move of a cursor after the effect, from where it was found. It ends the lease. */
export type CursorMove = {
  cursor: LeasedCursor;
  to: CursorPosition;
  /** The snapshot was sent. */
  snapshot?: boolean;
  /** Why sending ended, without content of events. */
  failure?: string;
  /** Nothing is sent for this time. */
  pauseMs?: number;
};

/** A subscription that is sent something. */
export type ActiveSubscription = {
  tenantId: string;
  subscriptionId: string;
  kind: SubscriptionKind;
  /** Every property without it. */
  propertyIds?: readonly string[];
};

/** Cursors with something to send, over all nodes. */
export type CursorLag = { cursors: number; rows: number; oldest: Instant | undefined; failing: number };

/** Whether the rows of a cursor are read. */
export type ReadsRows = (cursor: LeasedCursor) => boolean;

/** Positions of subscriptions in the journals of all tenants (docs/concepts/subscriptions.md#position). */
export interface Cursors {
  /** Active subscriptions, at most `limit`. */
  active(limit: number): Promise<ActiveSubscription[]>;
  /** Cursors of this node's properties with something to send whose time has come, those longest unmoved first. */
  due(limit: number): Promise<CursorAddress[]>;
  /** Leases these to this node; those of another node, or whose time has not come, are left out. */
  claim(of: readonly CursorAddress[]): Promise<LeasedCursor[]>;
  /** Next rows of these cursors, some hundred in all; cursors beyond that, and those that read none, get none. */
  pages(of: readonly LeasedCursor[], reads: ReadsRows): Promise<CursorPage[]>;
  /** Moves cursors. @returns those that moved, with the seconds since which each fails; the others were lost */
  move(all: readonly CursorMove[]): Promise<{ move: CursorMove; failingSeconds: number | undefined }[]>;
  lag(): Promise<CursorLag>;
}

/** What sending a page has come to: the last position whose effect is there, and why it ended there. */
export type SendResult = {
  to: CursorPosition;
  snapshot?: boolean;
  failure?: SendFailure;
  /** Nothing is sent for this time, though nothing failed: the pace of the receiver. */
  pauseMs?: number;
};

/** Why a receiver did not take something, in texts of ours. */
export type SendFailure = {
  why: string;
  /** Least pause that the receiver wants. */
  retryAfterMs?: number;
  /** The receiver will never take anything again. */
  isGone?: boolean;
};

/** Who sends the pages of a kind of subscription. One page of a cursor at a time, in order. */
export interface SubscriptionSender {
  /** It needs no rows: what they change is seen in the state of the property. */
  readonly readsState?: true;
  /**
   * Sends rows of whole commits in order, or the state of the property when `page.cursor.snapshot`.
   * @param mayGoOn whether this node still has the cursor; nothing is sent once it says no
   */
  send(page: CursorPage, mayGoOn: () => boolean): Promise<SendResult>;
  /** Nothing was taken for too long, or never will be: sending ends until a person resumes it. */
  giveUp(of: CursorAddress, because: 'UNDELIVERABLE' | 'GONE', why: string): Promise<void>;
}

/** Figures of the cursors since the start of this node, and their lag. */
export type SubscriptionFigures = {
  /** Rows that cursors are behind their properties. */
  lag: number;
  /** Seconds that the longest waiting row has waited. */
  oldestAgeSeconds: number;
  /** Cursors whose receiver does not take what it is sent. */
  failing: number;
  /** Cursors with a row that this build cannot read. */
  stopped: number;
  /** Subscriptions that this node has paused since its start: three days without success, or a receiver that is gone. */
  givenUp: number;
  /** Pages sent since the start. */
  pages: number;
};
