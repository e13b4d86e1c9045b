/** A record that is put aside keeps what it came with, whatever that is. */
export type HeaderValue = string | Buffer;

/**
 * A record on its way to a topic, written already. Keys keep the records of a property in order
 * (docs/reference/events.md#format).
 */
export type OutgoingRecord = {
  topic: string;
  key: string | Uint8Array | null;
  value: Uint8Array | null;
  /** One that comes several times is a list. */
  headers: Readonly<Record<string, HeaderValue | HeaderValue[]>>;
};

/**
 * The broker did not take records, or nobody knows whether it did: the same may be sent again. `passes` is false where
 * the broker refuses these very records, such as one that is too large, and would refuse them again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly passes: boolean;

  constructor(message: string, passes: boolean, options?: ErrorOptions) {
    super(message, options);
    this.passes = passes;
  }
}

/** Puts records into topics. */
export interface EventSender {
  /**
   * Sends records in order and resolves when all of them are durable in their topics. Calls wait for each other.
   * @throws NotSent
   */
  send(records: readonly OutgoingRecord[]): Promise<void>;
}
