/** Where a record lies. */
export type OffsetPlace = { topic: string; partition: number; offset: string };
type Pending = { offset: bigint; done: boolean };
type Line = { topic: string; partition: number; pending: Pending[]; next?: bigint; committed?: bigint; end: bigint };

/**
 * How far each partition has been taken. A record may be taken before what follows from it is through: its offset is
 * committed only then, and those behind it wait, so that a crash repeats rather than leaves out.
 */
export class Offsets {
  readonly #lines = new Map<string, Line>();

  /** A record is about to be taken. @returns to be called once its effect is durable */
  begin({ topic, partition, offset }: OffsetPlace): () => void {
    const line = this.#line(topic, partition);
    const one = { offset: BigInt(offset), done: false };
    line.pending.push(one);
    return () => {
      one.done = true;
      while (line.pending[0]?.done) line.next = line.pending.shift()!.offset + 1n;
    };
  }

  /** Records of the partition that wait for what follows from them. */
  waiting({ topic, partition }: Omit<OffsetPlace, 'offset'>): number {
    return this.#line(topic, partition).pending.length;
  }

  /** The partition is read again from somewhere before: what waits there comes again. */
  forget({ topic, partition }: Omit<OffsetPlace, 'offset'>): void {
    this.#line(topic, partition).pending = [];
  }

  /** Other partitions are ours from now on; all of them are read from where they were committed. */
  clear(): void {
    this.#lines.clear();
  }

  /** The partition ends there at the moment. */
  ends({ topic, partition }: Omit<OffsetPlace, 'offset'>, end: string): void {
    this.#line(topic, partition).end = BigInt(end);
  }

  /** What can be committed: offsets of the records to be read next. */
  ready(): OffsetPlace[] {
    return [...this.#lines.values()].flatMap(({ topic, partition, next, committed }) =>
      next === undefined || next === committed ? [] : [{ topic, partition, offset: String(next) }],
    );
  }

  committed(places: readonly OffsetPlace[]): void {
    for (const { topic, partition, offset } of places) this.#line(topic, partition).committed = BigInt(offset);
  }

  /** Records of each topic that were seen at the broker and not taken. */
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
