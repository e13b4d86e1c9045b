import type { ClientFrame, ServerFrame } from './frames.ts';
import { CLOSE_CODES, LIVE_LIMITS, type LiveTopic } from './live-limits.ts';
import type { Connect, LiveTransport } from './live-transports.ts';
import { attemptsFor, pauseBefore, type Pauses, PAUSES } from './reconnecting.ts';
import { type ReplicaOutcome, Replica } from './replica.ts';

/** State of a client, for the reader of its data. */
export type StreamState =
  | { kind: 'connecting' }
  | { kind: 'catching-up' }
  | { kind: 'live' }
  /** The content is of `asOf`, milliseconds since the epoch. */
  | { kind: 'past'; asOf: number }
  /** `retryAt` is milliseconds since the epoch, on the client's own clock. */
  | { kind: 'reconnecting'; attempt: number; retryAt: number }
  | { kind: 'offline' }
  | { kind: 'signed-out'; because: 'token' | 'tenant' };

export type LiveProblem = Extract<ServerFrame, { t: 'error' }>['problem'];

export interface StreamListener {
  stateChanged(state: StreamState): void;
  /** Called when a replica has changed; patches name the changes when only a part did. */
  dataChanged(replica: Replica, outcome: ReplicaOutcome): void;
  ready?(role: string): void;
  problem?(problem: LiveProblem): void;
  /** Called for every frame before it is processed, and for every ping that needs a pong: for measurements. */
  heard?(frame: ServerFrame): void;
  pinged?(): void;
}

/** Subscription to a property: see the `subscribe` frame. */
export type WantedProperty = { propertyId: string; topics: LiveTopic[]; window: { start: string; days: number } };

export type LiveClientOptions = {
  connect: Connect;
  token: string;
  tenantId: string;
  listener: StreamListener;
  /** Provides a new token when the server reports the current one as expired; `undefined` when there is none. */
  freshToken?: () => Promise<string | undefined>;
  /** Whether the device has a network; without one no attempt is made. */
  isOnline?: () => boolean;
  pauses?: Pauses;
  /** Duration of a connection after which the pauses begin at the first again. */
  steadyMs?: number;
};

type Timer = ReturnType<typeof setTimeout>;
type Following = {
  wanted: WantedProperty;
  replica: Replica;
  /** It shows the present, as far as known. */
  current: boolean;
  /** Frames still belong to the previous window, until the pong of the ping sent in between. */
  fenced: boolean;
  /** The instant at which it is looked at, milliseconds; the present where there is none. */
  asOf: number | undefined;
  /** The instant that the replica shows, where it is not the present. */
  shown: number | undefined;
  /** The instant that was requested and is not answered, `undefined` in it for the present; one at a time. */
  asking: { asOf: number | undefined } | undefined;
  /** What was shown at the last request for an instant: an error returns to it. */
  before: number | undefined;
  errors: number;
  again: Timer | undefined;
};

/** A silence of this many heartbeats means that the connection is dead. */
const SILENT_HEARTBEATS = 2.5;
const STEADY_MS = 5_000;

/**
 * A client of the live protocol (docs/reference/live-protocol.md#live-protocol): connects, reconnects with growing
 * pauses, renews its token in band and keeps a replica of every followed property, each exact at its position.
 * Independent of sockets and pages: the transport is passed in.
 */
export class LiveClient {
  readonly #options: LiveClientOptions;
  readonly #followed = new Map<string, Following>();
  #transport: LiveTransport | undefined;
  #open = false;
  #admitted = false;
  #token: string;
  #renewing = false;
  /** A fresh token was rejected like the one before it: another one would be too. */
  #renewedInVain = false;
  #attempt = 0;
  #heartbeatMs: number = LIVE_LIMITS.heartbeatMs;
  /** Purposes of the expected pongs. */
  readonly #pings: (Following | undefined)[] = [];
  #retry: Timer | undefined;
  #silence: Timer | undefined;
  #steady: Timer | undefined;
  #closed = false;

  constructor(options: LiveClientOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#connect();
  }

  /** Replica of a followed property; empty until its first snapshot. */
  replica(propertyId: string): Replica | undefined {
    return this.#followed.get(propertyId)?.replica;
  }

  /** Follows a property, or another window of it, whose replica then begins anew. */
  follow(wanted: WantedProperty): void {
    const { propertyId } = wanted;
    const before = this.#followed.get(propertyId);
    const following: Following = {
      wanted,
      replica: new Replica(propertyId),
      current: false,
      fenced: false,
      asOf: before?.asOf,
      shown: undefined,
      asking: undefined,
      before: undefined,
      errors: 0,
      again: undefined,
    };
    this.#followed.set(propertyId, following);
    if (before) this.#leave(before, following);
    this.#subscribe(following);
  }

  unfollow(propertyId: string): void {
    const following = this.#followed.get(propertyId);
    if (!following) return;
    this.#followed.delete(propertyId);
    this.#leave(following);
  }

  /**
   * Shows a property at an instant, milliseconds since the epoch: its replica becomes that of the instant, and nothing
   * changes until {@link live}. A reconnect requests the instant again. One request is pending at a time, and of those
   * made meanwhile only the last is sent: a slider may report every position.
   */
  seek(propertyId: string, asOf: number): void {
    const following = this.#followed.get(propertyId);
    const instant = Math.floor(asOf);
    if (!following || !Number.isSafeInteger(instant)) return;
    following.asOf = instant;
    // Also for the instant that is already shown: the caller waits for an answer.
    if (!following.asking) this.#request(following);
  }

  /** Returns all properties to the present; those already there report it again. */
  live(): void {
    for (const following of this.#followed.values()) {
      following.asOf = undefined;
      // It returns as soon as the pending answer has arrived.
      if (this.#open && following.asking?.asOf !== undefined) this.#returning(following);
      this.#ask(following);
      const { replica, current, shown, asking } = following;
      if (current && shown === undefined && !asking)
        this.#options.listener.dataChanged(replica, { kind: 'replaced' });
    }
  }

  /** Uses another token from now on, also after the old one was rejected. */
  renew(token: string): void {
    this.#token = token;
    if (this.#open) this.#send(this.#auth());
    else this.retryNow();
  }

  /** Connects at once instead of waiting: the network is back, or the user requested it. */
  retryNow(): void {
    if (this.#closed || this.#transport) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  /** The device lost its network. */
  networkLost(): void {
    if (this.#closed) return;
    this.#drop();
    this.#notify({ kind: 'offline' });
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #connect(): void {
    if (this.#options.isOnline?.() === false) {
      this.#notify({ kind: 'offline' });
      return;
    }
    if (this.#attempt === 0) this.#notify({ kind: 'connecting' });
    this.#listenForLife();
    const transport: LiveTransport = this.#options.connect({
      opened: () => {
        if (transport === this.#transport) this.#opened();
      },
      heard: (frame) => {
        if (transport === this.#transport) this.#heard(frame);
      },
      lost: (code) => {
        if (transport === this.#transport) this.#lost(code);
      },
    });
    this.#transport = transport;
  }

  /** Frames are handled in order, so no answer has to be awaited. */
  #opened(): void {
    this.#open = true;
    this.#send(this.#auth());
    this.#notify({ kind: 'catching-up' });
    for (const following of this.#followed.values()) this.#subscribe(following);
  }

  #heard(received: unknown): void {
    if (typeof received !== 'object' || received === null || !('t' in received)) return;
    // The sender is this service; additions of a later version are ignored.
    const frame = received as ServerFrame;
    this.#listenForLife();
    this.#options.listener.heard?.(frame);
    switch (frame.t) {
      case 'hello':
        this.#heartbeatMs = frame.heartbeatMs;
        this.#listenForLife();
        return;
      case 'ready':
        this.#welcomed(frame.role);
        return;
      case 'pong':
        this.#ponged();
        return;
      case 'heartbeat':
        this.#ping();
        for (const [propertyId, sent] of Object.entries(frame.positions))
          this.#take(propertyId, (replica) => replica.checkPosition(sent));
        return;
      case 'error':
        this.#refused(frame.problem);
        return;
      case 'snapshot':
        this.#take(frame.propertyId, (replica) => replica.applySnapshot(frame));
        return;
      case 'delta':
        this.#take(frame.propertyId, (replica) => replica.applyDelta(frame));
        return;
    }
  }

  #welcomed(role: string): void {
    this.#admitted = true;
    this.#renewedInVain = false;
    this.#steady ??= setTimeout(() => (this.#attempt = 0), this.#options.steadyMs ?? STEADY_MS);
    this.#options.listener.ready?.(role);
    this.#ping();
  }

  #ponged(): void {
    const following = this.#pings.shift();
    if (following) following.fenced = false;
  }

  #take(propertyId: string, apply: (replica: Replica) => ReplicaOutcome): void {
    const following = this.#followed.get(propertyId);
    if (!following || following.fenced) return;
    const outcome = apply(following.replica);
    switch (outcome.kind) {
      case 'gap':
        following.current = false;
        this.#send(outcome.resync);
        this.#notify({ kind: 'catching-up' });
        return;
      case 'waiting':
        return;
      case 'duplicate':
        if (!following.replica.resyncing) this.#isCurrent(following);
        return;
      case 'applied':
      case 'replaced':
        if (outcome.kind === 'replaced') this.#answered(following);
        this.#isCurrent(following);
        this.#options.listener.dataChanged(following.replica, outcome);
        this.#ask(following);
        return;
    }
  }

  /** Requests the wanted instant, unless it is shown, or an answer is pending. */
  #ask(following: Following): void {
    const { asOf, shown, asking } = following;
    if (!asking && asOf !== shown) this.#request(following);
  }

  #request(following: Following): void {
    if (!this.#open) return;
    const { wanted, asOf } = following;
    following.asking = { asOf };
    following.before = following.shown;
    if (asOf !== undefined) this.#send({ t: 'seek', propertyId: wanted.propertyId, asOf });
    else {
      this.#send({ t: 'live' });
      this.#returning(following);
    }
  }

  #returning(following: Following): void {
    following.current = false;
    this.#notify({ kind: 'catching-up' });
  }

  /**
   * Handles a snapshot of the requested instant. One of the present may still arrive before that of the past: it is
   * newer.
   */
  #answered(following: Following): void {
    const { asking, replica } = following;
    if (!asking) return;
    const isAnswer = asking.asOf === undefined || replica.asOf <= asking.asOf;
    following.shown = isAnswer ? asking.asOf : following.before;
    if (isAnswer) following.asking = undefined;
  }

  #isCurrent(following: Following): void {
    // A return to the present ends with its snapshot.
    if (following.asking && following.asking.asOf === undefined) return;
    following.current = true;
    following.errors = 0;
    const all = [...this.#followed.values()];
    if (all.some(({ current }) => !current)) return;
    const past = all.find(({ shown }) => shown !== undefined)?.shown;
    this.#notify(past === undefined ? { kind: 'live' } : { kind: 'past', asOf: past });
  }

  #refused(problem: LiveProblem): void {
    // The property may already have been unsubscribed, which is no problem.
    if (problem.frame === 'unsubscribe') return;
    this.#options.listener.problem?.(problem);
    if (problem.propertyId !== undefined) this.#refusedProperty(problem.propertyId, problem);
    else if (problem.code === 'UNAUTHENTICATED' && this.#admitted) void this.#renew();
    // The server could not check access, which is no reason to stop.
    else if (!this.#admitted && problem.retryable) this.#lost(0);
  }

  #refusedProperty(propertyId: string, { frame, retryable }: LiveProblem): void {
    const following = this.#followed.get(propertyId);
    if (!following || following.fenced) return;
    if (frame === 'seek') {
      this.#notShown(following);
      return;
    }
    following.current = false;
    following.asking = undefined;
    if (frame === 'resync') this.#subscribe(following);
    else if (retryable) this.#subscribeLater(following);
    else this.#followed.delete(propertyId);
  }

  /** Keeps the shown state, and requests the latest wanted instant. */
  #notShown(following: Following): void {
    const { asking, asOf, shown, before, current } = following;
    // It was rejected together with the subscription, which repeats the request.
    if (asking ? asking.asOf === undefined : !current) return;
    const refused = asking?.asOf ?? shown;
    following.asking = undefined;
    following.shown = before;
    if (asOf === refused) following.asOf = before;
    if (following.replica.position && !following.replica.resyncing) this.#isCurrent(following);
    this.#ask(following);
  }

  #subscribeLater(following: Following): void {
    following.errors += 1;
    clearTimeout(following.again);
    const delay = pauseBefore(following.errors, this.#pauses, Math.random());
    following.again = setTimeout(() => this.#subscribe(following), delay);
  }

  async #renew(): Promise<void> {
    if (this.#renewing || this.#closed || !this.#options.freshToken) return;
    this.#renewing = true;
    const token = await this.#options.freshToken().catch(() => undefined);
    this.#renewing = false;
    if (this.#closed) return;
    if (token !== undefined) this.renew(token);
    else if (!this.#transport) this.#notify({ kind: 'signed-out', because: 'token' });
  }

  #lost(code: number): void {
    this.#drop();
    if (this.#closed) return;
    if (code === CLOSE_CODES.unauthenticated) this.#turnedAway();
    else if (code === CLOSE_CODES.tenantForbidden) this.#notify({ kind: 'signed-out', because: 'tenant' });
    else if (this.#options.isOnline?.() === false) this.#notify({ kind: 'offline' });
    else this.#retryLater(code);
  }

  /** A client that slept past the expiry of its token signs in with a new one, once. */
  #turnedAway(): void {
    if (this.#options.freshToken && !this.#renewedInVain) {
      this.#renewedInVain = true;
      this.#notify({ kind: 'connecting' });
      void this.#renew();
    } else this.#notify({ kind: 'signed-out', because: 'token' });
  }

  #retryLater(code: number): void {
    this.#attempt += attemptsFor(code);
    const delay = pauseBefore(this.#attempt, this.#pauses, Math.random());
    this.#notify({ kind: 'reconnecting', attempt: this.#attempt, retryAt: Date.now() + delay });
    this.#retry = setTimeout(() => this.#connect(), delay);
  }

  #subscribe(following: Following): void {
    if (!this.#open || this.#followed.get(following.wanted.propertyId) !== following) return;
    const { asOf, shown, replica, wanted } = following;
    // A past state cannot be continued, nor can one be reached by deltas.
    const from = shown === undefined && asOf === undefined ? replica.position : undefined;
    following.current = false;
    following.before = undefined;
    following.asking = shown === undefined && asOf === undefined ? undefined : { asOf };
    this.#send({ t: 'subscribe', ...wanted, ...(from && { from }) });
    if (asOf !== undefined) this.#send({ t: 'seek', propertyId: wanted.propertyId, asOf });
    this.#notify({ kind: 'catching-up' });
  }

  /** Frames sent for `before` must not count as an answer to `next`: the pong separates them. */
  #leave(before: Following, next?: Following): void {
    clearTimeout(before.again);
    if (!this.#open) return;
    this.#send({ t: 'unsubscribe', propertyId: before.wanted.propertyId });
    if (!next) return;
    next.fenced = true;
    this.#ping(next);
  }

  get #pauses(): Pauses {
    return this.#options.pauses ?? PAUSES;
  }

  #auth(): ClientFrame {
    return { t: 'auth', token: this.#token, tenantId: this.#options.tenantId };
  }

  #ping(before?: Following): void {
    this.#pings.push(before);
    this.#options.listener.pinged?.();
    this.#send({ t: 'ping' });
  }

  #send(frame: ClientFrame): void {
    this.#transport?.send(frame);
  }

  /** Drops a connection that has been silent for too long, even without a close. */
  #listenForLife(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(0), this.#heartbeatMs * SILENT_HEARTBEATS);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    clearTimeout(this.#steady);
    this.#steady = undefined;
    this.#open = false;
    this.#admitted = false;
    this.#pings.length = 0;
    for (const following of this.#followed.values()) {
      clearTimeout(following.again);
      following.current = false;
      following.fenced = false;
      following.asking = undefined;
    }
    const transport = this.#transport;
    this.#transport = undefined;
    transport?.close();
  }

  #notify(state: StreamState): void {
    if (!this.#closed) this.#options.listener.stateChanged(state);
  }
}
