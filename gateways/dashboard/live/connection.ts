import {
  LiveClient as StreamClient,
  type LiveProblem,
  type StreamListener,
  type StreamState,
  type WantedProperty,
} from '../../../packages/client/src/live/live-client.ts';
import type { Connect } from '../../../packages/client/src/live/live-transports.ts';
import type { Pauses } from '../../../packages/client/src/live/reconnecting.ts';
import type { ReplicaOutcome, Replica } from '../../../packages/client/src/live/replica.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import type { ServerFrame } from '../../../src/live/contracts/live.ts';
import { LagMeter } from './lag.ts';
import { noticesCome, takeNotices } from './notices.ts';

export type { LiveProblem, WantedProperty };

/** State of the connection in user terms. */
export type ConnectionState = Exclude<StreamState, { kind: 'live' }> | { kind: 'live'; lagMs: number | undefined };

export interface LiveConnectionListener {
  stateChanged(state: ConnectionState): void;
  /** The replica has changed; patches name the changed parts, where only some did. */
  dataChanged(replica: Replica, outcome: ReplicaOutcome): void;
  ready(role: string): void;
  problem(problem: LiveProblem): void;
}

type ConnectionOptions = {
  /** Opens a connection to `/ws/v1`. */
  connect: Connect;
  token: string;
  tenantId: TenantId;
  listener: LiveConnectionListener;
  /** Provides a new token when the current one expires. */
  freshToken?: () => Promise<string | undefined>;
  /** Whether the device is online; otherwise no attempt is made. */
  isOnline?: () => boolean;
  pauses?: Pauses;
};

/** The page's connection: a client of the live protocol with one property at a time, and the measured lag. */
export class DashboardConnection implements StreamListener {
  readonly lag = new LagMeter();
  readonly #listener: LiveConnectionListener;
  readonly #client: StreamClient;
  #watched: string | undefined;
  /** When everything up to the present was requested, by the local clock: the server's is known a moment later. */
  #askedAt = 0;

  constructor({ listener, ...options }: ConnectionOptions) {
    this.#listener = listener;
    this.#client = new StreamClient({ ...options, listener: this });
  }

  /** Follows a property, or another window of it; the replica is empty until its snapshot comes. */
  watch(wanted: WantedProperty): void {
    const { propertyId } = wanted;
    if (this.#watched !== undefined && this.#watched !== propertyId) this.#client.unfollow(this.#watched);
    this.#watched = propertyId;
    this.#client.follow(wanted);
  }

  /** Shows the property at an instant, until {@link live}. */
  seek(asOf: number): void {
    if (this.#watched !== undefined) this.#client.seek(this.#watched, asOf);
  }

  /** Follows the present again. */
  live(): void {
    this.#client.live();
  }

  /** Uses another token. */
  renew(token: string): void {
    this.#client.renew(token);
  }

  /** Reconnects at once: the network is back, or the user asked. */
  retryNow(): void {
    this.#client.retryNow();
  }

  /** The device lost its network. */
  networkLost(): void {
    this.#client.networkLost();
  }

  close(): void {
    noticesCome.value = false;
    this.#client.close();
  }

  stateChanged(state: StreamState): void {
    noticesCome.value = state.kind === 'live';
    if (state.kind === 'live') this.#listener.stateChanged({ ...state, lagMs: this.lag.lagMs });
    else {
      if (state.kind === 'catching-up') this.#askedAt = Date.now();
      else this.lag.forget();
      this.#listener.stateChanged(state);
    }
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    if (outcome.kind === 'applied') takeNotices(replica.propertyId, outcome.patches);
    this.#listener.dataChanged(replica, outcome);
  }

  ready(role: string): void {
    this.#listener.ready(role);
  }

  problem(problem: LiveProblem): void {
    this.#listener.problem(problem);
  }

  pinged(): void {
    this.lag.pinged();
  }

  heard(frame: ServerFrame): void {
    if (frame.t === 'pong') this.lag.ponged();
    if (frame.t === 'hello' || frame.t === 'heartbeat') this.lag.heardTime(frame.serverTime);
    // Commits before the request are expectedly old, and say nothing about the connection.
    if (frame.t === 'delta' && frame.ts >= this.lag.serverNow(this.#askedAt)) this.lag.arrived(frame.ts);
  }
}
