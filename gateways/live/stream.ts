import type { LiveFeed, LiveView } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { PropertyId } from '../../src/kernel/rules/ids.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Position } from '../../src/live/contracts/live.ts';
import type { MarketNight } from '../../src/rates/rules/competitor-rate.ts';
import { deltaText, patchesFor, type Scope, scopeKey, snapshotText } from './audience.ts';
import { type LiveChange, mergedAll } from './change.ts';
import { Outgoing } from './connection.ts';
import { feedOf, type FeedEntry } from './feed.ts';
import { Follower, type FollowerListener, type FollowerParts } from './follower.ts';
import type { GatewayLimits } from './limits.ts';
import { LiveProjection, stateOfView } from './live-projection.ts';
import { historyOf } from './past/history.ts';

/** A client's subscription, as the stream sees it. */
export interface Subscriber {
  readonly scope: Scope;
  /** Sends the next delta, after which the client is at `to`. */
  deliver(frame: Outgoing, to: Position): void;
  /** Sends a snapshot instead of deltas. */
  restart(frame: Outgoing, at: Position): void;
  /** The property was deleted or is unreachable; nothing follows. */
  ended(error: DomainError): void;
}

type Audience = { scope: Scope; members: Set<Subscriber> };

/** One followed property with its subscribers: each text is made once for all that see the same. */
export class PropertyStream implements FollowerListener {
  readonly propertyId: PropertyId;
  readonly #limits: GatewayLimits;
  readonly #follower: Follower;
  readonly #onGone: () => void;
  readonly #audiences = new Map<string, Audience>();
  readonly #texts = new Map<string, Outgoing>();
  #projection: LiveProjection | undefined;
  #head: Position = { generation: 0, seq: 0 };
  #asOf: Instant = 0;
  /** Changes up to the head, without a gap. */
  #ring: LiveChange[] = [];
  #feed: FeedEntry[] = [];
  /** Changes up to the head that have not been sent yet. */
  #due: LiveChange[] = [];
  #dueTimer: NodeJS.Timeout | undefined;
  readonly #sent: FollowerParts['sent'];
  #sentAt = Number.NEGATIVE_INFINITY;
  #ended: DomainError | undefined;

  constructor(parts: FollowerParts, address: Address, onGone: () => void) {
    this.propertyId = address.propertyId;
    this.#limits = parts.limits;
    this.#sent = parts.sent;
    this.#follower = new Follower(parts, address, this);
    this.#onGone = onGone;
  }

  /** @throws DomainError PROPERTY_NOT_FOUND, or why the property cannot be reached now */
  start(from: Position | undefined): Promise<void> {
    return this.#follower.start(from);
  }

  /** Resolves when the property is followed, which takes a while when it moves between nodes. */
  get ready(): Promise<void> {
    return this.#follower.ready;
  }

  /** Whether the property has answered. */
  get hasBegun(): boolean {
    return this.#projection !== undefined;
  }

  get isEmpty(): boolean {
    return this.#audiences.size === 0;
  }

  close(): void {
    this.#ended ??= new DomainError('NOT_EXECUTED', 'The gateway is closing.');
    this.#forgetDue();
    this.#follower.close();
  }

  /**
   * Adds a subscriber and brings it to the head: with exactly what it missed since `from`, or with a snapshot.
   *
   * @throws DomainError PROPERTY_NOT_FOUND when it has been deleted meanwhile, NOT_EXECUTED when the gateway closes
   */
  join(member: Subscriber, from: Position | undefined): void {
    this.#follower.flush();
    if (this.#ended) throw this.#ended;
    // Existing subscribers get the pending changes, which the snapshot of the new one contains.
    this.flush();
    const key = scopeKey(member.scope);
    const audience = this.#audiences.get(key) ?? { scope: member.scope, members: new Set() };
    this.#audiences.set(key, audience);
    audience.members.add(member);
    this.catchUp(member, from);
  }

  leave(member: Subscriber): void {
    const key = scopeKey(member.scope);
    const audience = this.#audiences.get(key);
    audience?.members.delete(member);
    if (audience?.members.size === 0) this.#audiences.delete(key);
  }

  /** Brings a subscriber to the head, where all others are after the flush. */
  catchUp(member: Subscriber, from?: Position): void {
    this.flush();
    const missing = from && this.#since(from);
    if (!missing) {
      member.restart(this.#snapshot(member.scope), this.#head);
      return;
    }
    if (missing.length > 0) member.deliver(this.#missed(missing, member.scope), this.#head);
  }

  begin({ view, history, recent }: LiveFeed, market: readonly MarketNight[]): void {
    this.#projection = new LiveProjection(stateOfView(view, market));
    this.#moveTo(view.generation, view.seq, view.at);
    this.#ring = historyOf(history, view, this.#projection, this.#limits.historyCells);
    this.#feed = recent.filter(({ seq }) => seq <= view.seq).flatMap(feedOf);
    this.#restartAll();
  }

  advance(entries: readonly JournalEntry[], view: LiveView): boolean {
    const last = entries.at(-1);
    const projection = this.#projection;
    if (!last || !projection) return true;
    if (entries.some(({ type }) => type === 'DELETE_PROPERTY')) {
      this.gone(new DomainError('PROPERTY_NOT_FOUND', `The property ${this.propertyId} was deleted.`));
      return true;
    }
    if (entries.some((entry) => projection.isOutgrownBy(entry))) {
      if (view.seq > last.seq) return false;
      for (const entry of entries) projection.takeMarket(entry);
      this.#projection = new LiveProjection(stateOfView(view, projection.marketFor(view)));
      this.#ring = [];
      this.#remember(entries.flatMap(feedOf));
      this.#forget(new Set(entries.flatMap(({ type, entity }) => (type === 'ERASE_GUEST' ? [entity] : []))));
      this.#moveTo(view.generation, view.seq, view.at);
      this.#restartAll();
      return true;
    }
    const changes = entries.map((entry) => projection.advance(entry));
    this.#ring.push(...changes);
    if (this.#ring.length > 2 * this.#limits.ringChanges) this.#ring = this.#ring.slice(-this.#limits.ringChanges);
    this.#remember(changes.flatMap(({ feed }) => feed));
    this.#moveTo(view.generation, last.seq, last.at);
    this.#broadcast(changes);
    return true;
  }

  gone(error: DomainError): void {
    this.#ended = error;
    this.close();
    const members = [...this.#audiences.values()].flatMap((audience) => [...audience.members]);
    this.#audiences.clear();
    for (const member of members) member.ended(error);
    this.#onGone();
  }

  /**
   * Sends at once after a quiet period, else at the end of the conflation window
   * (docs/concepts/live-stream.md#from-the-actor-to-the-client).
   */
  #broadcast(changes: readonly LiveChange[]): void {
    this.#due.push(...changes);
    if (this.#dueTimer) return;
    const left = this.#sentAt + this.#limits.conflateMs - performance.now();
    if (left <= 0) this.flush();
    else this.#dueTimer = setTimeout(() => this.flush(), left);
  }

  /** Sends the changes of the conflation window. */
  flush(): void {
    const changes = this.#due;
    this.#forgetDue();
    if (changes.length === 0) return;
    this.#sentAt = performance.now();
    const change = mergedAll(changes);
    for (const { scope, members } of this.#audiences.values()) {
      const frame = new Outgoing(this.#deltaText(change, scope));
      for (const member of members) member.deliver(frame, this.#head);
    }
    if (!this.isEmpty) this.#sent?.(changes[0]!.at);
  }

  /** Drops pending changes: they were sent, or are part of the snapshots for everybody. */
  #forgetDue(): void {
    clearTimeout(this.#dueTimer);
    this.#dueTimer = undefined;
    this.#due = [];
  }

  #deltaText(change: LiveChange, scope: Scope): string {
    const place = { propertyId: this.propertyId, generation: this.#head.generation };
    return deltaText(place, change, patchesFor(scope, change));
  }

  #restartAll(): void {
    this.#forgetDue();
    for (const { scope, members } of this.#audiences.values()) {
      const frame = this.#snapshot(scope);
      for (const member of members) member.restart(frame, this.#head);
    }
  }

  /** The changes after a position; `undefined` when some are no longer retained, or history was rewound. */
  #since({ generation, seq }: Position): LiveChange[] | undefined {
    if (generation !== this.#head.generation || seq > this.#head.seq) return undefined;
    const missing = this.#head.seq - seq;
    return missing <= this.#ring.length ? this.#ring.slice(this.#ring.length - missing) : undefined;
  }

  #snapshot(scope: Scope): Outgoing {
    return this.#textOnce(scopeKey(scope), () => {
      const { generation, seq } = this.#head;
      const place = { propertyId: this.propertyId, generation };
      const at = { seq, asOf: this.#asOf };
      return snapshotText(place, at, { projection: this.#projection!, feed: this.#feed }, scope);
    });
  }

  /** Missed changes as one delta: after a restart many clients continue from the same position. */
  #missed(changes: readonly LiveChange[], scope: Scope): Outgoing {
    const change = mergedAll(changes);
    return this.#textOnce(`${scopeKey(scope)} from ${change.from}`, () => this.#deltaText(change, scope));
  }

  /** Cached texts that bring a client to the head, valid for the current head. */
  #textOnce(key: string, make: () => string): Outgoing {
    let frame = this.#texts.get(key);
    if (!frame) {
      frame = new Outgoing(make());
      if (this.#texts.size < this.#limits.catchUpTexts) this.#texts.set(key, frame);
    }
    return frame;
  }

  #remember(entries: readonly FeedEntry[]): void {
    this.#feed.push(...entries);
    if (this.#feed.length > 2 * this.#limits.feedEntries) this.#feed = this.#feed.slice(-this.#limits.feedEntries);
  }

  /** Drops feed entries of erased guests, whose texts contain the name. */
  #forget(erased: ReadonlySet<string>): void {
    if (erased.size > 0) this.#feed = this.#feed.filter(({ reservationId }) => !erased.has(reservationId));
  }

  #moveTo(generation: number, seq: number, at: Instant): void {
    this.#head = { generation, seq };
    this.#asOf = at;
    this.#texts.clear();
  }
}
