import { setTimeout as after } from 'node:timers/promises';

import type { Log } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Round, Rounds } from '../../kernel/rules/rounds.ts';
import type {
  ActiveSubscription,
  CursorAddress,
  CursorMove,
  CursorPage,
  Cursors,
  LeasedCursor,
  SendResult,
  SubscriptionFigures,
  SubscriptionSender,
} from '../ports.ts';
import type { SubscriptionKind } from '../rules/kinds.ts';
import { GIVE_UP_AFTER_SECONDS, retryPause } from '../rules/retries.ts';
import { ReceiverPauses } from './receiver-pauses.ts';

/** Commits and moves within this time go together. */
const GATHER_MS = 15;
/** Shortest time between rounds while no cursor is behind: one of many commits costs little more than one of a single. */
const ROUND_MS = 100;
/** Interval at which unsignalled cursors and changed subscriptions are looked for. */
const SWEEP_MS = 1_000;
/** Interval at which cursors that rest are looked at, and how much longer they rest here than in the database. */
const LATER_MS = 100;
const REST_MORE_MS = 25;
/** Intervals of measuring the lag, in sweeps. */
const LAG_EVERY = 10;
/** Pause after a failure of the database. */
const FAILED_MS = 1_000;
/** Time limit for pages under way at shutdown; what is not recorded is sent again. */
const END_WITHIN_MS = 3_000;
/** Delay before a row that cannot be read is tried again: another build may know it. */
const STOPPED_FOR_MS = 30_000;
/** Subscriptions of the installation that are known, and cursors that wait; the next sweep finds the rest. */
const MAX_SUBSCRIPTIONS = 20_000;
const MAX_WAITING = 20_000;
/** Cursors found in one sweep, and claimed at once. */
const MAX_FOUND = 1_000;
const MAX_CLAIMED = 64;
/** Pages under way: of a node, of one tenant, and of one subscription, so that slow receivers hold up no others. */
const MAX_SENDING = 256;
const MAX_OF_TENANT = 64;
const MAX_OF_ONE = 16;
/** Pages that a subscription may send whatever the others of its tenant have under way. */
const OWN_PAGES = 2;
const MAX_LOGGED_CHARACTERS = 200;

type Options = {
  cursors: Cursors;
  senders: Readonly<Record<SubscriptionKind, SubscriptionSender>>;
  /** Whether this node may work: it has its lease. */
  mayWork(): boolean;
  now(): number;
  log: Log;
  rounds?: Rounds;
  draw?(): number;
};

type Waiting = { of: CursorAddress; kind: SubscriptionKind };

const placeOf = (tenantId: string, propertyId: string): string => `${tenantId} ${propertyId}`;

const keyOf = ({ subscriptionId, propertyId }: CursorAddress): string => `${subscriptionId} ${propertyId}`;

/**
 * Sends subscribers what journals have for them (docs/concepts/subscriptions.md#subscriptions): triggered by followers
 * of commits, and by a sweep for what was not signalled. Each cursor is leased while a page of it is sent, and moves
 * after the effect; a crash in between sends the page again. No booking waits for it.
 */
export class SubscriptionRunner implements AsyncDisposable {
  readonly #options: Options;
  readonly #pauses: ReceiverPauses;
  /** By tenant those of all its properties, and by property the others: a chain may have thousands. */
  readonly #active = new Map<string, ActiveSubscription[]>();
  readonly #kinds = new Map<string, SubscriptionKind>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #resting = new Map<string, number>();
  /** Those that are wanted while they rest. */
  readonly #later = new Map<string, Waiting>();
  readonly #sending = new Map<string, Waiting & { again: boolean }>();
  /** Pages under way by subscription and by tenant. */
  readonly #underWay = new Map<string, number>();
  readonly #stopped = new Set<string>();
  readonly #moves: { move: CursorMove; done: (failingSeconds?: number) => void }[] = [];
  #lag = { rows: 0, oldest: undefined as number | undefined, failing: 0 };
  #swept: Round | undefined;
  #sweeps = 0;
  #sweepAt = 0;
  #pages = 0;
  #givenUp = 0;
  /** Whether a cursor waits for a page that could be sent at once. */
  #isBehind = false;
  #ended = false;
  #working: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#pauses = new ReceiverPauses(() => performance.now(), options.draw);
  }

  begin(): void {
    this.#swept ??= this.#options.rounds?.register('subscriptions', FAILED_MS * 5);
    this.#working ??= this.#work();
  }

  /** Signals that rows of a property were committed. */
  committed({ tenantId, propertyId }: Address): void {
    const all = [...(this.#active.get(tenantId) ?? []), ...(this.#active.get(placeOf(tenantId, propertyId)) ?? [])];
    for (const { subscriptionId, kind } of all) this.#want({ of: { tenantId, propertyId, subscriptionId }, kind });
  }

  /** Subscriptions have changed: they are read again at once, and a receiver that failed is tried again. */
  changed(subscriptionId: string): void {
    this.#pauses.forget(subscriptionId);
    for (const key of this.#resting.keys()) if (key.startsWith(subscriptionId)) this.#resting.delete(key);
    this.#sweepAt = 0;
    this.#wake();
  }

  get figures(): SubscriptionFigures {
    const { rows, oldest, failing } = this.#lag;
    const oldestAgeSeconds = oldest === undefined ? 0 : Math.max(0, (this.#options.now() - oldest) / 1_000);
    return {
      lag: rows,
      oldestAgeSeconds,
      failing,
      stopped: this.#stopped.size,
      givenUp: this.#givenUp,
      pages: this.#pages,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#wake();
    const late = new AbortController();
    await Promise.race([this.#working, after(END_WITHIN_MS, undefined, late).catch(() => undefined)]);
    late.abort();
    // A page that never ends is left to its lease.
    this.#sending.clear();
  }

  #want(one: Waiting): void {
    const key = keyOf(one.of);
    const sending = this.#sending.get(key);
    if (sending) sending.again = true;
    else if (this.#waiting.size + this.#later.size >= MAX_WAITING) return;
    else if (this.#rests(key)) this.#later.set(key, one);
    else this.#waiting.set(key, one);
    if (this.#waiting.size === 1) this.#wake();
  }

  #rests(key: string): boolean {
    const until = this.#resting.get(key);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#resting.delete(key);
    return false;
  }

  async #work(): Promise<void> {
    while (!this.#ended || this.#sending.size > 0) {
      const began = performance.now();
      let restMs = ROUND_MS;
      this.#isBehind = false;
      try {
        await this.#flush();
        if (!this.#ended && this.#options.mayWork()) await this.#round();
        const isIdle = this.#waiting.size === 0 && this.#sending.size === 0;
        if (this.#isBehind) restMs = GATHER_MS;
        else if (isIdle) restMs = this.#later.size > 0 ? LATER_MS : SWEEP_MS;
      } catch (error) {
        this.#swept?.failed(error);
        const why = String(error).slice(0, MAX_LOGGED_CHARACTERS);
        this.#options.log.warn({ why }, 'subscribers wait for the journal');
        restMs = FAILED_MS;
      }
      await this.#rest(restMs, began);
    }
    await this.#flush().catch(() => undefined);
  }

  /** @param began of the last round */
  async #rest(ms: number, began: number): Promise<void> {
    const over = new AbortController();
    this.#wake = () => over.abort();
    await after(ms, undefined, over).catch(() => undefined);
    this.#wake = () => undefined;
    if (!over.signal.aborted || this.#ended) return;
    // A commit that ends a long rest is not alone.
    const next = this.#isBehind ? 0 : began + ROUND_MS - performance.now();
    await after(Math.max(GATHER_MS, next));
  }

  async #round(): Promise<void> {
    if (performance.now() >= this.#sweepAt) {
      this.#sweepAt = performance.now() + SWEEP_MS;
      await this.#sweep();
    }
    for (const [key, one] of this.#later)
      if (!this.#rests(key)) {
        this.#later.delete(key);
        this.#want(one);
      }
    const next = this.#next();
    if (next.length === 0) return;
    try {
      const { cursors, senders } = this.#options;
      const claimed = await cursors.claim(next.map(({ of }) => of));
      const began = new Set<string>();
      const reads = ({ of: { subscriptionId } }: LeasedCursor): boolean => {
        const kind = this.#kinds.get(subscriptionId);
        return kind === undefined || senders[kind].readsState !== true;
      };
      for (const page of await cursors.pages(claimed, reads)) {
        const key = keyOf(page.cursor.of);
        began.add(key);
        void this.#send(page, key);
      }
      for (const { of } of next) if (!began.has(keyOf(of))) this.#over(keyOf(of));
    } catch (error) {
      for (const one of next) {
        this.#over(keyOf(one.of));
        this.#waiting.set(keyOf(one.of), one);
      }
      throw error;
    }
  }

  /** Cursors to be claimed now, within the limits; they count as being sent from here on. */
  #next(): Waiting[] {
    const next: Waiting[] = [];
    for (const [key, one] of this.#waiting) {
      if (next.length >= MAX_CLAIMED || this.#sending.size >= MAX_SENDING) {
        this.#isBehind = true;
        break;
      }
      const { subscriptionId, tenantId } = one.of;
      const ofOne = this.#underWay.get(subscriptionId) ?? 0;
      const ofTenant = this.#underWay.get(tenantId) ?? 0;
      if (ofOne >= MAX_OF_ONE || (ofTenant >= MAX_OF_TENANT && ofOne >= OWN_PAGES)) {
        this.#isBehind = true;
        continue;
      }
      if (!this.#pauses.mayAsk(subscriptionId, key)) continue;
      this.#waiting.delete(key);
      this.#sending.set(key, { ...one, again: false });
      this.#underWay.set(subscriptionId, ofOne + 1);
      this.#underWay.set(tenantId, ofTenant + 1);
      next.push(one);
    }
    return next;
  }

  /** Reads subscriptions, and finds cursors with something to send, such as after a start or a pause. */
  async #sweep(): Promise<void> {
    const { cursors } = this.#options;
    const all = await cursors.active(MAX_SUBSCRIPTIONS);
    this.#active.clear();
    this.#kinds.clear();
    for (const one of all) {
      // A node of a later release has kinds that this one does not know.
      if (!(one.kind in this.#options.senders)) continue;
      for (const place of one.propertyIds?.map((id) => placeOf(one.tenantId, id)) ?? [one.tenantId]) {
        const known = this.#active.get(place);
        if (known) known.push(one);
        else this.#active.set(place, [one]);
      }
      this.#kinds.set(one.subscriptionId, one.kind);
    }
    for (const list of [this.#waiting, this.#later])
      for (const [key, { of }] of list) if (!this.#kinds.has(of.subscriptionId)) list.delete(key);
    if (all.length > 0)
      for (const of of await cursors.due(MAX_FOUND)) {
        const kind = this.#kinds.get(of.subscriptionId);
        if (kind) this.#want({ of, kind });
      }
    if (this.#sweeps++ % LAG_EVERY === 0)
      this.#lag = all.length > 0 ? await cursors.lag() : { rows: 0, oldest: undefined, failing: 0 };
    this.#swept?.completed();
  }

  async #send(page: CursorPage, key: string): Promise<void> {
    const { cursor } = page;
    const { subscriptionId } = cursor.of;
    const kind = this.#sending.get(key)!.kind;
    const sender = this.#options.senders[kind];
    const mayGoOn = (): boolean => !this.#ended && this.#options.mayWork() && this.#kinds.has(subscriptionId);
    let isMore = false;
    try {
      const stoppedBy = page.unreadable;
      const result: SendResult =
        stoppedBy === undefined ? await sender.send(page, mayGoOn) : { to: cursor, failure: { why: stoppedBy } };
      this.#stopped.delete(key);
      const move = this.#moveOf(page, result);
      if (result.failure) this.#pauses.failed(subscriptionId);
      else if (hasMoved(move)) this.#pauses.took(subscriptionId);
      isMore =
        !result.failure && !result.pauseMs && (move.to.seq < page.newest || (cursor.snapshot && !move.snapshot));
      if (isMore) this.#hurry();
      const failing = await this.#moved(key, move);
      const { failure } = result;
      const isOver = failing !== undefined && failing >= GIVE_UP_AFTER_SECONDS;
      if (failure && (failure.isGone || isOver)) {
        await sender.giveUp(cursor.of, failure.isGone ? 'GONE' : 'UNDELIVERABLE', failure.why);
        this.#givenUp += 1;
      }
      this.#pages += 1;
    } catch (error) {
      if (isPassing(error)) await this.#wait(page, key, error);
      else await this.#stop(page, key, error);
    } finally {
      this.#pauses.asked(subscriptionId, key);
      this.#over(key, isMore);
    }
  }

  #moveOf({ cursor }: CursorPage, result: SendResult): CursorMove {
    const { to, snapshot, pauseMs } = result;
    const failure = result.failure ?? stillFailing(cursor, result);
    if (!failure) return { cursor, to, snapshot, pauseMs };
    const isProgress = to.seq !== cursor.seq || to.part !== cursor.part;
    const attempts = isProgress ? 1 : cursor.attempts + 1;
    const draw = (this.#options.draw ?? Math.random)();
    return {
      cursor,
      to,
      snapshot,
      failure: failure.why.slice(0, MAX_LOGGED_CHARACTERS),
      pauseMs: retryPause(attempts, draw, failure.retryAfterMs),
    };
  }

  /** The database is away, or the property is moving: neither receiver nor row is to blame, and it soon goes on. */
  async #wait(page: CursorPage, key: string, error: unknown): Promise<void> {
    const { tenantId, propertyId } = page.cursor.of;
    const why = String(error).slice(0, MAX_LOGGED_CHARACTERS);
    this.#options.log.warn({ property: `${tenantId}:${propertyId}`, why }, 'a subscriber waits for its property');
    await this.#moved(key, this.#moveOf(page, { to: page.cursor, pauseMs: FAILED_MS }));
  }

  /** A row that this build cannot read stops its cursor and no other; it is no fault of the receiver. */
  async #stop({ cursor }: CursorPage, key: string, error: unknown): Promise<void> {
    const why = `a row cannot be read: ${String(error)}`.slice(0, MAX_LOGGED_CHARACTERS);
    const property = `${cursor.of.tenantId}:${cursor.of.propertyId}`;
    this.#options.log.error({ property, seq: cursor.seq + 1, why }, 'a subscriber cannot be sent a row');
    this.#swept?.itemFailed(property, why);
    this.#stopped.add(key);
    await this.#moved(key, { cursor, to: cursor, failure: 'a row cannot be read', pauseMs: STOPPED_FOR_MS });
  }

  #over(key: string, isMore = false): void {
    const one = this.#sending.get(key);
    if (!one) return;
    this.#sending.delete(key);
    for (const counted of [one.of.subscriptionId, one.of.tenantId]) {
      const left = (this.#underWay.get(counted) ?? 1) - 1;
      if (left > 0) this.#underWay.set(counted, left);
      else this.#underWay.delete(counted);
    }
    if (isMore || one.again) this.#want(one);
  }

  #hurry(): void {
    this.#isBehind = true;
    this.#wake();
  }

  /** Records a move with others of the same moment. @returns the seconds since which the cursor fails */
  async #moved(key: string, move: CursorMove): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.#moves.push({ move, done: resolve });
    const failing = await promise;
    // The pause in the database begins when the move is written: a claim before its end would be left to a sweep.
    if (move.pauseMs !== undefined) this.#resting.set(key, performance.now() + move.pauseMs + REST_MORE_MS);
    return failing;
  }

  async #flush(): Promise<void> {
    const all = this.#moves.splice(0, MAX_SENDING);
    if (all.length === 0) return;
    try {
      const moved = await this.#options.cursors.move(all.map(({ move }) => move));
      const seconds = new Map(moved.map(({ move, failingSeconds }) => [move, failingSeconds]));
      // One that did not move was taken over or set: its new holder goes on from where it stands.
      for (const { move, done } of all) done(seconds.get(move));
    } catch (error) {
      // What was sent and not recorded is sent again once the database answers.
      for (const { done } of all) done();
      throw error;
    }
  }
}

const isPassing = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof DomainError && error.isRetryable);

/** A pause without an effect, such as one of its pace, does not end that a receiver fails. */
const stillFailing = (cursor: LeasedCursor, { to, snapshot, pauseMs }: SendResult): SendResult['failure'] =>
  cursor.attempts > 0 && pauseMs !== undefined && !hasMoved({ cursor, to, snapshot })
    ? { why: 'it has failed, and waits', retryAfterMs: pauseMs }
    : undefined;

const hasMoved = ({ cursor, to, snapshot }: CursorMove): boolean =>
  to.seq !== cursor.seq || to.part !== cursor.part || snapshot === true;
