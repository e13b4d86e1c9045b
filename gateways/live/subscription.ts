import type { Position } from '../../src/contracts/live.ts';
import type { Address } from '../../src/domain/caller.ts';
import type { Refusal } from '../../src/domain/refusal.ts';
import type { LookedBack } from '../../src/operations/look-back.ts';
import type { Sight } from './audience.ts';
import type { Outgoing } from './connection.ts';
import type { Outbox } from './outbox.ts';
import { snapshotOfPast } from './past.ts';
import type { Member, PropertyStream } from './stream.ts';

/** One property on one connection: where the client stands, and whether it has fallen behind. */
export class Subscription implements Member {
  readonly address: Address;
  readonly sight: Sight;
  readonly stream: PropertyStream;
  readonly #outbox: Outbox;
  readonly #onEnded: (refusal: Refusal) => void;
  #position: Position | undefined;
  #behind = false;
  #past: LookedBack | undefined;

  constructor(
    address: Address,
    sight: Sight,
    stream: PropertyStream,
    outbox: Outbox,
    onEnded: (refusal: Refusal) => void,
  ) {
    this.address = address;
    this.sight = sight;
    this.stream = stream;
    this.#outbox = outbox;
    this.#onEnded = onEnded;
  }

  /** What it shows of the past; the present where there is nothing. */
  get past(): LookedBack | undefined {
    return this.#past;
  }

  /** The last number sent to the client; `undefined` before the first frame. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Begins at `from` or with a snapshot. @throws Refusal as {@link PropertyStream.join} */
  start(from: Position | undefined): void {
    this.#position = from;
    this.stream.join(this, from);
  }

  /** What the client missed since a position, again. */
  resync(from: Position): void {
    if (this.#behind) return;
    if (this.#past) this.#showPast(this.#past);
    else this.stream.bring(this, from);
  }

  /** Shows a moment of the past, and nothing of what happens meanwhile; the present needs another subscription. */
  lookBack(past: LookedBack): void {
    if (!this.#past) this.stream.leave(this);
    this.#past = past;
    this.#showPast(past);
  }

  /** One snapshot for all the deltas that a slow client did not get. */
  recover(): void {
    if (!this.#behind) return;
    // What is due goes to the others: here it would come before the snapshot that has it, over a gap.
    this.stream.settle();
    this.#behind = false;
    if (this.#past) this.#showPast(this.#past);
    else this.stream.bring(this);
  }

  #showPast(past: LookedBack): void {
    const { frame, at } = snapshotOfPast(this.address.propertyId, past, this.sight);
    this.deliver(frame, at);
  }

  leave(): void {
    this.stream.leave(this);
  }

  deliver(frame: Outgoing, to: Position): void {
    if (this.#behind) return;
    if (this.#outbox.offer(frame)) this.#position = to;
    else this.#behind = true;
  }

  restart(frame: Outgoing, at: Position): void {
    // While it is behind a snapshot is due anyway.
    this.deliver(frame, at);
  }

  ended(refusal: Refusal): void {
    this.#onEnded(refusal);
  }
}
