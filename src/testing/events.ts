import { eventIdOf } from '../contracts/event-id.ts';
import { schemaOf } from '../contracts/event-schemas.ts';
import { batchesOf, type EventRow, type EventSource, recordsOf } from '../domain/event-records.ts';
import type { EventRecord } from '../domain/events.ts';
import { type Topic, TOPIC_NAMES } from '../domain/topics.ts';
import type { EventSchemas } from '../ports/event-schemas.ts';

/** The events of a journal, as the relay would send them. */
export function eventsOf(of: EventSource, rows: readonly EventRow[]): EventRecord[] {
  return batchesOf(rows).flatMap((batch) => recordsOf(of, batch, eventIdOf));
}

/** A registry without a network: our schemas have ids from 1 on, others are put in. */
export class KnownSchemas implements EventSchemas {
  readonly texts = new Map<number, string>(
    TOPIC_NAMES.map((topic, index) => [index + 1, JSON.stringify(schemaOf(topic))]),
  );

  async idOf(topic: Topic): Promise<number> {
    return TOPIC_NAMES.indexOf(topic) + 1;
  }

  async schemaOf(id: number): Promise<string | undefined> {
    return this.texts.get(id);
  }

  /** @returns its id */
  put(schema: object): number {
    const id = 1_000 + this.texts.size;
    this.texts.set(id, JSON.stringify(schema));
    return id;
  }
}
