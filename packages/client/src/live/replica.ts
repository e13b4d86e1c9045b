import type {
  CompetitorItem,
  DeltaFrame,
  FeedItem,
  GridItem,
  KpiItem,
  Patch,
  Position,
  ResyncFrame,
  RoomItem,
  SnapshotFrame,
} from './frames.ts';
import { LIVE_LIMITS } from './live-limits.ts';

/**
 * Effect of a frame on the replica. `gap`: something was missed, send `resync`; nothing is applied until the answer, so
 * the replica never mixes two states.
 */
export type ReplicaOutcome =
  | { kind: 'applied'; patches: readonly Patch[]; cause: string }
  | { kind: 'replaced' }
  | { kind: 'duplicate' }
  | { kind: 'waiting' }
  | { kind: 'gap'; resync: ResyncFrame };

/**
 * State of one property at a client, and its rules (docs/concepts/live-stream.md#position): a snapshot replaces
 * everything; a delta applies only when it begins right after the last applied number. At any moment the content is
 * exactly that of the property at `position`. Independent of sockets, clocks and pages.
 */
export class Replica {
  readonly propertyId: string;
  /** By {@link cellKey}. */
  readonly grid = new Map<string, GridItem>();
  /** By date. */
  readonly kpi = new Map<string, KpiItem>();
  /** By room number. */
  readonly rooms = new Map<string, RoomItem>();
  /** By {@link cellKey}. */
  readonly competitors = new Map<string, CompetitorItem>();
  #feed: FeedItem[] = [];
  #position: Position | undefined;
  #asOf = 0;
  #resyncing = false;

  constructor(propertyId: string) {
    this.propertyId = propertyId;
  }

  /** Last applied number; `undefined` before the first snapshot. Sent as `from` after a reconnect. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Commit time of `position`, milliseconds. */
  get asOf(): number {
    return this.#asOf;
  }

  /** Newest first, at most `LIVE_LIMITS.feedItems`. */
  get feed(): readonly FeedItem[] {
    return this.#feed;
  }

  /** Whether the answer to a resync is pending. */
  get resyncing(): boolean {
    return this.#resyncing;
  }

  /** Replaces everything: the server knows this client's position. */
  applySnapshot(frame: SnapshotFrame): ReplicaOutcome {
    this.#position = { generation: frame.generation, seq: frame.seq };
    this.#asOf = frame.asOf;
    this.#resyncing = false;
    replace(this.grid, frame.grid, cellKey);
    replace(this.kpi, frame.kpi, (item) => item.date);
    replace(this.rooms, frame.rooms, (item) => item.roomNumber);
    replace(this.competitors, frame.competitors, cellKey);
    this.#feed = frame.feed.slice(0, LIVE_LIMITS.feedItems);
    return { kind: 'replaced' };
  }

  /** Applies a delta only where `from` is the next number; repeats are dropped, anything else requests a resync. */
  applyDelta(frame: DeltaFrame): ReplicaOutcome {
    const at = this.#position;
    if (!at) return { kind: 'waiting' };
    if (frame.generation !== at.generation) return this.#gap(at);
    if (frame.to <= at.seq) return { kind: 'duplicate' };
    if (frame.from !== at.seq + 1) return this.#gap(at);
    for (const patch of frame.patches) this.#apply(patch);
    this.#position = { generation: at.generation, seq: frame.to };
    this.#asOf = frame.ts;
    this.#resyncing = false;
    return { kind: 'applied', patches: frame.patches, cause: frame.cause.type };
  }

  /**
   * Compares with the position that the server has sent. Frames arrive in order, so a position behind means that one
   * was lost, possibly the answer to a resync.
   */
  checkPosition(sent: Position): ReplicaOutcome {
    const at = this.#position;
    if (!at) return { kind: 'waiting' };
    this.#resyncing = false;
    return sent.generation === at.generation && sent.seq === at.seq ? { kind: 'duplicate' } : this.#gap(at);
  }

  /** Requests a resync once: further gaps wait for its answer. */
  #gap(at: Position): ReplicaOutcome {
    if (this.#resyncing) return { kind: 'waiting' };
    this.#resyncing = true;
    return { kind: 'gap', resync: { t: 'resync', propertyId: this.propertyId, ...at } };
  }

  #apply(patch: Patch): void {
    switch (patch.topic) {
      case 'grid':
        this.grid.set(cellKey(patch), withoutTopic(patch));
        return;
      case 'kpi':
        this.kpi.set(patch.date, withoutTopic(patch));
        return;
      case 'rooms':
        this.rooms.set(patch.roomNumber, withoutTopic(patch));
        return;
      case 'competitors':
        this.competitors.set(cellKey(patch), withoutTopic(patch));
        return;
      case 'feed':
        this.#feed = [withoutTopic(patch), ...this.#feed].slice(0, LIVE_LIMITS.feedItems);
        return;
    }
  }
}

/** Key of a cell in a replica's maps. */
export function cellKey(cell: { roomType: string; date: string }): string {
  return `${cell.date} ${cell.roomType}`;
}

function withoutTopic<P extends { topic: string }>(patch: P): Omit<P, 'topic'> {
  const item: Omit<P, 'topic'> & { topic?: string } = { ...patch };
  delete item.topic;
  return item;
}

function replace<T>(into: Map<string, T>, items: readonly T[], key: (item: T) => string): void {
  into.clear();
  for (const item of items) into.set(key(item), item);
}
