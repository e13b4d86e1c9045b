import type { Tracer } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import { Latency } from '../platform/telemetry/latency.ts';
import { SpanKeeper } from '../platform/telemetry/span-keeper.ts';

/** What is measured on the path of requests and commits, for figures over time (docs/operations/health.md#figures-over-time). */
export class Measured {
  /** Collects spans of requests and commands, beside the tracer that exports them. */
  readonly spans: SpanKeeper;
  readonly edge = new Latency();
  readonly commits = new Latency();
  readonly fanOut = new Latency();
  #bookings = 0;

  constructor(tracer: Tracer | undefined, now: () => Instant) {
    this.spans = new SpanKeeper(tracer, now);
  }

  /** Reservations made since the start. */
  get bookings(): number {
    return this.#bookings;
  }

  onCommitted(_to: Address, { facts }: Pick<JournalEntry, 'facts'>): void {
    for (const [event] of facts.bookings ?? []) if (event === 'CREATED') this.#bookings += 1;
  }
}
