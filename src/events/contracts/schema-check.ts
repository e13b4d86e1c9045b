import { subjectOf, type Topic } from '../rules/topics.ts';
import type { RecordSchema } from './event-schemas.ts';
import { incompatibilities } from './schema-compatibility.ts';

/** Problems of a schema that is about to change, as messages for its author. */
type SchemaFault = { topic: Topic; kind: 'broken' | 'unregistered'; detail: string };

/**
 * Holds a schema against the versions of its topic that are registered (docs/reference/events.md#schema-changes):
 * fields may be added, with a default; all else needs a new topic. What was written under any version is read with the
 * new schema, and the other way round, since a reader with an old one may be anywhere.
 */
export function schemaFaults(topic: Topic, schema: RecordSchema, registered: readonly RecordSchema[]): SchemaFault[] {
  const newest = registered.at(-1);
  const versions = registered.map((version) => JSON.stringify(version));
  const broken = [
    ...removed(schema, registered),
    ...incompatibilities(JSON.stringify(schema), versions, 'FULL_TRANSITIVE'),
  ];
  if (broken.length > 0)
    return broken.map((detail) => ({ topic, kind: 'broken', detail: `${subjectOf(topic)} ${detail}` }));
  if (newest && JSON.stringify(newest) === JSON.stringify(schema)) return [];
  const detail = `${subjectOf(topic)} has changed in a way that 6.4 allows; npm run schemas:check -- --accept keeps it as version ${registered.length + 1}`;
  return [{ topic, kind: 'unregistered', detail }];
}

/** A field with a default could go without breaking a reader; but what it said would be lost without a word. */
function removed({ fields }: RecordSchema, registered: readonly RecordSchema[]): string[] {
  const names = new Set(fields.map(({ name }) => name));
  const known = new Set(registered.flatMap((version) => version.fields.map(({ name }) => name)));
  return [...known].filter((name) => !names.has(name)).map((name) => `has no field ${name} any more`);
}
