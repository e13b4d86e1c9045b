import { type Address, addressKey } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Position } from '../../src/live/contracts/live.ts';
import type { FollowerParts } from './follower.ts';
import { PropertyStream } from './stream.ts';

type Open = { stream: PropertyStream; opened: Promise<void>; linger?: NodeJS.Timeout };

/** The followed properties of this gateway: one `follow` per property, however many clients subscribe. */
export class Hub {
  readonly #parts: FollowerParts;
  readonly #open = new Map<string, Open>();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Number of properties followed at the moment. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * The stream of a property, followed from now on; it must be joined at once.
   *
   * @param from position of the first client, so that the actor's ring can serve it
   * @throws DomainError PROPERTY_NOT_FOUND, NOT_EXECUTED when the property moves between nodes for too long
   */
  async open(address: Address, from: Position | undefined): Promise<PropertyStream> {
    const key = addressKey(address);
    const open = this.#open.get(key) ?? this.#follow(key, address, from);
    try {
      await this.#inTime(open.opened.then(() => open.stream.ready));
    } catch (thrown) {
      // An overdue first answer may never come: the next caller must not wait for it.
      if (!open.stream.hasBegun) this.#drop(key, open.stream);
      throw thrown;
    }
    return open.stream;
  }

  /** Called when a client has left: after the last one the property is followed a little longer. */
  release(address: Address): void {
    const key = addressKey(address);
    const open = this.#open.get(key);
    if (open) this.#linger(key, open);
  }

  close(): void {
    for (const { stream, linger } of this.#open.values()) {
      clearTimeout(linger);
      stream.close();
    }
    this.#open.clear();
  }

  #follow(key: string, address: Address, from: Position | undefined): Open {
    const stream = new PropertyStream(this.#parts, address, () => this.#forget(key, stream));
    const open: Open = { stream, opened: stream.start(from) };
    this.#open.set(key, open);
    // The caller may have given up before the property answered; a failure goes to the callers that still wait.
    open.opened.then(
      () => this.#linger(key, open),
      () => this.#drop(key, stream),
    );
    return open;
  }

  #linger(key: string, open: Open): void {
    clearTimeout(open.linger);
    if (!open.stream.isEmpty || this.#open.get(key) !== open) return;
    open.linger = setTimeout(() => {
      if (open.stream.isEmpty) this.#drop(key, open.stream);
    }, this.#parts.limits.lingerMs);
  }

  #drop(key: string, stream: PropertyStream): void {
    stream.close();
    this.#forget(key, stream);
  }

  #forget(key: string, stream: PropertyStream): void {
    const open = this.#open.get(key);
    if (open?.stream !== stream) return;
    clearTimeout(open.linger);
    this.#open.delete(key);
  }

  async #inTime(following: Promise<void>): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new DomainError('NOT_EXECUTED', 'The property is moving between nodes at the moment.')),
      this.#parts.limits.followWithinMs,
    );
    try {
      await Promise.race([following, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
