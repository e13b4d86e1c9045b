import { subjectOf, type Topic } from '../rules/topics.ts';
import type { RecordSchema } from './event-schemas.ts';
import { incompatibilities } from './schema-compatibility.ts';

/** Problem of a changed schema, as a message for its author. */
type SchemaFault = { topic: Topic; kind: 'broken' | 'unregistered'; detail: string };

/**
 * Checks a schema against the registered versions of its topic (docs/reference/events.md#schema-changes): fields may be
 * added with a default; any other change needs a new topic. The new schema must read what was written under any
 * version, and the other way round, since readers may have any version.
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
  const detail = `${subjectOf(topic)} has changed compatibly; npm run schemas:check -- --accept keeps it as version ${registered.length + 1}`;
  return [{ topic, kind: 'unregistered', detail }];
}

/** Removing a field with a default would break no reader; but its content would be lost silently. */
function removed({ fields }: RecordSchema, registered: readonly RecordSchema[]): string[] {
  const names = new Set(fields.map(({ name }) => name));
  const known = new Set(registered.flatMap((version) => version.fields.map(({ name }) => name)));
  return [...known].filter((name) => !names.has(name)).map((name) => `has no field ${name} any more`);
}
