/** Position of a record. */
export type OffsetPlace = { topic: string; partition: number; offset: string };
type Pending = { offset: bigint; done: boolean };
type Line = { topic: string; partition: number; pending: Pending[]; next?: bigint; committed?: bigint; end: bigint };

/**
 * Progress of each partition. A record may be handled before its effect is durable: its offset is committed only then,
 * and later ones wait, so that a crash repeats records and never skips one.
 */
export class Offsets {
  readonly #lines = new Map<string, Line>();

  /** Starts handling a record. @returns a function to call once its effect is durable */
  begin({ topic, partition, offset }: OffsetPlace): () => void {
    const line = this.#line(topic, partition);
    const one = { offset: BigInt(offset), done: false };
    line.pending.push(one);
    return () => {
      one.done = true;
      while (line.pending[0]?.done) line.next = line.pending.shift()!.offset + 1n;
    };
  }

  /** Records of the partition whose effect is not durable yet. */
  waiting({ topic, partition }: Omit<OffsetPlace, 'offset'>): number {
    return this.#line(topic, partition).pending.length;
  }

  /** The partition is read again from an earlier offset: pending records come again. */
  forget({ topic, partition }: Omit<OffsetPlace, 'offset'>): void {
    this.#line(topic, partition).pending = [];
  }

  /** Partitions were reassigned; all are read from their committed offsets. */
  clear(): void {
    this.#lines.clear();
  }

  /** Notes the current end of the partition. */
  ends({ topic, partition }: Omit<OffsetPlace, 'offset'>, end: string): void {
    this.#line(topic, partition).end = BigInt(end);
  }

  /** Offsets to commit: those of the next records to read. */
  ready(): OffsetPlace[] {
    return [...this.#lines.values()].flatMap(({ topic, partition, next, committed }) =>
      next === undefined || next === committed ? [] : [{ topic, partition, offset: String(next) }],
    );
  }

  committed(places: readonly OffsetPlace[]): void {
    for (const { topic, partition, offset } of places) this.#line(topic, partition).committed = BigInt(offset);
  }

  /** Lag by topic: records at the broker that are not handled yet. */
  lag(): Record<string, number> {
    const lag: Record<string, number> = {};
    for (const { topic, pending, next, end } of this.#lines.values()) {
      const from = pending[0]?.offset ?? next ?? end;
      lag[topic] = (lag[topic] ?? 0) + Math.max(0, Number(end - from));
    }
    return lag;
  }

  #line(topic: string, partition: number): Line {
    const key = `${partition} ${topic}`;
    let line = this.#lines.get(key);
    if (!line) this.#lines.set(key, (line = { topic, partition, pending: [], end: 0n }));
    return line;
  }
}
