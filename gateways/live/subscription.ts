import type { LookedBack } from '../../src/history/operations/look-back.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Position } from '../../src/live/contracts/live.ts';
import type { Scope } from './audience.ts';
import type { Outgoing } from './connection.ts';
import type { PastShelf } from './past/past-shelf.ts';
import { snapshotOfPast } from './past/past.ts';
import type { SendBuffer } from './send-buffer.ts';
import type { Subscriber, PropertyStream } from './stream.ts';

/** Whose subscription it is. */
interface SubscriptionHolder {
  /** Cache of the past. */
  readonly shelf: PastShelf;
  /** The property is no longer followed. */
  ended(error: DomainError): void;
  /** The past state was dropped from the cache and is needed again. */
  pastMissing(subscription: Subscription, asOf: Instant): void;
}

/** One property on one connection: the client's position, and whether it has fallen behind. */
export class Subscription implements Subscriber {
  readonly address: Address;
  readonly scope: Scope;
  readonly stream: PropertyStream;
  readonly #sendBuffer: SendBuffer;
  readonly #holder: SubscriptionHolder;
  #position: Position | undefined;
  #behind = false;
  #asOf: Instant | undefined;

  constructor(
    address: Address,
    scope: Scope,
    stream: PropertyStream,
    outbox: SendBuffer,
    holder: SubscriptionHolder,
  ) {
    this.address = address;
    this.scope = scope;
    this.stream = stream;
    this.#sendBuffer = outbox;
    this.#holder = holder;
  }

  /** The shown past instant; `undefined` for the present. */
  get asOf(): Instant | undefined {
    return this.#asOf;
  }

  /** The shown past state, unless it was dropped. */
  get past(): LookedBack | undefined {
    return this.#holder.shelf.of(this);
  }

  /** The last position sent to the client; `undefined` before the first frame. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Starts from `from` or with a snapshot. @throws DomainError as {@link PropertyStream.join} */
  start(from: Position | undefined): void {
    this.#position = from;
    this.stream.join(this, from);
  }

  /** Sends what the client missed since a position again. */
  resync(from: Position): void {
    if (this.#behind) return;
    if (this.#asOf === undefined) this.stream.catchUp(this, from);
    else this.lookBack(this.#asOf, this.past);
  }

  /**
   * Shows a past instant and no changes; the present needs another subscription.
   *
   * @param past the state at that instant; the session rebuilds it where it was dropped
   */
  lookBack(asOf: Instant, past: LookedBack | undefined): void {
    if (this.#asOf === undefined) this.stream.leave(this);
    this.#asOf = asOf;
    if (past === undefined) {
      this.#holder.pastMissing(this, asOf);
      return;
    }
    this.#holder.shelf.put(this, past);
    const { frame, at } = snapshotOfPast(this.address.propertyId, past, this.scope);
    this.deliver(frame, at);
  }

  /** One snapshot replaces all deltas that a slow client did not get. */
  recover(): void {
    if (!this.#behind) return;
    // Flushes pending changes to the others first: here they would arrive before the snapshot that contains them.
    this.stream.flush();
    this.#behind = false;
    if (this.#asOf === undefined) this.stream.catchUp(this);
    else this.lookBack(this.#asOf, this.past);
  }

  leave(): void {
    this.#holder.shelf.drop(this);
    this.stream.leave(this);
  }

  deliver(frame: Outgoing, to: Position): void {
    if (this.#behind) return;
    if (this.#sendBuffer.offer(frame)) this.#position = to;
    else this.#behind = true;
  }

  restart(frame: Outgoing, at: Position): void {
    // While the client is behind, a snapshot is due anyway.
    this.deliver(frame, at);
  }

  ended(error: DomainError): void {
    this.#holder.ended(error);
  }
}
