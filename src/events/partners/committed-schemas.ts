import { schemaOf } from '../contracts/event-schemas.ts';
import type { EventSchemas } from '../ports.ts';
import { type Topic, TOPIC_NAMES } from '../rules/topics.ts';

/** Committed schemas without a registry: records that only this process reads need no shared id. */
export class CommittedSchemas implements EventSchemas {
  async idOf(topic: Topic): Promise<number> {
    return TOPIC_NAMES.indexOf(topic) + 1;
  }

  async schemaOf(id: number): Promise<string | undefined> {
    const topic = TOPIC_NAMES[id - 1];
    return topic && JSON.stringify(schemaOf(topic));
  }
}
