import { CLOSE_CODES, type Topic } from '../../src/contracts/live-limits.ts';
import type { ClientFrame, ServerFrame } from '../../src/contracts/live.ts';
import { type Outcome, Replica } from '../../src/contracts/replica.ts';
import { LagMeter } from './lag.ts';

/** What the page says about its connection, in words that people understand. */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'catching-up' }
  | { kind: 'live'; lagMs: number | undefined }
  /** `retryAt` is milliseconds since the epoch. */
  | { kind: 'reconnecting'; attempt: number; retryAt: number }
  | { kind: 'offline' }
  | { kind: 'signed-out'; because: 'token' | 'tenant' };

export type Problem = Extract<ServerFrame, { t: 'error' }>['problem'];

export interface ConnectionListener {
  stateChanged(state: ConnectionState): void;
  /** The replica has changed; patches name what, where only a part did. */
  dataChanged(replica: Replica, outcome: Outcome): void;
  ready(role: string): void;
  problem(problem: Problem): void;
}

export type ConnectionOptions = {
  /** `ws://` or `wss://` address of `/ws/v1`. */
  url: string;
  token: string;
  tenantId: string;
  listener: ConnectionListener;
  /** Whether the device has a network at all; without one there is nothing to try. */
  isOnline?: () => boolean;
  /** First pause before another attempt; doubles up to `retryMostMs`. */
  retryFirstMs?: number;
  retryMostMs?: number;
};

export type Wanted = { propertyId: string; topics: Topic[]; window: { start: string; days: number } };

/** Silence of this many heartbeats means that the connection is dead, whatever the network says. */
const SILENT_HEARTBEATS = 2.5;
/** How long to wait before a refused subscription is tried again. */
const SUBSCRIBE_AGAIN_MS = 1_000;

/**
 * The page's end of the live protocol (contracts.md 9) over plain WebSocket: reconnects by itself and continues where
 * it was, as the rules of the replica say. Follows one property at a time.
 */
export class LiveClient {
  readonly #options: ConnectionOptions;
  readonly lag = new LagMeter();
  #socket: WebSocket | undefined;
  #token: string;
  #wanted: Wanted | undefined;
  #replica: Replica | undefined;
  #attempt = 0;
  #heartbeatMs = 10_000;
  /** Server time at which everything up to the present was asked for. */
  #askedAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#open();
  }

  /** Follows a property, or another window of it; the replica is empty until its snapshot comes. */
  watch(wanted: Wanted): void {
    const before = this.#wanted;
    this.#wanted = wanted;
    this.#replica = new Replica(wanted.propertyId);
    if (before && before.propertyId !== wanted.propertyId) {
      this.#send({ t: 'unsubscribe', propertyId: before.propertyId });
    }
    this.#subscribe();
  }

  /** Uses another token from now on. */
  renew(token: string): void {
    this.#token = token;
    this.#send({ t: 'auth', token, tenantId: this.#options.tenantId });
  }

  /** Tries at once instead of waiting: the network is back, or somebody asked. */
  retryNow(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#retry);
    this.#open();
  }

  /** The device lost its network. */
  networkLost(): void {
    if (this.#closed) return;
    this.#drop();
    this.#tell({ kind: 'offline' });
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  #open(): void {
    if (this.#options.isOnline?.() === false) {
      this.#tell({ kind: 'offline' });
      return;
    }
    if (this.#attempt === 0) this.#tell({ kind: 'connecting' });
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    this.#listenForLife();
    socket.addEventListener('open', () => {
      if (socket !== this.#socket) return;
      this.#tell({ kind: 'catching-up' });
      this.#send({ t: 'auth', token: this.#token, tenantId: this.#options.tenantId });
      this.#subscribe();
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#heard(String(data));
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    });
  }

  #heard(text: string): void {
    // Our own server on our own origin speaks here; what a later version adds is passed over.
    const frame = JSON.parse(text) as ServerFrame;
    this.#listenForLife();
    switch (frame.t) {
      case 'hello':
        this.#heartbeatMs = frame.heartbeatMs;
        this.lag.heardTime(frame.serverTime);
        return;
      case 'ready':
        this.#attempt = 0;
        this.#options.listener.ready(frame.role);
        this.#ping();
        return;
      case 'pong':
        this.lag.ponged();
        return;
      case 'heartbeat':
        this.lag.heardTime(frame.serverTime);
        this.#ping();
        this.#compare(frame.positions);
        return;
      case 'error':
        this.#refused(frame.problem);
        return;
      case 'snapshot':
      case 'delta':
        this.#take(frame);
        return;
    }
  }

  #take(frame: Extract<ServerFrame, { t: 'snapshot' | 'delta' }>): void {
    const replica = this.#replica;
    if (frame.propertyId !== replica?.propertyId) return;
    // What was committed before we asked is old for a reason: it says nothing about the connection.
    if (frame.t === 'delta' && frame.ts >= this.#askedAt) this.lag.arrived(frame.ts);
    this.#react(replica, frame.t === 'snapshot' ? replica.applySnapshot(frame) : replica.applyDelta(frame));
  }

  #compare(positions: Extract<ServerFrame, { t: 'heartbeat' }>['positions']): void {
    const replica = this.#replica;
    const sent = replica && positions[replica.propertyId];
    if (replica && sent) this.#react(replica, replica.checkPosition(sent));
  }

  #react(replica: Replica, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'gap':
        this.#askedAt = this.lag.serverNow();
        this.#tell({ kind: 'catching-up' });
        this.#send(outcome.resync);
        return;
      case 'waiting':
        return;
      case 'duplicate':
        if (!replica.resyncing) this.#tell({ kind: 'live', lagMs: this.lag.lagMs });
        return;
      case 'applied':
      case 'replaced':
        this.#tell({ kind: 'live', lagMs: this.lag.lagMs });
        this.#options.listener.dataChanged(replica, outcome);
        return;
    }
  }

  #refused(problem: Problem): void {
    this.#options.listener.problem(problem);
    if (problem.frame !== 'subscribe' || !problem.retryable) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#subscribe(), SUBSCRIBE_AGAIN_MS);
  }

  #lost(code: number): void {
    this.#drop();
    if (this.#closed) return;
    if (code === CLOSE_CODES.unauthenticated) this.#tell({ kind: 'signed-out', because: 'token' });
    else if (code === CLOSE_CODES.tenantForbidden) this.#tell({ kind: 'signed-out', because: 'tenant' });
    else if (this.#options.isOnline?.() === false) this.#tell({ kind: 'offline' });
    else this.#retryLater();
  }

  /** Exponential, with jitter: a restarted server must not meet everybody in the same millisecond. */
  #retryLater(): void {
    const { retryFirstMs = 500, retryMostMs = 15_000 } = this.#options;
    this.#attempt += 1;
    const most = Math.min(retryMostMs, retryFirstMs * 2 ** (this.#attempt - 1));
    const delay = most * (0.5 + Math.random() / 2);
    this.#tell({ kind: 'reconnecting', attempt: this.#attempt, retryAt: Date.now() + delay });
    this.#retry = setTimeout(() => this.#open(), delay);
  }

  #subscribe(): void {
    if (!this.#wanted || this.#socket?.readyState !== WebSocket.OPEN) return;
    const from = this.#replica?.position;
    this.#askedAt = this.lag.serverNow();
    this.#tell({ kind: 'catching-up' });
    this.#send({ t: 'subscribe', ...this.#wanted, ...(from && { from }) });
  }

  #ping(): void {
    this.lag.pinged();
    this.#send({ t: 'ping' });
  }

  #send(frame: ClientFrame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  /** A connection that says nothing for too long is given up, though no close has come. */
  #listenForLife(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(0), this.#heartbeatMs * SILENT_HEARTBEATS);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#socket = undefined;
    this.lag.forget();
    socket?.close();
  }

  #tell(state: ConnectionState): void {
    if (!this.#closed) this.#options.listener.stateChanged(state);
  }
}
