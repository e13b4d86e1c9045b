import { LiveClient, type StreamState } from '../../packages/client/src/live/live-client.ts';
import type { Connect, LiveTransport } from '../../packages/client/src/live/live-transports.ts';
import type { ReplicaOutcome, Replica } from '../../packages/client/src/live/replica.ts';
import type { ServerFrame } from '../../src/live/contracts/live.ts';
import type { SwarmOptions } from './swarm.ts';

/** Names of bookings as small numbers, the same for all clients of a process. */
const numbers = new Map<string, number>();
/** Bookings of a run. */
const MAX_BOOKINGS = 100_000;

/** A client that keeps its own ledger of the feed, besides the replica. */
export class Witness {
  latencies: number[] = [];
  snapshots = 0;
  gaps = 0;
  reconnects = 0;
  readonly problems: string[] = [];
  readonly #client: LiveClient;
  readonly #propertyId: string;
  /** How often each booking was in an applied delta. */
  readonly #published = new Uint8Array(MAX_BOOKINGS);
  #transport: LiveTransport | undefined;
  #state: StreamState['kind'] = 'connecting';

  constructor({ token, tenantId, wanted }: SwarmOptions, connect: Connect) {
    this.#propertyId = wanted.propertyId;
    this.#client = new LiveClient({
      token,
      tenantId,
      listener: this,
      connect: (listener) => (this.#transport = connect(listener)),
    });
    this.#client.follow(wanted);
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** The last number that was applied, -1 before the first snapshot. */
  get seq(): number {
    return this.#client.replica(this.#propertyId)?.position?.seq ?? -1;
  }

  /** Drops the connection without notice, as a network does. */
  cut(): void {
    this.#transport?.close();
  }

  close(): void {
    this.#client.close();
  }

  stateChanged({ kind }: StreamState): void {
    if (kind === 'reconnecting') this.reconnects += 1;
    if (kind === 'catching-up' && this.#state === 'live') this.gaps += 1;
    this.#state = kind;
  }

  dataChanged(_: Replica, outcome: ReplicaOutcome): void {
    if (outcome.kind === 'replaced') this.snapshots += 1;
    if (outcome.kind !== 'applied') return;
    for (const patch of outcome.patches) {
      if (patch.topic !== 'feed' || patch.type !== 'CREATED') continue;
      this.#published[numberOf(patch.reservationId)]! += 1;
    }
  }

  problem({ code, detail }: { code: string; detail: string }): void {
    this.problems.push(`${code}: ${detail}`);
  }

  /** A frame of a commit, after everything before it has arrived. */
  heard(frame: ServerFrame): void {
    if (frame.t === 'delta' && this.isLive) this.latencies.push(Date.now() - frame.ts);
  }

  /** Displayed content, by cell. */
  content(): Map<string, string> {
    const replica = this.#client.replica(this.#propertyId);
    const all = new Map<string, string>();
    if (!replica) return all;
    for (const part of ['grid', 'kpi', 'rooms', 'competitors'] as const)
      for (const [key, item] of replica[part]) all.set(`${part} ${key}`, text(item));
    for (const [n, item] of replica.feed.entries()) all.set(`feed ${n}`, text(item));
    return all;
  }

  /** First difference from the expected content, if there is one. */
  difference(wanted: ReadonlyMap<string, string>): string[] {
    const mine = this.content();
    for (const [key, item] of wanted)
      if (mine.get(key) !== item) return [`${key} is ${mine.get(key)} instead of ${item}`];
    return mine.size === wanted.size ? [] : [`${mine.size} items instead of ${wanted.size}`];
  }

  published(booked: readonly string[]): { repeated: number; missing: number } {
    const times = booked.map((id) => this.#published[numberOf(id)] ?? 0);
    return {
      repeated: times.filter((n) => n > 1).length,
      // A snapshot shows only the newest bookings.
      missing: this.snapshots > 1 ? 0 : times.filter((n) => n === 0).length,
    };
  }
}

function numberOf(reservationId: string): number {
  let number = numbers.get(reservationId);
  if (number === undefined) numbers.set(reservationId, (number = numbers.size));
  return number;
}

/** Members in one order, independent of the writer. */
function text(item: object): string {
  return JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}
