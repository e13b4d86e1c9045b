/** A record on its way to a topic, written already. Keys keep the records of a property in order (contracts.md 8). */
export type OutgoingRecord = {
  topic: string;
  key: string;
  value: Uint8Array | null;
  headers: Readonly<Record<string, string>>;
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
