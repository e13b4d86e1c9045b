import type { Topic } from '../domain/topics.ts';

/** The schema registry as events need it (docs/concepts/events.md#schemas). */
export interface EventSchemas {
  /** Id of our schema of a topic, which is registered when it is first asked for. @throws EventFailure */
  idOf(topic: Topic): Promise<number>;
  /** Text of a schema; `undefined` where the registry has none of that id. @throws EventFailure when it is away */
  schemaOf(id: number): Promise<string | undefined>;
}
