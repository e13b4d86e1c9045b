import { eventIdOf } from '../events/contracts/event-id.ts';
import { CommittedSchemas } from '../events/partners/committed-schemas.ts';
import { batchesOf, type EventRow, type EventSource, recordsOf } from '../events/rules/event-records.ts';
import type { EventRecord } from '../events/rules/events.ts';

/** Events of a journal, as the relay would send them. */
export function eventsOf(of: EventSource, rows: readonly EventRow[]): EventRecord[] {
  return batchesOf(rows).flatMap((batch) => recordsOf(of, batch, eventIdOf));
}

/** The committed schemas, and those that a test adds. */
export class KnownSchemas extends CommittedSchemas {
  readonly texts = new Map<number, string>();

  override async schemaOf(id: number): Promise<string | undefined> {
    return this.texts.get(id) ?? super.schemaOf(id);
  }

  /** @returns its id */
  put(schema: object): number {
    const id = 1_000 + this.texts.size;
    this.texts.set(id, JSON.stringify(schema));
    return id;
  }
}
